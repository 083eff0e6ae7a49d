"""An engine that misbehaves in the way of its first argument. It knows one opening action."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

FIRST = "Pne"


def main(manner: str) -> None:
    if manner == "deaf":
        time.sleep(3600)
    if manner == "dead":
        sys.exit("no such file: weights")
    # A shell script that starts the real engine and then waits for it, say.
    if manner == "parent":
        subprocess.run([sys.executable, __file__, "stubborn"], check=False)
        return
    name = "Rogue"
    # In the background, in a session of its own, with the pipes that it has inherited.
    if manner == "haunted":
        name = str(subprocess.Popen(["sleep", "3600"], start_new_session=True).pid)
    if manner == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        word = line.split()[0]
        if word == "ugi":
            print(f"id name {name}", "option name Depth type spin default 1 min 1 max 9", sep="\n")
            if manner == "other":
                print("option name Game type combo default chess var chess var go")
            print("ugiok", flush=True)
        elif word == "isready":
            print("readyok", flush=True)
        elif word == "go":
            answer(manner)
        elif word == "quit" and manner != "stubborn":
            return
    while manner in ("stubborn", "silent"):
        time.sleep(1)


def answer(manner: str) -> None:
    if manner == "crash":
        raise ZeroDivisionError("a bug")
    if manner == "killed":
        signal.raise_signal(signal.SIGKILL)
    if manner in ("silent", "stubborn"):
        return
    if manner == "late":
        time.sleep(1.0)
    if manner == "chatter":
        for number in range(100_000):
            print(f"info string {number}")
    if manner == "long":
        print("x" * 3_000_000)
    print("info depth 3 nodes 12 score shares 0.25 0.75 pv", FIRST, "Pw")
    print("info nodes many score cp 12 pv")
    words = {"cheat": "bestmove Pe", "none": "bestmove", "twice": f"bestmove {FIRST}\nbestmove Pe"}
    print(words.get(manner, f"bestmove {FIRST} ponder Pw"), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
