"""Plays the column nearest to the centre. Speaks JSON lines: one request per line in, one reply per line out."""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    columns = [int(move) for move in request["moves"]]
    best = min(columns, key=lambda column: abs(column - 4))
    print(json.dumps({"id": request["id"], "move": str(best)}), flush=True)
