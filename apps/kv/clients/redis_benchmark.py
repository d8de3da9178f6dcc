"""Those calls of the table that redis-benchmark has: REDIS_BENCHMARK HOST PORT PREFIX. Rates mean nothing here."""
import re
import subprocess
import sys

BENCHMARK, HOST, PORT = sys.argv[1:4]


def measure(*words):
    ran = subprocess.run([BENCHMARK, "-h", HOST, "-p", PORT, "-c", "10", "-n", "2000", "-r", "1000", "--csv", *words],
                         capture_output=True, text=True, timeout=60)
    said = (ran.stdout + ran.stderr).strip()
    rates = re.findall(r'^"[^"]+","[\d.]+"', ran.stdout, re.M)
    if ran.returncode != 0 or not rates or re.search("error|warning", said, re.I):
        return f"ended with {ran.returncode}: " + " ".join(said.split())[-300:]
    return "ok"


def main():
    version = subprocess.run([BENCHMARK, "--version"], capture_output=True, text=True, timeout=60).stdout
    print("version", version.split()[1], sep="\t")
    print("set", measure("-t", "set"), sep="\t")
    print("get", measure("-t", "get"), sep="\t")
    print("incr", measure("-3", "-t", "incr"), sep="\t")
    print("mget", measure("mget", "key:__rand_int__", "key:__rand_int__"), sep="\t")
    print("expire", measure("expire", "key:__rand_int__", "100"), sep="\t")
    print("pipeline", measure("-P", "16", "-t", "set,get,mset,ping"), sep="\t")
    print("transaction", "-", sep="\t")
    print("pub/sub", "-", sep="\t")


main()
