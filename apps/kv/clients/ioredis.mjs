// The calls of the table by ioredis, under the name it was installed by: HOST PORT PREFIX NAME.
import { expect, host, key, port, run } from "./calls.mjs";

const { Redis } = await import(process.argv[5]);
const client = new Redis({ host, port });

// Of what a pipeline and a transaction give: [error, value] for each.
const values = (replies) =>
  replies.map(([error, value]) => {
    if (error) throw error;
    return value;
  });

await run(
  {
    set: async () => expect(await client.set(key("a"), "1"), "OK"),
    get: async () => expect([await client.get(key("a")), await client.get(key("none"))], ["1", null]),
    incr: async () =>
      expect([await client.incr(key("a")), await client.incrby(key("a"), 10), await client.decr(key("a"))], [2, 12, 11]),
    mget: async () => {
      await client.mset({ [key("b")]: "x", [key("c")]: "y" });
      expect(await client.mget(key("b"), key("none"), key("c")), ["x", null, "y"]);
    },
    expire: async () => {
      expect(await client.expire(key("b"), 100), 1);
      const left = await client.ttl(key("b"));
      expect([left > 0 && left <= 100, await client.persist(key("b")), await client.ttl(key("b"))], [true, 1, -1]);
    },
    pipeline: async () => {
      const all = client.pipeline();
      for (let i = 0; i < 100; ++i) all.set(key("p" + i), i).get(key("p" + i));
      expect(values(await all.exec()), [...Array(100).keys()].flatMap((i) => ["OK", String(i)]));
    },
    transaction: async () => {
      const all = client.multi();
      for (let i = 0; i < 10; ++i) all.set(key("t" + i), i).incr(key("t" + i));
      all.get(key("none"));
      expect(values(await all.exec()), [...Array(10).keys()].flatMap((i) => ["OK", i + 1]).concat([null]));
    },
  },
  async () => {
    const subscriber = client.duplicate();
    try {
      await subscriber.subscribe("news");
    } finally {
      subscriber.disconnect();
    }
  },
);
client.disconnect();
