"""The calls of the table by valkey-glide for Python: HOST PORT PREFIX."""
import asyncio
import sys

from glide import Batch, GlideClient, GlideClientConfiguration, NodeAddress

HOST, PORT, PREFIX = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def expect(found, wanted):
    if found != wanted:
        raise AssertionError(f"{found!r}, expected {wanted!r}")


async def do_set(client):
    expect(await client.set(PREFIX + "a", "1"), "OK")


async def do_get(client):
    expect([await client.get(PREFIX + "a"), await client.get(PREFIX + "none")], [b"1", None])


async def do_incr(client):
    expect([await client.incr(PREFIX + "a"), await client.incrby(PREFIX + "a", 10), await client.decr(PREFIX + "a")],
           [2, 12, 11])


async def do_mget(client):
    await client.mset({PREFIX + "b": "x", PREFIX + "c": "y"})
    expect(await client.mget([PREFIX + "b", PREFIX + "none", PREFIX + "c"]), [b"x", None, b"y"])


async def do_expire(client):
    expect([await client.expire(PREFIX + "b", 100), 0 < await client.ttl(PREFIX + "b") <= 100], [True, True])
    expect([await client.persist(PREFIX + "b"), await client.ttl(PREFIX + "b")], [True, -1])


async def do_pipeline(client):
    batch = Batch(is_atomic=False)
    for i in range(100):
        batch.set(f"{PREFIX}p{i}", str(i)).get(f"{PREFIX}p{i}")
    expect(await client.exec(batch, raise_on_error=True),
           [one for i in range(100) for one in ("OK", str(i).encode())])


async def do_transaction(client):
    batch = Batch(is_atomic=True)
    for i in range(10):
        batch.set(f"{PREFIX}t{i}", str(i)).incr(f"{PREFIX}t{i}")
    batch.get(PREFIX + "none")
    expect(await client.exec(batch, raise_on_error=True), [one for i in range(10) for one in ("OK", i + 1)] + [None])


async def main():
    client = await GlideClient.create(GlideClientConfiguration([NodeAddress(HOST, PORT)]))
    calls = [("set", do_set), ("get", do_get), ("incr", do_incr), ("mget", do_mget), ("expire", do_expire),
             ("pipeline", do_pipeline), ("transaction", do_transaction)]
    for name, call in calls:
        try:
            await call(client)
            print(name, "ok", sep="\t")
        except Exception as e:  # whatever it is, the table shall say so
            print(name, f"{type(e).__name__}: {e}", sep="\t")
    try:
        await client.publish("message", "news")
        print("pub/sub", "was not refused", sep="\t")
    except Exception as e:
        print("pub/sub", "refused", str(e), sep="\t")
    await client.close()


asyncio.run(main())
