"""GNU Go with our rules: its command line, and its scores of finished games.

Both sides play with area scoring and positional superko. Our rules do not remove dead stones, so GNU Go is configured to
capture them before it passes. By default it leaves them on the board and loses games that it has won.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from typing import Any

from install import gnugo
from sides import Missing, last_line

# Options of our game; a size and optionally a komi come before them.
RULES = "superko=positional,cap=off"
ITS_RULES = ["--chinese-rules", "--positional-superko", "--never-resign"]
CAPTURE_DEAD = ["--capture-all-dead", "--play-out-aftermath"]
LEVEL = 10


def command() -> str:
    """Returns its player spec in a match."""
    return f"gtp:{' '.join([gnugo(), '--mode', 'gtp', '--level', str(LEVEL), *ITS_RULES, *CAPTURE_DEAD])}"


def version() -> str:
    output = subprocess.run([gnugo(), "--version"], capture_output=True, text=True).stdout
    return f"{last_line(output.splitlines()[0] if output else '')}, level {LEVEL}"


def final_score(record: str) -> str:
    """Returns its score of a finished game, such as `B+3.5`."""
    with tempfile.NamedTemporaryFile("w", suffix=".sgf") as file:
        file.write(record)
        file.flush()
        commands = f"loadsgf {file.name}\nfinal_score\nquit\n"
        done = subprocess.run([gnugo(), "--mode", "gtp", *ITS_RULES], input=commands,
                              capture_output=True, text=True)
    answers = [answer[1:].strip() for answer in done.stdout.split("\n\n") if answer.startswith("=")]
    if len(answers) < 2:
        raise Missing(f"GNU Go cannot read a record: {last_line(done.stderr)}")
    return answers[1]


def final_scores(records: str) -> dict[str, Any]:
    """Compares our scores with those of GNU Go, for all games of an SGF collection that were decided by the rules."""
    compared, differ, other_winner = 0, [], 0
    for number, record in enumerate(re.findall(r"\(;.*?\)\s*(?=\(;|\Z)", records, re.S)):
        ours = re.search(r"RE\[([^\]]*)\]", record).group(1)
        if not re.fullmatch(r"[BW]\+[0-9.]+|0", ours):
            continue  # decided by resignation, time or a fault
        theirs = final_score(record)
        compared += 1
        if ours != theirs:
            differ.append({"game": number, "ours": ours, "gnugo": theirs})
            other_winner += ours[0] != theirs[0]
    return {"compared": compared, "differ": differ, "other_winner": other_winner}
