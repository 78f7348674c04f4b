"""Citations found in real sentences: the words, the verse, what introduces them."""

from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[3] / "kg" / "sources" / "sample"


def test_the_third_sample_cites_9_40_on_exactly_its_words(cite) -> None:
    text = (SAMPLE / "nawawi-abu-bakr.txt").read_text(encoding="utf-8")
    [(citation, surface)] = cite(text)
    assert surface == "ثاني اثنين إذ هما في الغار إذ يقول لصاحبه لا تحزن إن الله معنا"
    assert (citation.refs, citation.words) == (("9:40",), (10, 23))
    assert citation.marked and citation.exact


@pytest.mark.parametrize("name", ["bukhari-3661.txt", "bazzar-quarrel.txt"])
def test_the_quarrel_cites_no_verse(cite, name: str) -> None:
    assert cite((SAMPLE / name).read_text(encoding="utf-8")) == []


# text, the words quoted, reference, exact
FOUND = [
    pytest.param("قال الله تعالى: ولا تلقوا بأيديكم إلى التهلكة. قال", "ولا تلقوا بأيديكم إلى التهلكة", "2:195", True, id="formula"),
    pytest.param("ثم قرأ ﴿قُلْ هُوَ اللَّهُ أَحَدٌ﴾ فأتمها", "قُلْ هُوَ اللَّهُ أَحَدٌ", "112:1", True, id="ornate brackets"),
    pytest.param("في التنزيل @QB@ وأخرجت الأرض أثقالها @QE@ أي", "وأخرجت الأرض أثقالها", "99:2", True, id="mARkdown"),
    pytest.param("وقوله عز وجل «إنا أعطيناك الكوثر» هو نهر", "إنا أعطيناك الكوثر", "108:1", True, id="guillemets"),
    pytest.param("فقام وهو يقول سيهزم الجمع ويولون الدبر فكبر", "سيهزم الجمع ويولون الدبر", "54:45", True, id="no mark"),
    pytest.param("خلق الله ذلك، وخلق الإنسان ضعيفا مما تعلمون", "وخلق الإنسان ضعيفا", "4:28", True, id="no formula"),
    pytest.param("قوله: اقيموا الدين ولا تتفرقوا فيه، يعني", "اقيموا الدين ولا تتفرقوا فيه", "42:13", True, id="hamza dropped"),
    pytest.param("قوله: وسع كرسيه السموات والأرض، قال", "وسع كرسيه السموات والأرض", "2:255", True, id="Uthmani spelling"),
    pytest.param("قوله تعالى: مالك يوم الدين. وقرئ ملك", "مالك يوم الدين", "1:4", True, id="imlai spelling"),
    pytest.param("قوله تعالى: أتموا الحج والعمرة لله، قال", "أتموا الحج والعمرة لله", "2:196", False, id="waw dropped"),
    pytest.param("كان يفتتح القراءة بـالحمد لله رب العالمين", "الحمد لله رب العالمين", "1:2", True, id="attached preposition"),
    pytest.param("قال تعالى: وهو كره لكن وعسى أن تكرهوا شيئا", "وهو كره لكن وعسى أن تكرهوا شيئا", "2:216", False, id="slip"),
    pytest.param("قال: لا تدخلوا بيوت النبي إلا أن يؤذن إلى طعام", "لا تدخلوا بيوت النبي إلا أن يؤذن إلى طعام", "33:53", False, id="word skipped"),
    pytest.param("فأنزل الله: يأيها المدثر قم فأنذر", "يأيها المدثر قم فأنذر", "74:1-2", True, id="ya joined"),
    pytest.param("قال تعالى: ﴿قل هو الله أحد (1) الله الصمد (2)﴾", "قل هو الله أحد (1) الله الصمد", "112:1-2", True, id="verse numbers between"),
]  # fmt: skip


@pytest.mark.parametrize("text, words, ref, exact", FOUND)
def test_words_reference_and_exactness(cite, text: str, words: str, ref: str, exact: bool) -> None:
    [(citation, surface)] = cite(text)
    assert (surface, citation.refs, citation.exact) == (words, (ref,), exact)
    assert 0 < citation.confidence <= 1


NOT_FOUND = [
    "قال رسول الله صلى الله عليه وسلم لا إله إلا الله وحده لا شريك له",
    "السلام عليكم ورحمة الله وبركاته، صدق الله العظيم",
    "إنا لله وإنا إليه راجعون اللهم أجرني في مصيبتي",
    "حدثنا عبد الله يقول قال رسول الله صلى الله عليه وسلم من كان يؤمن بالله واليوم الآخر فليقل خيرا",
    "وهو على كل شيء قدير آيبون تائبون عابدون",
    "فأنزل الله عليهم نارا، ونزل على أخته",
    "أقرأ عليك السلام ورحمة الله",
]


@pytest.mark.parametrize("text", NOT_FOUND)
def test_phrases_in_everybodys_mouth_are_no_citations(cite, text: str) -> None:
    assert cite(text) == []


def test_the_basmala_is_one_where_it_is_introduced_as_such(cite) -> None:
    [(citation, surface)] = cite("صليت خلف ابن عمر فجهر ب بسم الله الرحمن الرحيم")
    assert (citation.refs, surface) == (("1:1",), "بسم الله الرحمن الرحيم")


def test_the_span_begins_inside_a_word_where_a_preposition_is_attached(cite) -> None:
    [(citation, surface)] = cite("كان يقرأ في المغرب بقل يا أيها الكافرون لا أعبد ما تعبدون")
    assert surface == "قل يا أيها الكافرون لا أعبد ما تعبدون"
    assert citation.refs == ("109:1-2",)


def test_elision_gives_two_citations_and_the_second_follows_the_first(cite) -> None:
    text = "فأنزل الله: ومن يقتل مؤمنا متعمدا إلى قوله: عظيما. وقال: إن الله سريع الحساب"
    found = cite("فأنزل الله: يا أيها الذين آمنوا أوفوا بالعقود إلى قوله: إن الله سريع الحساب. فكتب")
    assert [citation.refs for citation, _ in found] == [("5:1",), ("5:4",)]
    assert found[1][0].candidates, "the same words stand elsewhere too"
    assert cite(text)[0][0].refs == ("4:93",)


def test_marks_with_more_words_than_agree_are_not_exact(cite) -> None:
    [(citation, _)] = cite('قال: "واعتصموا بحبل الله جميعا ولا تختلفوا" ثم سكت')
    assert citation.refs == ("3:103",) and not citation.exact


def test_one_phrase_in_many_verses_is_undecided_with_candidates(cite) -> None:
    [(citation, _)] = cite("قال الله تعالى: {يا أيها الذين آمنوا} ثم سكت")
    assert citation.refs == () and citation.words is None
    assert len(citation.candidates) == 89 and "2:104" in citation.candidates


def test_what_the_passage_cites_decides(cite) -> None:
    text = "قال الله تعالى: ﴿ولا تقتلوا أولادكم خشية إملاق﴾ وقال: ﴿ولا تقتلوا النفس التي حرم الله إلا بالحق﴾"
    assert [citation.refs for citation, _ in cite(text)] == [("17:31",), ("17:33",)]


@pytest.mark.parametrize("note", ["[الأنعام: 151]", "(الأنعام: من الآية151)", "6: 151", "6 الأنعام 151"])
def test_a_reference_beside_the_words_decides(cite, note: str) -> None:
    [(citation, surface)] = cite(f"قال تعالى: ولا تقتلوا النفس التي حرم الله إلا بالحق {note}")
    assert citation.refs == ("6:151",)
    assert surface == "ولا تقتلوا النفس التي حرم الله إلا بالحق"


def test_explanations_between_the_pieces_of_a_verse_are_left_out(cite) -> None:
    text = "قوله تعالى: يخادعون الله والذين آمنوا وما يخدعون إلا أنفسهم: أي يظنون، وما يشعرون: أي لا يعلمون"
    assert [surface for _, surface in cite(text)] == ["يخادعون الله والذين آمنوا وما يخدعون إلا أنفسهم", "وما يشعرون"]


@pytest.mark.parametrize(
    "text, surfaces",
    [
        ("فليقرأ إذا الشمس كورت وإذا السماء انفطرت وإذا السماء انشقت", "إذا الشمس كورت"),
        ("فمن لم يجد هديا فصيام ثلاثة أيام في الحج وسبعة إذا رجع إلى أهله", "ثلاثة أيام في الحج وسبعة"),
    ],
)
def test_a_particle_with_which_the_next_sentence_begins_is_the_authors(cite, text: str, surfaces: str) -> None:
    assert cite(text)[0][1].endswith(surfaces)


def test_the_tahlil_is_no_citation(cite) -> None:
    assert cite("لا إله إلا الله وحده لا شريك له له الملك وله الحمد يحيي ويميت وهو على كل شيء قدير عشر مرات") == []
