"""The data set described for machines: VoID with partitions, DCAT, stored queries as SHACL, provenance.

All of it is counted while the graph is written and stands in ``graph/description`` and ``graph/provenance``; nothing is
asked of a store. No clock is read, so that the same input gives the same description.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rdflib import RDFS

from kg import __version__
from kg.extract.quran_text import NOTICES, SHOWN
from kg.graph.formats import FORMATS, PACKINGS, WHOLE
from kg.graph.mapping import SourceLike
from kg.graph.ontology import ontology_graph
from kg.graph.passages import LABEL, TYPE
from kg.graph.queries import stored_queries
from kg.graph.terms import PREFIXES, XSD, Statements, Term, integer, iri, name, text
from kg.graph.vocabulary import GRAPHS, Vocabulary
from kg.graph.writer import Shape

__all__ = ["Thing", "description_things", "provenance_things", "stem"]

Thing = tuple[Term, Statements]
Shapes = Mapping[str, Counter[Shape]]

DATASET, CATALOG, SERVICE, PUBLISHER, PREFIX_SET = (
    "dataset/silsila",
    "dataset/catalog",
    "dataset/service",
    "dataset/publisher",
    "dataset/prefixes",
)
_TITLES = {
    GRAPHS["ontology"]: ("Ontology and transmission terms", "الأنطولوجيا وصيغ الأداء"),
    GRAPHS["authority"]: ("Persons, places, events and works", "الأشخاص والأماكن والوقائع والكتب"),
    GRAPHS["quran"]: ("Suras and verses of the Quran", "سور القرآن وآياته"),
    GRAPHS["identity"]: ("Claims of who is who", "دعاوى تعيين الرواة"),
    GRAPHS["links"]: ("Reviewed links to other data sets", "روابط مراجعة إلى مجموعات أخرى"),
    GRAPHS["links-proposed"]: ("Links not yet reviewed", "روابط لم تراجع"),
    GRAPHS["parallels"]: ("Groups of parallel reports", "مجموعات الروايات المتوازية"),
    GRAPHS["statistics"]: ("Counts made at build time", "أعداد حُسبت عند البناء"),
    GRAPHS["provenance"]: ("How this version was made", "كيف صُنعت هذه النسخة"),
    GRAPHS["description"]: ("Description of the data set", "وصف مجموعة البيانات"),
}
_TITLE, _ABOUT, _LICENCE, _RIGHTS = (
    name("dcterms:title"),
    name("dcterms:description"),
    name("dcterms:license"),
    name("dcterms:rights"),
)
_IANA = "http://www.iana.org/assignments/media-types/"
_LANGUAGES = [iri(f"http://publications.europa.eu/resource/authority/language/{code}") for code in ("ARA", "ENG")]
_VOCABULARIES = ("sls", "rdfs", "skos", "dcterms", "prov", "geo", "void", "dcat")


def stem(graph: str) -> str:
    """The name of a graph's files: ``source-bukhari`` of ``graph/source/bukhari``."""
    return graph.removeprefix("graph/").replace("/", "-").replace("%", "_")


def _text_in_both(prop: Term, english: str, arabic: str) -> Statements:
    return [(prop, text(english, "en")), (prop, text(arabic, "ar"))]


def _distributions(words: Vocabulary, key: str, file: str, title: str, formats: Iterable[str]) -> Iterator[Thing]:
    """The files of one data set: each format in each packing."""
    for format in formats:
        suffix, media_type, format_title = FORMATS[format]
        for packing, packing_type in PACKINGS.items():
            address = iri(f"{words.base}dumps/{file}.{suffix}.{packing}")
            yield (
                words.term(_distribution_key(key, format, packing)),
                [
                    (TYPE, name("dcat:Distribution")),
                    *_text_in_both(_TITLE, f"{title}: {format_title}, {packing}", f"{format_title}، {packing}"),
                    (name("dcat:accessURL"), words.term("dumps/")),
                    (name("dcat:downloadURL"), address),
                    (name("dcat:mediaType"), iri(_IANA + media_type)),
                    (name("dcat:compressFormat"), iri(_IANA + packing_type)),
                ],
            )


def _distribution_key(key: str, format: str, packing: str) -> str:
    return f"dataset/file/{stem(key) if key.startswith('graph/') else WHOLE}.{FORMATS[format].suffix}.{packing}"


def _dataset(words: Vocabulary, key: str, file: str, formats: Sequence[str]) -> Statements:
    """What every data set says of its files."""
    said: Statements = [(TYPE, name("void:Dataset")), (TYPE, name("dcat:Dataset"))]
    for format in formats:
        for packing in PACKINGS:
            said.append((name("dcat:distribution"), words.term(_distribution_key(key, format, packing))))
            said.append((name("void:dataDump"), iri(f"{words.base}dumps/{file}.{FORMATS[format].suffix}.{packing}")))
    said += [(name("dcterms:language"), language) for language in _LANGUAGES]
    said.append((name("dcterms:publisher"), words.term(PUBLISHER)))
    return said


def _curie(term: str) -> str:
    """A short name for a term in the key of a partition: ``sls-Passage``."""
    full = term[1:-1]
    for prefix, namespace in PREFIXES.items():
        if full.startswith(namespace):
            return f"{prefix}-{full[len(namespace) :]}"
    return full.rpartition("/")[2].rpartition("#")[2]


def _partitions(words: Vocabulary, shapes: Shapes) -> Iterator[Thing]:
    """Classes and properties of the whole with their counts, and which properties each class has."""
    entities: Counter[str] = Counter()
    triples: Counter[str] = Counter()
    by_class: dict[str, Counter[str]] = {}
    for counted in shapes.values():
        for (classes, properties), number in counted.items():
            for kind in set(classes):
                entities[kind] += number
            for prop in properties:
                triples[prop] += number
                for kind in set(classes):
                    by_class.setdefault(kind, Counter())[prop] += number
    ranges = {f"<{link}>": f"<{kind}>" for link, kind in ontology_graph().subject_objects(RDFS.range)}
    whole: Statements = []
    for prop, number in sorted(triples.items()):
        part = words.term(f"partition/{_curie(prop)}")
        whole.append((name("void:propertyPartition"), part))
        yield (
            part,
            [(TYPE, name("void:Dataset")), (name("void:property"), Term(prop, prop)), (name("void:triples"), integer(number))],
        )
    for kind, number in sorted(entities.items()):
        key = f"partition/class/{_curie(kind)}"
        whole.append((name("void:classPartition"), words.term(key)))
        said: Statements = [
            (TYPE, name("void:Dataset")),
            (name("void:class"), Term(kind, kind)),
            (name("void:entities"), integer(number)),
        ]
        for prop, count in sorted(by_class[kind].items()):
            part_key = f"{key}/{_curie(prop)}"
            said.append((name("void:propertyPartition"), words.term(part_key)))
            part_said: Statements = [
                (TYPE, name("void:Dataset")),
                (name("void:property"), Term(prop, prop)),
                (name("void:triples"), integer(count)),
            ]
            target = ranges.get(prop, "")
            if target in entities:
                # The class a link leads to, for editors that complete the next pattern of a query.
                part_said.append((name("void:classPartition"), words.term(f"partition/class/{_curie(target)}")))
            yield words.term(part_key), part_said
        yield words.term(key), said
    yield words.term(DATASET), whole


def _graph_thing(
    words: Vocabulary, graph: str, quads: int, source: SourceLike | None, counted: Counter[Shape]
) -> Iterator[Thing]:
    english, arabic = (source.title_en, source.title_ar) if source else _TITLES[graph]
    said = _dataset(words, graph, stem(graph), tuple(FORMATS))
    said += [(TYPE, name("sd:NamedGraph")), (name("sd:name"), words.term(graph))]
    said += [*_text_in_both(LABEL, english, arabic), *_text_in_both(_TITLE, english, arabic)]
    said += [(name("void:triples"), integer(quads)), (name("void:entities"), integer(sum(counted.values())))]
    if source is not None:
        may = (
            "Its text is published whole."
            if source.republishable
            else "Its text may not be republished: offsets, citations and short quotations only."
        )
        said.append((_ABOUT, text(f"What was read in {source.title_en}. {may}", "en")))
        if source.licence.startswith(("http://", "https://")):
            said.append((_LICENCE, iri(source.licence)))
        elif source.licence:
            said.append((_RIGHTS, text(source.licence, "en")))
        if source.licence_note:
            said.append((_RIGHTS, text(source.licence_note, "en")))
    else:
        said.append((_ABOUT, text(f"{english}, a named graph of Silsila.", "en")))
    if graph == GRAPHS["quran"]:
        said.append((_LICENCE, iri(SHOWN.licence_url)))
        said += [
            (_RIGHTS, text(f"{notice.name} ({notice.licence}, {notice.source_url}): {notice.attribution}", "en"))
            for notice in NOTICES
        ]
    yield words.term(graph), said
    yield from _distributions(words, graph, stem(graph), english, FORMATS)


def _queries(words: Vocabulary) -> Iterator[Thing]:
    """The stored queries, as editors look for them: ``sh:SPARQLExecutable`` with the endpoint they are for."""
    for query in stored_queries().values():
        yield (
            words.term(f"query/{query.name}"),
            [
                (TYPE, name("sh:SPARQLExecutable")),
                (TYPE, name("sh:SPARQLSelectExecutable")),
                *_text_in_both(LABEL, query.title, query.title_ar),
                *_text_in_both(name("rdfs:comment"), query.comment, query.comment_ar),
                (name("sh:select"), text(query.sparql(words.base))),
                (name("sh:prefixes"), words.term(PREFIX_SET)),
                (iri("https://schema.org/target"), words.term("sparql")),
            ],
        )
    declared: Statements = [(TYPE, name("owl:Ontology")), (LABEL, text("Prefixes of the stored queries", "en"))]
    for prefix, namespace in PREFIXES.items():
        key = f"{PREFIX_SET}/{prefix}"
        declared.append((name("sh:declare"), words.term(key)))
        address = Term(f'"{namespace}"^^<{XSD}anyURI>', f'"{namespace}"^^xsd:anyURI')
        yield words.term(key), [(name("sh:prefix"), text(prefix)), (name("sh:namespace"), address)]
    yield words.term(PREFIX_SET), declared


def _merged(things: Iterable[Thing]) -> dict[Term, Statements]:
    merged: dict[Term, Statements] = {}
    for subject, said in things:
        there = merged.setdefault(subject, [])
        there += [pair for pair in said if pair not in there]
    return merged


def description_things(
    words: Vocabulary, sources: Sequence[SourceLike], graphs: Mapping[str, int], shapes: Shapes
) -> dict[Term, Statements]:
    """Everything of ``graph/description``: ``graphs`` are the quads of every other graph, ``shapes`` what was counted in them."""
    # The description counts itself too. How many statements it has does not depend on the numbers in them.
    itself = GRAPHS["description"]
    size = sum(map(len, _description(words, sources, {**graphs, itself: 1}, shapes).values()))
    return _description(words, sources, {**graphs, itself: size}, shapes)


def _description(
    words: Vocabulary, sources: Sequence[SourceLike], graphs: Mapping[str, int], shapes: Shapes
) -> dict[Term, Statements]:
    things: list[Thing] = []
    about = (
        "Narrators, chains, events and Quran citations read in classical Arabic texts; every statement is tied to the words it was read from.",
        "رواة وأسانيد ووقائع واستشهادات بالقرآن قُرئت في نصوص عربية، وكل قول مربوط بلفظه.",
    )
    whole = _dataset(words, DATASET, WHOLE, tuple(FORMATS))
    whole += [
        *_text_in_both(LABEL, "Silsila", "سلسلة"),
        *_text_in_both(_TITLE, "Silsila: the knowledge graph of Arabic transmission", "سلسلة: رسم معرفي للرواية العربية"),
    ]
    whole += _text_in_both(_ABOUT, *about)
    whole += [(name("void:triples"), integer(sum(graphs.values()))), (name("void:uriSpace"), text(words.base))]
    whole += [(name("void:sparqlEndpoint"), words.term("sparql")), (name("foaf:homepage"), words.term(""))]
    whole += [(name("void:entities"), integer(sum(sum(counted.values()) for counted in shapes.values())))]
    whole += [(name("void:vocabulary"), iri(PREFIXES[prefix])) for prefix in _VOCABULARIES]
    whole += [(name("dcat:keyword"), text(word, "en")) for word in ("hadith", "isnad", "Arabic", "prosopography")]
    whole += [(name("void:subset"), words.term(graph)) for graph in graphs]
    whole.append((name("dcterms:hasVersion"), text(__version__)))
    things.append((words.term(DATASET), whole))
    things += _distributions(words, DATASET, WHOLE, "Silsila, all graphs", FORMATS)
    by_graph = {words.source_graph(source.key): source for source in sources}
    for graph, quads in graphs.items():
        things += _graph_thing(words, graph, quads, by_graph.get(graph), shapes.get(graph, Counter()))
    things += _partitions(words, shapes)
    things += _queries(words)
    things.append((words.term(PUBLISHER), [(TYPE, name("foaf:Agent")), (name("foaf:name"), text("Silsila"))]))
    catalog: Statements = [(TYPE, name("dcat:Catalog")), *_text_in_both(LABEL, "Data sets of Silsila", "مجموعات بيانات سلسلة")]
    catalog += [*_text_in_both(_TITLE, "Data sets of Silsila", "مجموعات بيانات سلسلة"), *_text_in_both(_ABOUT, *about)]
    catalog += [(name("dcterms:publisher"), words.term(PUBLISHER)), (name("foaf:homepage"), words.term(""))]
    catalog += [(name("dcat:dataset"), words.term(key)) for key in (DATASET, *graphs)]
    catalog += [(name("dcat:service"), words.term(SERVICE)), *((name("dcterms:language"), language) for language in _LANGUAGES)]
    things.append((words.term(CATALOG), catalog))
    service: Statements = [(TYPE, name("dcat:DataService")), (TYPE, name("sd:Service"))]
    service += [
        *_text_in_both(_TITLE, "SPARQL endpoint of Silsila", "نقطة استعلام سلسلة"),
        *_text_in_both(LABEL, "SPARQL endpoint", "نقطة استعلام"),
    ]
    service += [(name("dcat:endpointURL"), words.term("sparql")), (name("sd:endpoint"), words.term("sparql"))]
    service += [(name("dcat:servesDataset"), words.term(DATASET)), (name("sd:feature"), name("sd:UnionDefaultGraph"))]
    service += [
        (name("sd:supportedLanguage"), name("sd:SPARQL11Query")),
        (name("dcterms:conformsTo"), iri("https://www.w3.org/TR/sparql11-protocol/")),
    ]
    things.append((words.term(SERVICE), service))
    things += _outside(things)
    return _merged(things)


_OUTSIDE = {
    "dcterms:language": "dcterms:LinguisticSystem",
    "dcat:mediaType": "dcterms:MediaType",
    "dcat:compressFormat": "dcterms:MediaType",
}
_OUTSIDE |= {
    "dcterms:license": "dcterms:LicenseDocument",
    "dcterms:conformsTo": "dcterms:Standard",
    "foaf:homepage": "foaf:Document",
}


def _outside(things: Iterable[Thing]) -> Iterator[Thing]:
    """What kind of thing an address of somebody else is, as DCAT-AP asks."""
    kinds = {name(prop): name(kind) for prop, kind in _OUTSIDE.items()}
    found = {(value, kinds[prop]): None for _, said in things for prop, value in said if prop in kinds}
    for value, kind in found:
        yield value, [(TYPE, kind)]


def provenance_things(
    words: Vocabulary, sources: Sequence[SourceLike], graphs: Iterable[str]
) -> Iterator[tuple[str, Statements]]:
    """Everything of ``graph/provenance``: the build, the software, the texts it used, the graphs it made."""
    software, run = "run/software", "run/build"
    yield (
        software,
        [
            (TYPE, name("prov:SoftwareAgent")),
            (LABEL, text(f"silsila-kg {__version__}", "en")),
            (name("schema:softwareVersion"), text(__version__)),
        ],
    )
    said: Statements = [(TYPE, name("prov:Activity")), *_text_in_both(LABEL, "Build of this version", "بناء هذه النسخة")]
    said.append((name("prov:wasAssociatedWith"), words.term(software)))
    said += [(name("prov:used"), words.term(f"run/text/{words.slug(words.source_graph(source.key))}")) for source in sources]
    yield run, said
    for source in sources:
        given: Statements = [(TYPE, name("prov:Entity")), *_text_in_both(LABEL, source.title_en, source.title_ar)]
        if source.licence_note:
            given.append((name("dcterms:provenance"), text(source.licence_note, "en")))
        yield f"run/text/{words.slug(words.source_graph(source.key))}", given
    of_source = {words.source_graph(source.key): source for source in sources}
    for graph in graphs:
        made: Statements = [(name("prov:wasGeneratedBy"), words.term(run))]
        if graph in of_source:
            made.append((name("prov:wasDerivedFrom"), words.term(f"run/text/{words.slug(graph)}")))
        yield graph, made
