"""How far two annotators of our own gold agree, and each with what was made of both.

python bench/agreement.py               every gold that was read twice
python bench/agreement.py events        one of them
"""

import json
import sys
from pathlib import Path

from kg.evaluate.agreement import agreement

GOLD = Path(__file__).parent / "gold"


def main() -> None:
    tasks = sys.argv[1:] or sorted(path.name.partition(".")[0] for path in (GOLD / "passes").glob("*.second.jsonl"))
    for task in tasks:
        print(task, json.dumps(agreement(GOLD / f"{task}.jsonl"), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
