"""The collation of a parallel group as files: JSON, and TEI with a critical apparatus."""

import json

from flask import Blueprint, Response, request

from kg.identify.collation_forms import to_json, to_tei
from kg.web.conditional import conditional
from kg.web.documents import natural
from kg.web.reader import Reader
from kg.web.site import site
from kg.web.views.collation import Choice, chosen, collated, tellings_of

__all__ = ["asked_choice", "collations_blueprint"]

FORMS = {"json": "application/json", "tei": "application/tei+xml; charset=utf-8"}


def asked_choice() -> Choice:
    """The tellings that an address names: ``?first=bazzar/quarrel&telling=bukhari/3661&telling=bukhari/4640&only=differences``."""
    arguments = request.args
    return Choice(tuple(arguments.getlist("telling")), arguments.get("first", ""), arguments.get("only") == "differences")


def collations_blueprint() -> Blueprint:
    """``/parallel/ID/collation.json`` and ``.tei``, of the tellings that the address names."""
    blueprint = Blueprint("collations", __name__)

    @blueprint.get("/parallel/<group>/collation.<any(json, tei):form>")
    def collation(group: str, form: str) -> Response:
        here = site()
        describer = here.edition.describer
        description = describer.describe(f"{describer.base}parallel/{group}")
        if description is None:
            return here.problem(404, None)
        reader = Reader(description, describer, here.messages, here.path)
        passages = sorted(reader.links(description.iri, "hasPassage"), key=natural)
        compared = chosen(tellings_of(reader, passages), asked_choice())
        found = collated(compared)
        if found is None:
            return here.problem(404, None, detail=here.messages("collation.none"))
        titles = {telling.name: str(reader.label(telling.iri, "en")) for telling in compared}
        if form == "json":
            about = {"group": description.iri, "iris": {t.name: t.iri for t in compared}, "titles": titles}
            body = json.dumps({**about, **to_json(found)}, ensure_ascii=False, indent=1) + "\n"
        else:
            body = to_tei(found, titles) + "\n"
        response = Response(body, content_type=FORMS[form])
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cache-Control"] = "no-cache"
        return conditional(response, here.edition)

    return blueprint
