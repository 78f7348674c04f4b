"""Lives told in prose: entries about nobody by name, ends of lists, words that look like bynames."""

from kg.extract.rijal import persons
from kg.extract.rijal_lives import read_life

HEAD = ["######OpenITI#\n", "#META# 000.BookURI :: 0676Nawawi.TahdhibAsma\n", "#META#Header#End#\n"]


def test_a_remark_on_a_passage_is_no_person() -> None:
    lines = [
        *HEAD,
        "### $ 1 قيس بن سعد بن عبادة الصحابي رضي الله عنه\n",
        "### $ 2 قوله في المهذب في صلاة العيد روي عن أبي برزة وأنس وهو خطأ\n",
        "### $ 3 الأعرابي الذي أحرم وعليه جبة وخلوق\n",
        "### $ 4 أختا عائشة اللتان أرادهما أبو بكر الصديق\n",
    ]
    assert [person.ism for person in persons(lines)] == ["قيس"]


def test_the_end_of_a_list_is_nobody() -> None:
    life = read_life(["طارق بن زيد التابعي روى عن عمر بن الخطاب وأنس وغيرهم روى عنه أيوب وقتادة وخلائق واتفقوا على توثيقه"])
    assert life.teachers == ("عمر بن الخطاب", "أنس") and life.students == ("أيوب", "قتادة")


def test_what_somebody_is_called_for_his_time_is_no_nisba() -> None:
    life = read_life(["طارق بن زيد مذكور في المهذب هو طارق بن زيد بن قيس الجوشني البصري التابعي"])
    assert life.nisba == ("الجوشني", "البصري") and life.nasab == ("زيد", "قيس")
