"""GNU Go, by our rules: how it is started, and what it thinks of finished games.

It plays by area scoring and positional superko, as our game is told to. Our rules take no stone off as dead, so it is told to
capture what is dead before it passes: by default it leaves that standing and so loses games that it has won.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from typing import Any

from install import gnugo
from sides import Missing, last_line

# Our side of the rules; a size and perhaps a komi come before it.
RULES = "superko=positional,cap=off"
ITS_RULES = ["--chinese-rules", "--positional-superko", "--never-resign"]
CAPTURE_DEAD = ["--capture-all-dead", "--play-out-aftermath"]
LEVEL = 10


def command() -> str:
    """How it takes part in a match."""
    return f"gtp:{' '.join([gnugo(), '--mode', 'gtp', '--level', str(LEVEL), *ITS_RULES, *CAPTURE_DEAD])}"


def version() -> str:
    told = subprocess.run([gnugo(), "--version"], capture_output=True, text=True).stdout
    return f"{last_line(told.splitlines()[0] if told else '')}, level {LEVEL}"


def final_score(record: str) -> str:
    """What it thinks of a finished game, such as `B+3.5`."""
    with tempfile.NamedTemporaryFile("w", suffix=".sgf") as file:
        file.write(record)
        file.flush()
        commands = f"loadsgf {file.name}\nfinal_score\nquit\n"
        told = subprocess.run([gnugo(), "--mode", "gtp", *ITS_RULES], input=commands,
                              capture_output=True, text=True)
    answers = [answer[1:].strip() for answer in told.stdout.split("\n\n") if answer.startswith("=")]
    if len(answers) < 2:
        raise Missing(f"GNU Go cannot read a record: {last_line(told.stderr)}")
    return answers[1]


def final_scores(records: str) -> dict[str, Any]:
    """Reads every game of an SGF collection that was decided on the board into GNU Go and compares the scores."""
    compared, differ, other_winner = 0, [], 0
    for number, record in enumerate(re.findall(r"\(;.*?\)\s*(?=\(;|\Z)", records, re.S)):
        ours = re.search(r"RE\[([^\]]*)\]", record).group(1)
        if not re.fullmatch(r"[BW]\+[0-9.]+|0", ours):
            continue  # given up, or lost otherwise than on the board
        theirs = final_score(record)
        compared += 1
        if ours != theirs:
            differ.append({"game": number, "ours": ours, "gnugo": theirs})
            other_winner += ours[0] != theirs[0]
    return {"compared": compared, "differ": differ, "other_winner": other_winner}
