"""Plays the last legal move, and none if less time is left than RESERVE seconds.

    student.py RESERVE returns-nothing|raises|thread
"""

import json
import sys
import threading
import time

RESERVE = float(sys.argv[1])
MANNER = sys.argv[2]


def search(moves, time_limit):
    if time_limit <= RESERVE:
        if MANNER == "raises":
            raise RuntimeError("no time for a search")
        return None
    time.sleep(0.001)
    return moves[-1]


def choose(moves, time_limit):
    if MANNER != "thread":
        return search(moves, time_limit)
    found = []
    worker = threading.Thread(target=lambda: found.append(search(moves, time_limit)), daemon=True)
    worker.start()
    worker.join(max(0, time_limit - RESERVE))
    return found[0] if found else None


for line in sys.stdin:
    request = json.loads(line)
    clock = request["clock"]
    time_limit = clock.get("left_ms", clock["move_ms"]) / 1000
    reply = {"id": request["id"], "move": choose(request["moves"], time_limit)}
    print(json.dumps(reply), flush=True)
