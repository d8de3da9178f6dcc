"""The calls of the table by redis-py: HOST PORT PREFIX."""
import sys

import redis

HOST, PORT, PREFIX = sys.argv[1], int(sys.argv[2]), sys.argv[3]
client = redis.Redis(host=HOST, port=PORT, decode_responses=True)


def expect(found, wanted):
    if found != wanted:
        raise AssertionError(f"{found!r}, expected {wanted!r}")


def do_set():
    expect(client.set(PREFIX + "a", "1"), True)


def do_get():
    expect([client.get(PREFIX + "a"), client.get(PREFIX + "none")], ["1", None])


def do_incr():
    expect([client.incr(PREFIX + "a"), client.incr(PREFIX + "a", 10), client.decr(PREFIX + "a")], [2, 12, 11])


def do_mget():
    client.mset({PREFIX + "b": "x", PREFIX + "c": "y"})
    expect(client.mget(PREFIX + "b", PREFIX + "none", PREFIX + "c"), ["x", None, "y"])


def do_expire():
    expect([client.expire(PREFIX + "b", 100), 0 < client.ttl(PREFIX + "b") <= 100], [True, True])
    expect([client.persist(PREFIX + "b"), client.ttl(PREFIX + "b")], [True, -1])


def do_pipeline():
    with client.pipeline(transaction=False) as pipe:
        for i in range(100):
            pipe.set(f"{PREFIX}p{i}", i).get(f"{PREFIX}p{i}")
        expect(pipe.execute(), [one for i in range(100) for one in (True, str(i))])


def do_transaction():
    with client.pipeline() as pipe:
        for i in range(10):
            pipe.set(f"{PREFIX}t{i}", i).incr(f"{PREFIX}t{i}")
        pipe.get(PREFIX + "none")
        expect(pipe.execute(), [one for i in range(10) for one in (True, i + 1)] + [None])


def do_subscribe():
    with client.pubsub() as channels:
        channels.subscribe("news")
        channels.get_message(timeout=10)


def main():
    calls = [("set", do_set), ("get", do_get), ("incr", do_incr), ("mget", do_mget), ("expire", do_expire),
             ("pipeline", do_pipeline), ("transaction", do_transaction)]
    for name, call in calls:
        try:
            call()
            print(name, "ok", sep="\t")
        except Exception as e:  # whatever it is, the table shall say so
            print(name, f"{type(e).__name__}: {e}", sep="\t")
    try:
        do_subscribe()
        print("pub/sub", "was not refused", sep="\t")
    except Exception as e:
        print("pub/sub", "refused", str(e), sep="\t")


main()
