// The calls of the table by node-redis: HOST PORT PREFIX.
import { createClient } from "redis";

import { expect, host, key, port, run } from "./calls.mjs";

const client = createClient({ socket: { host, port } });
client.on("error", (e) => console.error(String(e)));
await client.connect();

await run(
  {
    set: async () => expect(await client.set(key("a"), "1"), "OK"),
    get: async () => expect([await client.get(key("a")), await client.get(key("none"))], ["1", null]),
    incr: async () =>
      expect([await client.incr(key("a")), await client.incrBy(key("a"), 10), await client.decr(key("a"))], [2, 12, 11]),
    mget: async () => {
      await client.mSet({ [key("b")]: "x", [key("c")]: "y" });
      expect(await client.mGet([key("b"), key("none"), key("c")]), ["x", null, "y"]);
    },
    expire: async () => {
      expect(await client.expire(key("b"), 100), 1);
      const left = await client.ttl(key("b"));
      expect([left > 0 && left <= 100, await client.persist(key("b")), await client.ttl(key("b"))], [true, 1, -1]);
    },
    pipeline: async () => {
      const asked = [...Array(100).keys()].flatMap((i) => [client.set(key("p" + i), String(i)), client.get(key("p" + i))]);
      expect(await Promise.all(asked), [...Array(100).keys()].flatMap((i) => ["OK", String(i)]));
    },
    transaction: async () => {
      const all = client.multi();
      for (let i = 0; i < 10; ++i) all.set(key("t" + i), String(i)).incr(key("t" + i));
      all.get(key("none"));
      expect(await all.exec(), [...Array(10).keys()].flatMap((i) => ["OK", i + 1]).concat([null]));
    },
  },
  async () => {
    const subscriber = client.duplicate();
    await subscriber.connect();
    try {
      await subscriber.subscribe("news", () => {});
    } finally {
      subscriber.destroy();
    }
  },
);
await client.close();
