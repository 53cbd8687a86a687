"""Passes everything on to our own Go engine, but for one fault."""

import subprocess, sys
fault = sys.argv[1]
pipe = subprocess.PIPE
engine = subprocess.Popen(["tussle", "gtp", "--agent", "random"], stdin=pipe, stdout=pipe, text=True)
for line in sys.stdin:
    words = line.split("#")[0].split()
    if not words:
        continue
    number = words.pop(0) if words[0].isdigit() else ""
    if fault == "undo" and words == ["undo"]:
        words = ["name"]
    engine.stdin.write(" ".join(words) + "\n")
    engine.stdin.flush()
    answer = []
    while True:
        got = engine.stdout.readline().rstrip("\n")
        if not got:
            break
        answer.append(got)
    if fault == "ids":
        number = ""
    if fault == "lenient" and words[0] == "play" and answer[0][0] == "?":
        answer = ["="]
    if fault == "short":
        answer = [part for part in answer if part != "komi"]
    if fault == "score" and words == ["final_score"]:
        answer = ["= B+1"]
    if fault == "moves" and words[0] == "genmove":
        answer = ["= Z99"]
    if fault == "chatter":
        print("thinking about", words[0])
    answer[0] = answer[0][0] + number + answer[0][1:]
    print("\n".join(answer) + "\n", flush=True)
    if words == ["quit"] and fault != "stays":
        break
