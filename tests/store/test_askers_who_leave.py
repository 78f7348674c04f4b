"""Who goes away before the answer, as ``kg query … | head`` does."""

import socket
from pathlib import Path

from kg.store.forkserver import _answer_until_closed


def test_an_asker_who_has_gone_is_no_error(tmp_path: Path) -> None:
    worker, asker = socket.socketpair()
    asker.close()
    with worker:
        _answer_until_closed(worker, str(tmp_path / "no-store"), {"memory": 0, "bytes": 0}, False)
