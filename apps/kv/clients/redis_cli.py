"""The calls of the table by redis-cli: REDIS_CLI HOST PORT PREFIX."""
import subprocess
import sys

CLI, HOST, PORT, P = sys.argv[1:5]


def cli(*words, text=None):
    ran = subprocess.run([CLI, "-h", HOST, "-p", PORT, *words], input=text, capture_output=True, text=True, timeout=60)
    if ran.returncode != 0:
        raise AssertionError(f"ended with {ran.returncode}: {ran.stderr.strip()}")
    return ran.stdout


def expect(found, wanted):
    if found != wanted:
        raise AssertionError(f"{found!r}, expected {wanted!r}")


def do_expire():
    expect(cli("expire", P + "b", "100"), "1\n")
    expect(0 < int(cli("-3", "ttl", P + "b")) <= 100, True)
    expect(cli("persist", P + "b") + cli("ttl", P + "b"), "1\n-1\n")


def do_mget():
    expect(cli("mset", P + "b", "x", P + "c", "y"), "OK\n")
    expect(cli("mget", P + "b", P + "none", P + "c"), "x\n\ny\n")


def do_pipeline():
    requests = "".join(f'SET {P}p{i} "a {i}"\r\n' for i in range(1000))
    expect(cli("--pipe", text=requests).splitlines()[-1], "errors: 0, replies: 1000")
    expect(cli("get", P + "p999"), "a 999\n")


def do_transaction():
    expect(cli("-3", text=f"MULTI\nSET {P}t 1\nINCR {P}t\nGET {P}none\nEXEC\n"), "OK\nQUEUED\nQUEUED\nQUEUED\nOK\n2\n\n")


def main():
    print("version", cli("--version").split()[1], sep="\t")
    calls = [("set", lambda: expect(cli("set", P + "a", "1"), "OK\n")),
             ("get", lambda: expect(cli("get", P + "a") + cli("-3", "get", P + "none"), "1\n\n")),
             ("incr", lambda: expect(cli("incr", P + "a") + cli("incrby", P + "a", "10") + cli("decr", P + "a"), "2\n12\n11\n")),
             ("mget", do_mget), ("expire", do_expire), ("pipeline", do_pipeline), ("transaction", do_transaction)]
    for name, call in calls:
        try:
            call()
            print(name, "ok", sep="\t")
        except Exception as e:  # whatever it is, the table shall say so
            print(name, f"{type(e).__name__}: {e}", sep="\t")
    said = cli("publish", "news", "x").strip()
    print("pub/sub", "refused" if said.startswith("ERR") else "was not refused", said, sep="\t")


main()
