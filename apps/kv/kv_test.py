#!/usr/bin/env python3
"""Promise: the server answers as Redis does, in the order of each connection's requests, wherever the keys live; what is
no request is refused within its limits; and it ends with 0 when it is asked to.

    kv_test.py COMMAND...     starts the server with a port that is free, and talks to it by plain sockets
"""
import signal
import socket
import subprocess
import sys
import time

SECONDS = 60  # after which anything is held for stuck


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self.bytes = self.socket.makefile("rb")

    def send(self, *words):
        self.socket.sendall(request(*words))

    def reply(self):
        line = self.bytes.readline()
        if not line:
            return None
        kind, rest = line[:1], line[1:-2]
        assert line.endswith(b"\r\n"), line
        if kind == b"$":
            return None if rest == b"-1" else self.bytes.read(int(rest) + 2)[:-2]
        if kind == b"_":
            return None
        if kind == b"=":
            return self.bytes.read(int(rest) + 2)[4:-2]
        if kind in b"*%":
            return [self.reply() for _ in range(int(rest) * (2 if kind == b"%" else 1))]
        return int(rest) if kind == b":" else line[:-2]

    def ask(self, *words):
        self.send(*words)
        return self.reply()

    def ended(self):
        """Closed from there, and nothing more has come."""
        try:
            return self.bytes.read(1) == b""
        except ConnectionResetError:
            return True


def request(*words):
    words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)


def equal(found, wanted):
    assert found == wanted, f"{found!r}, expected {wanted!r}"


def commands(port):
    c = Client(port)
    equal(c.ask("PING"), b"+PONG")
    equal(c.ask("ping", "x\r\ny"), b"x\r\ny")
    equal(c.ask("ECHO", b"\0\xff"), b"\0\xff")
    equal(c.ask("SELECT", 0), b"+OK")
    equal(c.ask("CONFIG", "GET", "save"), [b"save", b""])
    equal(c.ask("COMMAND", "DOCS"), [])
    for i in range(100):
        equal(c.ask("SET", f"key{i}", i), b"+OK")
    for i in range(100):
        equal(c.ask("GET", f"key{i}"), b"%d" % i)
    equal(c.ask("DBSIZE"), 100)
    equal(c.ask("MGET", "key3", "nokey", "key99"), [b"3", None, b"99"])
    equal(c.ask("EXISTS", "key1", "key1", "key2", "nokey"), 3)
    equal(c.ask("DEL", "key1", "key2", "nokey"), 2)
    equal(c.ask("INCR", "key3"), 4)
    equal(c.ask("INCR", "new"), 1)
    equal(c.ask("SET", "key3", "x", "NX"), None)
    equal(c.ask("SET", "gone", "x", "PX", 1), b"+OK")
    while c.ask("GET", "gone") is not None:
        pass
    equal(c.ask("DEL", "gone"), 0)
    equal(c.ask("nonsense", "x"), b"-ERR unknown command 'nonsense', with args beginning with: 'x' ")
    equal(c.ask("GET"), b"-ERR wrong number of arguments for 'get' command")
    assert b"kv has no publish and subscribe" in c.ask("SUBSCRIBE", "news")
    assert b"WATCH is not supported" in c.ask("WATCH", "key3")
    large = bytes(i * 7 % 256 for i in range(1 << 20))
    equal(c.ask("SET", "large", large), b"+OK")
    equal(c.ask("GET", "large"), large)
    equal(c.ask("FLUSHALL"), b"+OK")
    equal(c.ask("DBSIZE"), 0)
    c.socket.sendall(b"SET inline 5\r\nGET inline\r\nSET inline \"\"\r\nGET inline\r\n")
    equal([c.reply() for _ in range(4)], [b"+OK", b"5", b"+OK", b""])
    equal(c.ask("SET", "inline", "01"), b"+OK")
    equal(c.ask("INCR", "inline"), b"-ERR value is not an integer or out of range")
    equal(c.ask("QUIT"), b"+OK")
    assert c.ended()


def order(port):
    """Requests that are sent before any is answered are answered in turn, in whatever pieces they come."""
    c = Client(port)
    wanted, sent = [], b""
    for i in range(3000):
        key = f"order{i * 7919 % 500}"
        sent += request("SET", key, i) + request("GET", key) + request("PING", i)
        wanted += [b"+OK", b"%d" % i, b"%d" % i]
        if i % 50 == 0:
            sent += request("MGET", key, "nokey", key) + request("EXISTS", key) + request("BAD")
            wanted += [[b"%d" % i, None, b"%d" % i], 1, b"-ERR unknown command 'BAD', with args beginning with: "]
    for at in range(0, len(sent), 4099):
        c.socket.sendall(sent[at : at + 4099])
    for one in wanted:
        equal(c.reply(), one)
    equal(c.ask("FLUSHALL"), b"+OK")
    # A request to all PEs is not overtaken by those behind it, on whichever PE their keys are.
    keys = [f"behind{i}" for i in range(20)]
    c.socket.sendall(request("FLUSHALL") + b"".join(request("SET", key, 1) for key in keys) + request("DBSIZE"))
    equal([c.reply() for _ in range(22)], [b"+OK"] * 21 + [20])
    c.socket.sendall(b"".join(request("SET", f"more{i}", 1) + request("DBSIZE") for i in range(10)))
    equal([c.reply() for _ in range(20)][1::2], list(range(21, 31)))
    equal(c.ask("FLUSHALL"), b"+OK")


def crowd(port):
    """Many connections; one that asks for much and does not read holds up nobody."""
    idle = [Client(port) for _ in range(200)]
    busy = [Client(port) for _ in range(20)]
    large = b"x" * (1 << 20)
    greedy = Client(port)
    equal(greedy.ask("SET", "large", large), b"+OK")
    for _ in range(100):
        greedy.send("GET", "large")
    for i in range(50):
        for c in busy:
            c.send("INCR", "crowd")
        equal(sorted(c.reply() for c in busy), list(range(i * 20 + 1, i * 20 + 21)))
    for _ in range(100):
        equal(greedy.reply(), large)
    for c in idle:
        equal(c.ask("GET", "crowd"), b"1000")
    equal(idle[0].ask("FLUSHALL"), b"+OK")


def introductions(port):
    """What libraries say first, in both versions of the protocol; names are known on all PEs."""
    clients = [Client(port) for _ in range(12)]
    ids = [c.ask("CLIENT", "ID") for c in clients]
    equal(len(set(ids)), len(ids))
    for i, c in enumerate(clients):
        said = c.ask("HELLO", 2 + i % 2, "SETNAME", f"name{i}")
        equal(dict(zip(said[::2], said[1::2]))[b"proto"], 2 + i % 2)
        equal(c.ask("CLIENT", "SETINFO", "LIB-NAME", "kv_test"), b"+OK")
        equal(c.ask("GET", "nokey"), None)
    for c in clients[:2]:
        lines = c.ask("CLIENT", "LIST").decode().splitlines()
        names = [word[5:] for line in lines for word in line.split() if word.startswith("name=name")]
        equal(sorted(names), sorted(f"name{i}" for i in range(12)))
        assert c.ask("SET", "told", 1, "EX", 2305843010) == b"+OK"
        facts = dict(line.split(":") for line in c.ask("INFO").decode().split("\r\n") if ":" in line)
        equal([facts["role"], facts["loading"], facts["db0"].split(",")[:2]], ["master", "0", ["keys=1", "expires=1"]])
        assert int(facts["connected_clients"]) >= 12
        equal(c.ask("COMMAND", "COUNT"), len(c.ask("COMMAND")))
    equal(clients[1].ask("RESET"), b"+RESET")
    equal(clients[1].ask("CLIENT", "GETNAME"), None)
    equal(clients[0].ask("FLUSHALL"), b"+OK")


def times(port):
    """Keys go on whichever PE they are, and give back their room though nobody asks for them."""
    c = Client(port)
    keys = [f"time{i}" for i in range(50)]
    for key in keys:
        c.send("SET", key, "x")
        c.send("EXPIRE", key, 1000)
        c.send("TTL", key)
        c.send("PERSIST", key)
        c.send("PTTL", key)
    for _ in keys:
        equal([c.reply(), c.reply(), c.reply() in (999, 1000), c.reply(), c.reply()], [b"+OK", 1, True, 1, -1])
    for key in keys:
        c.send("PEXPIRE", key, 1)
    equal([c.reply() for _ in keys], [1] * 50)
    while c.ask("DBSIZE") != 0:
        pass
    equal(c.ask("SET", "past", 1, "PXAT", 1), b"+OK")
    equal(c.ask("GET", "past"), None)


def transactions(port):
    """Over all PEs, and isolated: what clients move from one key to another is never seen on the way."""
    c = Client(port)
    keys = [f"account{i}" for i in range(10)]
    equal(c.ask("EXEC"), b"-ERR EXEC without MULTI")
    equal(c.ask("MSET", *[word for key in keys for word in (key, 100)]), b"+OK")
    equal([c.ask("MULTI"), c.ask("GET"), c.ask("EXEC")][::2],
          [b"+OK", b"-EXECABORT Transaction discarded because of previous errors."])
    c.socket.sendall(request("SET", keys[0], 99) + request("MULTI") + request("INCR", keys[0]) + request("MGET", *keys) +
                     request("EXISTS", *keys) + request("DBSIZE") + request("EXEC") + request("GET", keys[0]))
    equal([c.reply() for _ in range(8)], [b"+OK", b"+OK"] + [b"+QUEUED"] * 4 + [[100, [b"100"] * 10, 10, 10], b"100"])
    movers, watchers = [Client(port) for _ in range(6)], [Client(port) for _ in range(6)]
    for round in range(40):
        for i, mover in enumerate(movers):
            a, b = keys[(round + i) % 10], keys[(round * 3 + i * 7 + 1) % 10]
            mover.socket.sendall(request("MULTI") + request("DECRBY", a, 7) + request("INCRBY", b, 7) + request("EXEC"))
        for watcher in watchers:
            watcher.socket.sendall(request("MULTI") + request("MGET", *keys) + request("EXEC"))
        for mover in movers:
            equal([mover.reply() for _ in range(3)], [b"+OK", b"+QUEUED", b"+QUEUED"])
            mover.reply()
        for watcher in watchers:
            watcher.reply(), watcher.reply()
            equal(sum(int(value) for value in watcher.reply()[0]), 1000)
    equal(c.ask("FLUSHALL"), b"+OK")


def strangers(port):
    for bad, said in ((b"*1\r\n$9999999999\r\n", b"-ERR Protocol error: invalid bulk length"),
                      (b"*100000000\r\n", b"-ERR Protocol error: invalid multibulk length"),
                      (b"*1\r\nGET\r\n", b"-ERR Protocol error: expected '$', got 'G'"),
                      (b'SET q "abc\r\n', b"-ERR Protocol error: unbalanced quotes in request"),
                      (b"x" * 70000, b"-ERR Protocol error: too big inline request")):
        c = Client(port)
        c.socket.sendall(bad)
        equal(c.reply(), said)
        assert c.ended()
    for cut in range(1, 30):
        Client(port).socket.sendall(request("SET", "half", "a value")[:cut])
    c = Client(port)
    c.send("GET", "x")
    c.socket.shutdown(socket.SHUT_WR)
    equal(c.reply(), None)
    assert c.ended()


def start(command):
    server = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    assert " listen on 127.0.0.1:" in line, line
    return server, int(line.rsplit(":", 1)[1])


def main(command):
    server, port = start(command)
    try:
        commands(port)
        order(port)
        crowd(port)
        introductions(port)
        times(port)
        transactions(port)
        strangers(port)
        waits = Client(port)
        Client(port).send("SHUTDOWN")
        assert waits.ended()
        equal(server.wait(SECONDS), 0)
        if "mpirun" not in command[0]:  # which would end the job itself
            server, port = start(command)
            waits = Client(port)
            equal(waits.ask("PING"), b"+PONG")
            server.send_signal(signal.SIGTERM)
            assert waits.ended()
            equal(server.wait(SECONDS), 0)
    finally:
        server.kill()


if __name__ == "__main__":
    main(sys.argv[1:])
