"""A server that programs of others talk to: apps/kv beside Redis, asked by redis-benchmark over 127.0.0.1.

The server has one core and the client another. Redis' server is the program redis-check-rdb under its other name, so that
the package redis-tools, which starts no service, is enough.
"""
import os
import re
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from functools import partial

from harness.build import Failed
from harness.row import Row

row = partial(Row, "users")

SERVER_CORE, CLIENT_CORE = 0, 1
KEYS = 100_000


def server_rows(build):
    if not (shutil.which("redis-benchmark") and shutil.which("redis-check-rdb") and build.has("kv")):
        return
    for command in ("get", "set"):
        for pipelined in (1, 16):
            yield row(f"kv_{command}_{pipelined}", "requests/s", partial(requests_per_second, of_kv, command, pipelined),
                      {"redis-server": partial(requests_per_second, of_redis, command, pipelined)}, better="higher",
                      ratio_limit=0.8, transport="threads", turns=5)


def requests_per_second(server, command, pipelined, build):
    with server(build) as port:
        benchmark(port, "set", 16, KEYS)  # a table that is filled
        rate = benchmark(port, command, pipelined, 1_000_000 if pipelined > 1 else 200_000)
        check(port)
    return rate


def benchmark(port, command, pipelined, requests):
    """Requests a second of 50 connections, on random keys."""
    words = ["redis-benchmark", "-p", str(port), "-t", command, "-P", str(pipelined), "-n", str(requests),
             "-r", str(KEYS), "-q"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, preexec_fn=on_core(CLIENT_CORE))
    told = re.findall(r"([0-9.]+) requests per second", done.stdout)
    if done.returncode != 0 or not told or "rror" in done.stderr:
        raise Failed(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return float(told[-1])


def check(port):
    """The keys are there, each once: so many random ones leave out one in e."""
    with socket.create_connection(("127.0.0.1", port), 10) as client:
        client.sendall(b"DBSIZE\r\n")
        count = int(client.makefile().readline()[1:])
    if not 0.6 * KEYS < count <= KEYS:
        raise Failed(f"the server on port {port} has {count} keys of {KEYS}")


@contextmanager
def of_kv(build):
    with running([build.program("kv"), "--port", "0", "--tsubu-pes=1"], stdout=subprocess.PIPE) as server:
        yield int(server.stdout.readline().rsplit(":", 1)[1])


@contextmanager
def of_redis(_):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with running(words, executable=shutil.which("redis-check-rdb"), stdout=subprocess.DEVNULL):
        yield wait_for(port)


def wait_for(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return port
        except OSError:
            time.sleep(0.05)
    raise Failed(f"nobody listens on port {port}")


@contextmanager
def running(words, **how):
    server = subprocess.Popen([str(word) for word in words], text=True, preexec_fn=on_core(SERVER_CORE), **how)
    try:
        yield server
    finally:
        server.terminate()
        code = server.wait(60)
        if server.stdout:
            server.stdout.close()
    if code != 0:
        raise Failed(f"{words[0]}: exit code {code}")


def on_core(core):
    usable = sorted(os.sched_getaffinity(0))
    return partial(os.sched_setaffinity, 0, {usable[core % len(usable)]})
