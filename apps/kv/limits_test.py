#!/usr/bin/env python3
"""Promise: nothing that clients do ends the server or takes more memory than it may: replies that are not read, requests
that are not finished, and what a web page can send. And the server ends at once when it is asked to.

    limits_test.py COMMAND...     starts the server with a port that is free, and talks to it by plain sockets
"""
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

from kv_test import SECONDS, Client, equal, request

LARGE = b"x" * (1 << 20)
CLIENT_BYTES = 96 << 20


class Server:
    def __init__(self, command, *options, address_space=None):
        def limit():
            if address_space is not None:
                resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))

        self.process = subprocess.Popen([*command, "--port", "0", *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, preexec_fn=limit)
        line = self.process.stdout.readline()
        assert " listen on 127.0.0.1:" in line, line or self.process.stderr.read()
        self.port = int(line.rsplit(":", 1)[1])
        self.told = []
        self.listens = threading.Thread(target=lambda: self.told.extend(self.process.stderr), daemon=True)
        self.listens.start()

    def memory(self, what="VmRSS"):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith(what))

    def end(self):
        """Ends within a second, which a loaded machine may make longer, with 0."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        equal(self.process.wait(SECONDS), 0)
        self.listens.join()
        return time.monotonic() - began

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()


def fill(port):
    """Values that lie on all PEs."""
    c = Client(port)
    for i in range(6):
        equal(c.ask("SET", f"large{i}", LARGE), b"+OK")


def many_large_replies(command):
    """Clients that ask for far more than they may make the server hold get it all if they read, and harm nobody if they
    do not."""
    with Server(command, "--client-bytes", str(CLIENT_BYTES)) as server:
        fill(server.port)
        before = server.memory()
        asked = b"".join(request("GET", f"large{i % 6}") for i in range(256))
        deaf = []
        for _ in range(24):
            deaf.append(Client(server.port))
            deaf[-1].socket.sendall(asked)
        reading = [Client(server.port) for _ in range(4)]
        for c in reading:
            c.socket.sendall(b"".join(request("GET", f"large{i % 6}") for i in range(24)))
        for _ in range(24):
            for c in reading:
                equal(c.reply(), LARGE)
        grown = server.memory("VmHWM") - before
        assert grown < CLIENT_BYTES, f"it has grown by {grown}"
        equal(reading[0].ask("PING"), b"+PONG")
        assert server.end() < SECONDS / 4  # it took as long as they did not read, and gigabytes


def replies_of_what_was_replaced(command):
    """A value that waits to be read keeps its bytes, which count as stored."""
    with Server(command, "--store-bytes", str(8 << 20)) as server:
        deaf, other = Client(server.port), Client(server.port)
        said = [other.ask("SET", "k", LARGE)]
        deaf.socket.sendall(request("GET", "k") * 20)
        for i in range(20):
            said.append(other.ask("SET", "k", b"%d" % (i % 10) * (1 << 20)))
        assert set(said) <= {b"+OK", b"-OOM command not allowed when used memory > 'maxmemory'."}, set(said)
        for _ in range(20):
            equal(len(deaf.reply()), 1 << 20)
        equal(other.ask("SET", "k", LARGE), b"+OK")
        server.end()


def unfinished_requests(command):
    """More than there is room for: the worst are cut, who behaves is served, and memory stays within."""
    with Server(command, "--client-bytes", str(CLIENT_BYTES)) as server:
        before = server.memory()
        hostile = []
        for _ in range(24):
            c = Client(server.port)
            c.socket.setblocking(False)
            hostile.append([c, b"*17\r\n$3\r\nDEL\r\n" + (b"$%d\r\n%s\r\n" % (len(LARGE), LARGE)) * 15 + b"$9\r\n"])
        good = Client(server.port)
        until = time.monotonic() + SECONDS
        cut, answered = 0, 0
        while cut < 4 or answered < 20:
            assert time.monotonic() < until, f"{cut} were cut, {answered} answers"
            for one in hostile:
                try:
                    one[1] = one[1][one[0].socket.send(one[1]):] if one[1] else b""
                except BlockingIOError:
                    pass
                except (BrokenPipeError, ConnectionResetError):
                    cut += 1
                    one[1] = b""
            equal(good.ask("SET", "key", b"y" * 100_000), b"+OK")
            equal(len(good.ask("GET", "key")), 100_000)
            answered += 1
        grown = server.memory("VmHWM") - before
        assert grown < 1.5 * CLIENT_BYTES, f"it has grown by {grown}"
        server.end()
        assert any("connections so far, which held more than --client-bytes" in line for line in server.told), server.told


def little_memory(command):
    """What it may use by default follows the limits of its process."""
    with Server(command, address_space=1_500_000_000) as server:
        held = []
        for _ in range(15):
            c = Client(server.port)
            c.socket.settimeout(0.05)
            held.append(c)
            try:
                c.socket.sendall(b"*17\r\n$3\r\nDEL\r\n" + (b"$%d\r\n%s\r\n" % (len(LARGE), LARGE)) * 15)
            except (OSError, socket.timeout):
                pass  # it is held back, or was cut
        equal(Client(server.port).ask("PING"), b"+PONG")
        server.end()


def from_a_web_page(command):
    for first in (b"POST / HTTP/1.1\r\nHost: x\r\n", b"GET / HTTP/1.1\r\nhost: x\r\n", request("post", "/"), b"Host: x\r\n"):
        with Server(command) as server:
            other = Client(server.port)
            equal(other.ask("SET", "kept", 1), b"+OK")
            c = Client(server.port)
            c.socket.sendall(request("PING") + first + b"\r\nDEL kept\r\nSHUTDOWN\r\n")
            equal(c.reply(), b"+PONG")
            if first.startswith(b"GET"):
                assert c.reply().startswith(b"-ERR wrong number of arguments")
            assert c.ended()
            equal(other.ask("GET", "kept"), b"1")
            server.end()
            equal(len([line for line in server.told if "it may be an attack from a web page" in line]), 1)


def replies_before_the_end(command):
    with Server(command) as server:
        c = Client(server.port)
        c.socket.sendall(b"".join(request("SET", f"key{i}", i) for i in range(500)) + request("SHUTDOWN"))
        equal([c.reply() for _ in range(500)], [b"+OK"] * 500)
        assert c.ended()
        equal(server.process.wait(SECONDS), 0)


def options(command):
    def refused(*words):
        done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=SECONDS)
        equal(done.returncode, 2)
        return done.stderr

    for name in ("--connections", "--store-bytes", "--client-bytes"):
        for value in ("99999999999999999999", "0", "-1", "1e30"):
            said = refused(name, value)
            assert re.match(rf"kv: {name}: .*\n$", said) and said.count("\n") == 1, said
    said = refused("--connections", "100000", "--client-bytes", "100000000")
    assert "--connections: expected at most " in said, said
    with Server(command, "--address", "localhost") as server:
        equal(Client(server.port).ask("PING"), b"+PONG")
        server.end()


def main(command):
    for part in (many_large_replies, replies_of_what_was_replaced, unfinished_requests, little_memory, from_a_web_page,
                 replies_before_the_end, options):
        began = time.monotonic()
        part(command)
        print(f"{part.__name__}: {time.monotonic() - began:.1f} s", flush=True)


main(sys.argv[1:])
