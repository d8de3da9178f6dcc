// The calls of the table by valkey-glide for Node.js: HOST PORT PREFIX.
import { Batch, GlideClient } from "@valkey/valkey-glide";

import { expect, host, key, port, run } from "./calls.mjs";

const client = await GlideClient.createClient({ addresses: [{ host, port }] });

await run(
  {
    set: async () => expect(await client.set(key("a"), "1"), "OK"),
    get: async () => expect([await client.get(key("a")), await client.get(key("none"))], ["1", null]),
    incr: async () =>
      expect([await client.incr(key("a")), await client.incrBy(key("a"), 10), await client.decr(key("a"))], [2, 12, 11]),
    mget: async () => {
      await client.mset({ [key("b")]: "x", [key("c")]: "y" });
      expect(await client.mget([key("b"), key("none"), key("c")]), ["x", null, "y"]);
    },
    expire: async () => {
      expect(await client.expire(key("b"), 100), true);
      const left = await client.ttl(key("b"));
      expect([left > 0 && left <= 100, await client.persist(key("b")), await client.ttl(key("b"))], [true, true, -1]);
    },
    pipeline: async () => {
      const all = new Batch(false);
      for (let i = 0; i < 100; ++i) all.set(key("p" + i), String(i)).get(key("p" + i));
      expect(await client.exec(all, true), [...Array(100).keys()].flatMap((i) => ["OK", String(i)]));
    },
    transaction: async () => {
      const all = new Batch(true);
      for (let i = 0; i < 10; ++i) all.set(key("t" + i), String(i)).incr(key("t" + i));
      all.get(key("none"));
      expect(await client.exec(all, true), [...Array(10).keys()].flatMap((i) => ["OK", i + 1]).concat([null]));
    },
  },
  () => client.publish("message", "news"),
);
client.close();
