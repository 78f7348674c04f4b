"""Ten thousand requests over three builds: none fails, none is mixed. Run with ``--soak``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "deploy"))

from swapping import add_version, point, read_over_swaps, served


def test_ten_thousand_requests_over_three_builds(tmp_path: Path) -> None:
    data = tmp_path / "kg-data"
    for number in range(4):
        add_version(data, number)
    point(data, "v0")
    with served(data, "--watch") as port:
        seen = read_over_swaps(data, port, 10_000, ["v1", "v2", "v3"])
    assert sum(seen.values()) == 10_000 and set(seen) == {"0", "1", "2", "3"}
