"""Those calls of the table that memtier_benchmark has: MEMTIER HOST PORT PREFIX. Rates mean nothing here."""
import subprocess
import sys

MEMTIER, HOST, PORT = sys.argv[1:4]


def measure(*words):
    ran = subprocess.run([MEMTIER, "-s", HOST, "-p", PORT, "-t", "1", "-c", "5", "-n", "500", "--hide-histogram", *words],
                         capture_output=True, text=True, timeout=60)
    said = ran.stdout + ran.stderr
    if ran.returncode != 0 or "error" in said.lower():
        return f"ended with {ran.returncode}: " + " ".join(said.split())[-300:]
    return "ok"


def main():
    version = subprocess.run([MEMTIER, "--version"], capture_output=True, text=True, timeout=60).stdout
    print("version", version.split()[1], sep="\t")
    print("set", measure("--ratio=1:0"), sep="\t")
    print("get", measure("--ratio=0:1"), sep="\t")
    print("incr", measure("--command=incr __key__"), sep="\t")
    print("mget", measure("--command=mget __key__ __key__"), sep="\t")
    print("expire", measure("--command=expire __key__ 100"), sep="\t")
    print("pipeline", measure("--pipeline=16", "--ratio=1:1"), sep="\t")
    print("transaction", "-", sep="\t")
    print("pub/sub", "-", sep="\t")


main()
