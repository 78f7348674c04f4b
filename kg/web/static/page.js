// Enhancements only: every page is complete without this file.
"use strict";
(() => {
  const arabic = document.documentElement.lang === "ar";
  const words = arabic
    ? { larger: "تكبير", smaller: "تصغير", fit: "كله" }
    : { larger: "Larger", smaller: "Smaller", fit: "Fit" };

  // Completion in the search box, from the site's own index.
  const box = document.getElementById("site-q");
  const list = document.getElementById("completions");
  let waiting = 0;
  box?.addEventListener("input", () => {
    clearTimeout(waiting);
    const text = box.value.trim();
    if (text.length < 2) return;
    waiting = setTimeout(async () => {
      const address = new URL(box.dataset.completions, location.href);
      address.search = new URLSearchParams({ q: text, complete: "1" });
      const answer = await fetch(address);
      if (!answer.ok) return;
      const { completions } = await answer.json();
      list.replaceChildren(...completions.map((label) => Object.assign(document.createElement("option"), { value: label })));
    }, 120);
  });

  // Marks in a text: what was read, how surely and why, beside the words.
  const card = document.createElement("div");
  card.className = "note-card";
  card.setAttribute("role", "tooltip");
  card.id = "note-card";
  card.hidden = true;
  document.body.append(card);
  const show = (mark) => {
    const row = document.getElementById(mark.dataset.note);
    if (!row) return;
    const [, kind, reading, sure, why] = row.children;
    card.replaceChildren();
    for (const [index, cell] of [kind, reading, sure, why].entries()) {
      if (!cell?.textContent.trim()) continue;
      const line = document.createElement(index === 3 ? "p" : "span");
      line.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
      card.append(line, " ");
    }
    for (const link of card.querySelectorAll("a")) link.tabIndex = -1;
    card.hidden = false;
    const place = mark.getClientRects()[0];
    const room = document.documentElement.clientWidth - card.offsetWidth - 8;
    card.style.left = `${scrollX + Math.max(8, Math.min(place.left, room))}px`;
    card.style.top = `${scrollY + place.bottom + 6}px`;
    mark.setAttribute("aria-describedby", "note-card");
  };
  const hide = () => { card.hidden = true; };
  for (const mark of document.querySelectorAll("[data-note]")) {
    mark.removeAttribute("title");
    mark.addEventListener("pointerenter", () => show(mark));
    mark.addEventListener("focus", () => show(mark));
    mark.addEventListener("blur", hide);
    mark.addEventListener("pointerleave", (event) => { if (event.relatedTarget !== card) hide(); });
  }
  card.addEventListener("pointerleave", hide);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  // Pictures: zoom, and PNG.
  for (const figure of document.querySelectorAll("[data-picture]")) {
    const svg = figure.querySelector("svg");
    const frame = figure.querySelector(".picture-frame");
    const caption = figure.querySelector("figcaption");
    if (!svg || !caption) continue;
    const width = svg.viewBox.baseVal.width;
    const height = svg.viewBox.baseVal.height;
    let scale = 1;
    const zoom = (next) => {
      scale = Math.min(4, Math.max(0.1, next));
      svg.setAttribute("width", width * scale);
      svg.setAttribute("height", height * scale);
    };
    const fit = () => zoom(Math.min(1, (frame.clientWidth - 12) / width));
    const button = (label, action) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = label;
      made.addEventListener("click", action);
      caption.append(made);
    };
    button(words.larger, () => zoom(scale * 1.3));
    button(words.smaller, () => zoom(scale / 1.3));
    button(words.fit, fit);
    button("PNG", async () => {
      const source = caption.querySelector("a[download]").href;
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: width * 2, height: height * 2 });
      const pen = canvas.getContext("2d");
      pen.fillStyle = "#ffffff";
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => {
        const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: "isnad.png" });
        link.click();
        URL.revokeObjectURL(link.href);
      });
    });
    if (width > frame.clientWidth) zoom(Math.max(0.6, (frame.clientWidth - 12) / width));
    const self = svg.querySelector(".is-self, .is-common-link, .is-prophet");
    if (self) {
      const [shape, around] = [self.getBoundingClientRect(), frame.getBoundingClientRect()];
      frame.scrollLeft += shape.left + shape.width / 2 - (around.left + around.width / 2);
    }
  }

  // Tables sort where they stand; the links above them do it without this file.
  for (const table of document.querySelectorAll("[data-sortable]")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const rising = head.getAttribute("aria-sort") !== "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", rising ? "ascending" : "descending");
        const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
        const rows = [...table.tBodies[0].rows].sort((a, b) => value(a).localeCompare(value(b), undefined, { numeric: true }));
        table.tBodies[0].append(...(rising ? rows : rows.reverse()));
      });
    });
  }
})();
