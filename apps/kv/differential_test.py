#!/usr/bin/env python3
"""Promise: kv answers random requests as the protocol's own server does, byte for byte, in both versions of the protocol,
on any number of PEs. Not compared: what is told of the server itself (INFO, CLIENT LIST, COMMAND), what is refused here
(publish and subscribe, WATCH), and errors of commands that only one of them has.

    differential_test.py KV [--pes 1 3] [--requests N] [--seed S]

Without redis-server it ends with 77.
"""
import argparse
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

SECONDS = 60
KEYS = [f"k{i}" for i in range(8)]
VALUES = ["", "0", "1", "-1", "41", "01", "-0", "+1", " 1", "x", "9223372036854775807", "-9223372036854775808", "1.5",
          "1e3", "0.1", "inf", "a b", "\r\n", "\0\xff", "v" * 5000]
NUMBERS = ["0", "1", "-1", "7", "01", "x", "", "2147483648", "9223372036854775807", "-9223372036854775808", "1.5"]
AHEAD = ["1000", "100000", "2305843010", "9223372036854775", "9223372036854776", "9223372036854775807", "0", "-1", "x", "01"]
# Times of the clock that are long past, or far ahead: nothing has to hurry.
AT = ["1", "1000", "4102444800", "4102444801", "9223372036854775", "9223372036854776", "0", "-1", "x"]
AT_MS = ["1", "4102444800000", "4102444800001", "9223372036854775807", "0", "-1", "x"]
CONDITIONS = [[], [], [], ["NX"], ["XX"], ["GT"], ["LT"], ["XX", "GT"], ["NX", "GT"], ["GT", "LT"], ["what"]]
# Replies that differ by the time that passes between the two servers.
BY_THE_CLOCK = {"TTL": 60, "PTTL": 60_000, "EXPIRETIME": 60, "PEXPIRETIME": 60_000}


def set_options(r):
    words = []
    for _ in range(r.choice([0, 0, 1, 1, 2, 3])):
        words += r.choice([["NX"], ["XX"], ["GET"], ["KEEPTTL"], ["EX", r.choice(AHEAD)], ["PX", r.choice(AHEAD)],
                           ["EXAT", r.choice(AT)], ["PXAT", r.choice(AT_MS)], ["EX"], ["what"]])
    return words


def one_request(r):
    key, value, number = r.choice(KEYS), r.choice(VALUES), r.choice(NUMBERS)
    keys = [r.choice(KEYS) for _ in range(r.randint(1, 5))]
    words = r.choice([
        ["SET", key, value], ["SET", key, value, *set_options(r)], ["SET", key, value, *set_options(r)], ["GET", key],
        ["SETNX", key, value], ["SETEX", key, r.choice(AHEAD), value], ["PSETEX", key, r.choice(AHEAD), value],
        ["GETDEL", key], ["STRLEN", key], ["INCR", key], ["DECR", key], ["INCRBY", key, number], ["DECRBY", key, number],
        ["INCRBYFLOAT", key, r.choice(VALUES[:17])], ["EXPIRE", key, r.choice(AHEAD), *r.choice(CONDITIONS)],
        ["PEXPIRE", key, r.choice(AHEAD), *r.choice(CONDITIONS)], ["EXPIREAT", key, r.choice(AT), *r.choice(CONDITIONS)],
        ["PEXPIREAT", key, r.choice(AT_MS), *r.choice(CONDITIONS)], ["TTL", key], ["PTTL", key], ["EXPIRETIME", key],
        ["PEXPIRETIME", key], ["PERSIST", key], ["MGET", *keys], ["MSET", *[w for k in keys for w in (k, r.choice(VALUES))]],
        ["MSET", *keys], ["DEL", *keys], ["UNLINK", *keys], ["EXISTS", *keys], ["TOUCH", *keys], ["DBSIZE"], ["PING"],
        ["PING", value], ["ECHO", value], ["SELECT", r.choice(["0", "00", "-1", "x"])], ["UNWATCH"], ["MULTI"], ["EXEC"],
        ["EXEC"], ["DISCARD"], ["CLIENT", "GETNAME"], ["CLIENT", "SETNAME", r.choice(["me", "", "a b"])], ["RESET"],
        ["CLIENT", "NO-EVICT", r.choice(["on", "OFF", "x"])], ["CLIENT", "what"], ["CLIENT"], ["CLIENT", "SETNAME"],
        ["HELLO", r.choice(["4", "x", "01"])], ["HELLO", "2", "what"], ["AUTH", "x"], ["AUTH", "me", "x"],
        ["AUTH", "default", "x"], ["FLUSHALL"], ["nonsense"], ["Nonsense", number, "two\r\nlines", "y"], ["GET"], ["GET", key, key],
        ["set", key], ["CONFIG", "GET", "save"]])
    return [w.encode("latin-1") for w in words]


def as_request(words):
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)


def quoted(word, r):
    """As an inline command may have it."""
    if word and all(33 <= c < 127 and c not in b"\"'\\" for c in word) and r.random() < 0.5:
        return word
    return b'"' + b"".join(b"\\x%02x" % c if r.random() < 0.3 or not 32 <= c < 127 or c in b'"\\' else bytes([c]) for c in word) + b'"'


LINES = [b"", b"   ", b'SET k0 ""', b'SET k0 \'a\\\'b"\'', b'GET "k0', b"GET 'k0", b'GET "k0"x', b'SET k0 "\\x41\\n\\q"',
         b"\tGET\t k0 ", b'SET k0 a"b c"', b"SET k0 a'b'", b'SET k0 "\\x4"', b'"PING"']


class Client:
    """One connection, which is opened again when it has been closed."""

    def __init__(self, port):
        self.port = port
        self.socket = None

    def send(self, sent):
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), SECONDS)
            self.bytes = self.socket.makefile("rb")
        try:
            self.socket.sendall(sent)
        except (BrokenPipeError, ConnectionResetError):
            pass  # reply() finds it closed

    def reply(self):
        """Its bytes; none: the connection was closed."""
        try:
            line = self.bytes.readline()
        except ConnectionResetError:
            line = b""
        if not line:
            self.close()
            return b""
        kind, rest = line[:1], line[1:-2]
        if kind in b"$=" and rest != b"-1":
            return line + self.bytes.read(int(rest) + 2)
        if kind in b"*%" and rest != b"-1":
            return line + b"".join(self.reply() for _ in range(int(rest) * (2 if kind == b"%" else 1)))
        return line

    def close(self):
        self.socket.close()
        self.socket = None


def near(request, found, wanted):
    """Equal, but for what the time that passes may change."""
    if found == wanted:
        return True
    most = BY_THE_CLOCK.get(request[0].decode("latin-1").upper())
    if not most or not found.startswith(b":") or not wanted.startswith(b":"):
        return False
    a, b = int(found[1:]), int(wanted[1:])
    return min(a, b) > 0 and abs(a - b) <= most


def near_all(queued, found, wanted):
    """Replies to EXEC, one by one."""
    if found == wanted:
        return True
    if len(found) < 3 or found[:2] != wanted[:2]:
        return False
    found_lines, wanted_lines = found.split(b"\r\n"), wanted.split(b"\r\n")
    times = [q for q in queued if q[0].decode("latin-1").upper() in BY_THE_CLOCK]
    if len(found_lines) != len(wanted_lines) or not times:
        return False
    return all(a == b or near([b"PTTL"], a, b) for a, b in zip(found_lines, wanted_lines))


class Comparison:
    def __init__(self, real, ours, seed):
        self.random = random.Random(seed)
        self.clients = [Client(real), Client(ours)]
        self.history = []
        self.queued = None  # since MULTI

    def ask(self, sent, request):
        self.history.append(sent)
        replies = []
        for client in self.clients:
            client.send(sent)
            replies.append(client.reply())
        wanted, found = replies
        name = request[0].upper() if request else b""
        same = near_all(self.queued, found, wanted) if name == b"EXEC" and self.queued is not None else near(request, found, wanted)
        if not same:
            shown = b"\n  ".join(h[:300] for h in self.history[-12:])
            sys.exit(f"expected {wanted[:500]!r}\nfound    {found[:500]!r}\nafter\n  {shown!r}")
        self.follow(name, request, found)

    def follow(self, name, request, reply):
        if reply == b"" or name in (b"EXEC", b"DISCARD", b"RESET"):
            self.queued = None
        elif name == b"MULTI" and reply == b"+OK\r\n":
            self.queued = []
        elif reply == b"+QUEUED\r\n":
            self.queued.append(request)

    def step(self):
        r = self.random
        if r.random() < 0.02 and self.queued is None:
            self.change_protocol(r.choice([b"2", b"3"]))
        elif r.random() < 0.05:
            self.line(r.choice(LINES))
        else:
            request = one_request(r)
            # Within a transaction these are refused here and queued there, to fail or not at EXEC.
            odd = request[0] == b"MSET" and len(request) % 2 == 0
            if self.queued is not None and (odd or request[0] in (b"CLIENT", b"HELLO", b"AUTH")):
                return
            # There, keys that are set with a time that is over count until somebody looks for them.
            if request[0] == b"DBSIZE":
                exists = [b"EXISTS", *[key.encode() for key in KEYS]]
                self.ask(as_request(exists), exists)
            # Lines are lines: a word may hold the end of one between quotes only.
            inline = r.random() < 0.1 and len(b"".join(request)) < 500
            self.ask(b" ".join(quoted(w, r) for w in request) + b"\r\n" if inline else as_request(request), request)

    def line(self, line):
        if line.strip():
            self.ask(line + b"\r\n", line.replace(b'"', b"").split())
            return
        # It has no reply.
        self.ask(line + b"\r\n" + as_request([b"PING", b"x"]), [b"PING", b"x"])

    def change_protocol(self, version):
        replies = []
        for client in self.clients:
            client.send(as_request([b"HELLO", version]))
            replies.append(client.reply())
        # Both may have closed the connection, for what was said before.
        if replies != [b"", b""]:
            assert all(b"redis" in reply and b"standalone" in reply for reply in replies), replies


def start_real(folder):
    server = shutil.which("redis-server")
    if not server:
        print("there is no redis-server to compare with")
        sys.exit(77)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([server, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                                "--databases", "1", "--dir", folder], stdout=subprocess.DEVNULL)
    end = time.monotonic() + SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), SECONDS).close()
            return process, port
        except ConnectionRefusedError:
            assert time.monotonic() < end and process.poll() is None, "redis-server does not start"
            time.sleep(0.05)


def start_ours(kv, pes):
    process = subprocess.Popen([kv, f"--tsubu-pes={pes}", "--port", "0"], stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    assert " listen on 127.0.0.1:" in line, line
    return process, int(line.rsplit(":", 1)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kv", type=pathlib.Path)
    parser.add_argument("--pes", type=int, nargs="+", default=[1, 3])
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    asked = parser.parse_args()
    for pes in asked.pes:
        print(f"{pes} PEs: {asked.requests} requests, --seed {asked.seed}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            real, real_port = start_real(folder)
            ours, our_port = start_ours(asked.kv, pes)
            try:
                comparison = Comparison(real_port, our_port, asked.seed)
                for _ in range(asked.requests):
                    comparison.step()
            finally:
                real.terminate()
                ours.terminate()
                real.wait(SECONDS)
                ended = ours.wait(SECONDS)
            assert ended == 0, f"kv has ended with {ended}"


main()
