"""Places of hadith and sira: ``places.tsv`` read into ``Place`` entries."""

from pathlib import Path

from kg.authority.model import Place
from kg.tables import TableError, read_tsv

__all__ = ["PLACES_FILE", "read_places"]

PLACES_FILE = Path(__file__).parent / "places.tsv"


def read_places(path: Path = PLACES_FILE) -> dict[str, Place]:
    """The places by key; coordinates are WGS 84 degrees, None where no source is at hand.

    Raises:
        TableError: a key stands twice, or ``within`` names no place of the table.

    >>> read_places()["place/cave-of-thawr"].kind
    'cave'
    """
    places: dict[str, Place] = {}
    lines: dict[str, int] = {}
    for line, row in read_tsv(
        path, ("key", "kind", "name_ar", "name_en", "surfaces", "within", "latitude", "longitude", "source")
    ):
        if row["key"] in places:
            raise TableError(path, line, f"{row['key']} stands already in line {lines[row['key']]}: join the two rows")
        lines[row["key"]] = line
        places[row["key"]] = Place(
            key=row["key"],
            name_ar=row["name_ar"],
            name_en=row["name_en"],
            kind=row["kind"],
            surfaces=tuple(part for part in row["surfaces"].split("|") if part),
            latitude=float(row["latitude"]) if row["latitude"] else None,
            longitude=float(row["longitude"]) if row["longitude"] else None,
            within=row["within"] or None,
            source=row["source"],
        )
    for place in places.values():
        if place.within and place.within not in places:
            raise TableError(path, lines[place.key], f"{place.key} lies within {place.within}, which is no place of this table")
    return places
