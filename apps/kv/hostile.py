#!/usr/bin/env python3
"""Promise: whatever a crowd of hostile clients does, the server lives, its memory stays flat, and the clients beside them
that behave get every reply, right and soon.

    hostile.py [--seconds 600] [--hostile 1000] [--good 20] [--client-bytes N] COMMAND...

It starts the server COMMAND with a port that is free, on this machine only. The hostile ones run in a process of their
own, as many of each of ten kinds; who is thrown out comes again after a while. It prints the good ones' times and the
server's memory, and ends with 1 if anything was lost, came too late or grew.
"""
import argparse
import asyncio
import os
import random
import resource
import socket
import struct
import subprocess
import sys
import time

LARGE = 1 << 20           # bytes of a value that all hostile ones ask for
STUCK_SECONDS = 60        # a reply that takes longer is lost
ALLOWED_GROWTH = 64 << 20  # from the middle to the end, and a quarter of what it has
SETTLED_SECONDS = 300      # before which what clients may hold may still be filling up
HOST = "127.0.0.1"


def request(*words):
    words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)


# The hostile ones. Each takes what it does with a connection; when it returns, or the server ends it, it begins anew.

async def silent(reader, writer, rng):
    await reader.read()


async def slow(reader, writer, rng):
    """A byte of a request now and then."""
    for byte in request("SET", "hostile:slow", "x" * 1000):
        writer.write(bytes([byte]))
        await asyncio.sleep(rng.uniform(0.2, 2))


async def unfinished(reader, writer, rng):
    """All of a large request but its end."""
    writer.write(b"*17\r\n$3\r\nDEL\r\n")
    for _ in range(rng.randrange(1, 16)):
        writer.write(b"$%d\r\n" % LARGE + b"y" * LARGE + b"\r\n")
        await writer.drain()
    await reader.read()


async def greedy(reader, writer, rng):
    """Large values, asked for and not read."""
    writer.write(request("GET", "hostile:large") * 256)
    await asyncio.sleep(rng.uniform(5, 30))


async def deaf(reader, writer, rng):
    """Small requests without end, of which no reply is read."""
    for _ in range(200):
        writer.write(request("GET", f"hostile:{rng.randrange(100)}") * 100 + request("PING", "x" * 1000) * 20)
        await asyncio.wait_for(writer.drain(), rng.uniform(5, 30))


async def garbage(reader, writer, rng):
    for _ in range(50):
        writer.write(rng.randbytes(rng.randrange(1, 20_000)))
        await writer.drain()
        await asyncio.sleep(0.1)


async def liar(reader, writer, rng):
    """Lengths of what never comes, or that nobody may have."""
    writer.write(rng.choice([
        b"*65536\r\n" + b"$1\r\nx\r\n" * 60_000, b"*2\r\n$3\r\nGET\r\n$1048576\r\n", b"*1\r\n$-7\r\n", b"*99999999999\r\n",
        b"*3\r\n$9223372036854775807\r\n", b"*" + b"1" * 40, b"g" * 60_000, b"*65536\r\n" + b"$0\r\n\r\n" * 65_535]))
    await asyncio.wait_for(reader.read(), rng.uniform(5, 30))


async def resetting(reader, writer, rng):
    """Asks, and is gone without a farewell."""
    writer.write((request("GET", "hostile:large") + request("SET", "hostile:reset", "x" * 50_000)) * rng.randrange(1, 20))
    await asyncio.sleep(rng.uniform(0, 0.2))
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def web_page(reader, writer, rng):
    body = request("FLUSHALL") + b"FLUSHALL\r\nSHUTDOWN\r\n"
    writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    await asyncio.wait_for(reader.read(), 30)


async def many_words(reader, writer, rng):
    """Requests for many keys, whose replies are read a little at a time."""
    keys = ["hostile:large"] * 200 + [f"hostile:{i}" for i in range(20_000)]
    writer.write(request("MGET", *keys) + request("DEL", *[f"hostile:none{i}" for i in range(20_000)]))
    for _ in range(rng.randrange(5, 60)):
        if not await reader.read(1000):
            return
        await asyncio.sleep(0.5)


KINDS = (silent, slow, unfinished, greedy, deaf, garbage, liar, resetting, web_page, many_words)


async def hostile_for_ever(port, kind, seed):
    rng = random.Random(seed)
    while True:
        try:
            reader, writer = await asyncio.open_connection(HOST, port, limit=4096)
            try:
                await kind(reader, writer, rng)
            finally:
                writer.transport.abort()
        except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError):
            pass  # thrown out, which is what it deserves
        await asyncio.sleep(rng.uniform(1, 5))


async def hostile_crowd(port, count, seed):
    await asyncio.gather(*[hostile_for_ever(port, KINDS[i % len(KINDS)], seed + i) for i in range(count)])


class Good:
    """Knows what its keys hold, and asks for them."""

    def __init__(self, number, seed):
        self.number, self.rng = number, random.Random(seed)
        self.values, self.count, self.seconds, self.wrong = {}, 0, [], []

    async def open(self, port):
        self.reader, self.writer = await asyncio.open_connection(HOST, port, limit=1 << 21)

    async def reply(self):
        line = await self.reader.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionResetError("the server has ended the connection of one that behaves")
        kind, rest = line[:1], line[1:-2]
        if kind == b"$":
            return None if rest == b"-1" else (await self.reader.readexactly(int(rest) + 2))[:-2]
        if kind == b"*":
            return [await self.reply() for _ in range(int(rest))]
        return int(rest) if kind == b":" else line[:-2]

    async def ask(self, requests, wanted):
        began = time.monotonic()
        self.writer.write(b"".join(requests))
        async with asyncio.timeout(STUCK_SECONDS):
            found = [await self.reply() for _ in requests]
        self.seconds.append(time.monotonic() - began)
        if found != wanted:
            self.wrong.append(f"good client {self.number}: {str(found)[:200]}, expected {str(wanted)[:200]}")

    def some_key(self):
        return f"good:{self.number}:{self.rng.randrange(50)}"

    async def ask_something(self):
        key, what = self.some_key(), self.rng.randrange(6)
        if what == 0:
            size = 100_000 if self.rng.randrange(50) == 0 else self.rng.randrange(2000)
            self.values[key] = self.rng.randbytes(size)
            await self.ask([request("SET", key, self.values[key])], [b"+OK"])
        elif what == 1:
            self.count += 1
            await self.ask([request("INCR", f"count:{self.number}")], [self.count])
        elif what == 2:
            await self.ask([request("DEL", key)], [1 if self.values.pop(key, None) is not None else 0])
        elif what == 3:
            keys = [self.some_key() for _ in range(8)]
            await self.ask([request("GET", k) for k in keys], [self.values.get(k) for k in keys])
        else:
            await self.ask([request("GET", key)], [self.values.get(key)])

    async def ask_until(self, end):
        try:
            while time.monotonic() < end:
                await self.ask_something()
                await asyncio.sleep(self.rng.uniform(0, 0.04))
        except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError) as why:
            self.wrong.append(f"good client {self.number} got no reply: {why!r}")
            raise SystemExit(self.wrong[-1]) from None

    async def ask_for_all(self):
        keys = [f"good:{self.number}:{i}" for i in range(50)]
        await self.ask([request("MGET", *keys)], [[self.values.get(k) for k in keys]])
        await self.ask([request("GET", f"count:{self.number}")], [b"%d" % self.count if self.count else None])


def memory_bytes(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmRSS"))


def quantile(seconds, q):
    return sorted(seconds)[min(int(len(seconds) * q), len(seconds) - 1)]


def tell_times(what, goods):
    seconds = [s for good in goods for s in good.seconds]
    print(f"{what}: {len(seconds)} answers, median {quantile(seconds, 0.5) * 1e3:.2f} ms, "
          f"99th percentile {quantile(seconds, 0.99) * 1e3:.2f} ms, most {max(seconds) * 1e3:.1f} ms", flush=True)
    for good in goods:
        good.seconds.clear()


async def beside(port, server, asked):
    first = Good(-1, asked.seed)
    await first.open(port)
    await first.ask([request("SET", "hostile:large", b"x" * LARGE)], [b"+OK"])
    goods = [Good(i, asked.seed + i) for i in range(asked.good)]
    for good in goods:
        await good.open(port)

    async def all_ask_for(seconds):
        end = time.monotonic() + seconds
        await asyncio.gather(*[good.ask_until(end) for good in goods])

    await all_ask_for(max(1.0, asked.seconds / 20))
    tell_times("alone", goods)
    memory = {"before": memory_bytes(server.pid)}
    crowd = subprocess.Popen([sys.executable, __file__, "--crowd", str(port), "--hostile", str(asked.hostile),
                              "--seed", str(asked.seed), "-"])
    try:
        parts = (("start", 0.1), ("middle", 0.4), ("end", 0.5))
        for name, share in parts:
            await all_ask_for(asked.seconds * share)
            tell_times(f"beside {asked.hostile} hostile ones, to the {name}", goods)
            memory[name] = memory_bytes(server.pid)
            if crowd.poll() is not None:
                raise SystemExit("the hostile ones have ended before their time")
    finally:
        crowd.kill()
        crowd.wait()
    for good in goods:
        await good.ask_for_all()
    print("memory of the server: " + ", ".join(f"{name} {bytes_ >> 20} MiB" for name, bytes_ in memory.items()))
    wrong = first.wrong + [w for good in goods for w in good.wrong]
    for one in wrong[:10]:
        print(one)
    print(f"lost or wrong: {len(wrong)}")
    grown = memory["end"] - memory["middle"]
    allowed = ALLOWED_GROWTH + memory["middle"] // 4
    if asked.seconds < SETTLED_SECONDS:
        allowed += asked.client_bytes or memory["middle"]
    if grown > allowed:
        print(f"the memory has grown by {grown >> 20} MiB from the middle to the end")
        return False
    return not wrong


def start(command):
    server = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    if f" listen on {HOST}:" not in line:
        raise SystemExit(f"the server does not say where it listens: {line!r}")
    return server, int(line.rsplit(":", 1)[1])


def allow_descriptors():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--hostile", type=int, default=1000)
    parser.add_argument("--good", type=int, default=20)
    parser.add_argument("--client-bytes", type=int, help="the server's option")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    parser.add_argument("--crowd", type=int, help=argparse.SUPPRESS)  # the port, in the process of the hostile ones
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    if not asked.command:
        parser.error("expected the server's command")
    allow_descriptors()
    if asked.crowd is not None:
        return asyncio.run(hostile_crowd(asked.crowd, asked.hostile, asked.seed))
    print(f"{asked.hostile} hostile connections of {len(KINDS)} kinds for {asked.seconds:g} s beside {asked.good} good "
          f"ones; --seed {asked.seed}", flush=True)
    limit = [] if asked.client_bytes is None else ["--client-bytes", str(asked.client_bytes)]
    server, port = start([*asked.command, *limit])
    try:
        held = asyncio.run(beside(port, server, asked))
        began = time.monotonic()
        server.terminate()
        code = server.wait(STUCK_SECONDS)
        print(f"the server has ended with {code}, {time.monotonic() - began:.2f} s after it was asked to")
        return 0 if held and code == 0 else 1
    finally:
        server.kill()


sys.exit(main())
