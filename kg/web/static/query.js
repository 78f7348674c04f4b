// The query editor, where its library was installed; the plain form works without it.
"use strict";
(() => {
  const form = document.querySelector(".query-form");
  const area = document.getElementById("sparql");
  if (!form || !area || typeof Yasqe === "undefined") return;
  // Completion comes from what this data uses, never from another host.
  let terms = [];
  const box = document.createElement("div");
  box.dir = "ltr";
  area.hidden = true;
  area.after(box);
  document.querySelector('label[for="sparql"]').id = "sparql-label";
  const editor = new Yasqe(box, {
    value: area.value,
    persistenceId: null,
    createShareableLink: null,
    showQueryButton: false,
    resizeable: true,
    editorHeight: "14rem",
    requestConfig: { endpoint: form.dataset.endpoint },
    prefixCcApi: null,
    autocompleters: [],
  });
  editor.getInputField().setAttribute("aria-labelledby", "sparql-label");
  editor.on("change", () => { area.value = editor.getValue(); });
  form.addEventListener("submit", () => { area.value = editor.getValue(); });
  const hint = (cm) => {
    const cursor = cm.getCursor();
    const line = cm.getLine(cursor.line).slice(0, cursor.ch);
    const word = /[a-z][\w-]*:[\w-]*$/i.exec(line)?.[0] ?? "";
    const list = terms.filter((term) => term.name.toLowerCase().startsWith(word.toLowerCase())).slice(0, 40)
      .map((term) => ({ text: term.name, displayText: `${term.name}  ${term.label}` }));
    return { list, from: { line: cursor.line, ch: cursor.ch - word.length }, to: cursor };
  };
  const load = async () => {
    if (terms.length) return;
    const answer = await fetch(form.dataset.terms);
    if (answer.ok) terms = await answer.json();
  };
  editor.setOption("extraKeys", {
    ...editor.getOption("extraKeys"),
    "Ctrl-Space": async (cm) => { await load(); cm.showHint({ hint, completeSingle: false }); },
    "Ctrl-Enter": () => form.requestSubmit(),
    "Cmd-Enter": () => form.requestSubmit(),
    // Tab leaves the editor: nobody is caught in it.
    Tab: false,
    "Shift-Tab": false,
  });
  editor.on("inputRead", async (cm, change) => {
    if (!/^[\w:]$/.test(change.text[0])) return;
    await load();
    const found = hint(cm);
    if (found.list.length && found.to.ch - found.from.ch > 3) cm.showHint({ hint, completeSingle: false });
  });
})();
