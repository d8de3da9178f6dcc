// What the programs of the libraries for Node.js share: each call is one line of the table.
import assert from "node:assert/strict";

export const [host, port, prefix] = [process.argv[2], Number(process.argv[3]), process.argv[4]];
export const key = (name) => prefix + name;
export const expect = assert.deepEqual;

const line = (...words) => console.log(words.map((w) => String(w).replace(/\s+/g, " ")).join("\t"));

// calls: name to a function. subscribe: has to be refused.
export async function run(calls, subscribe) {
  for (const [name, call] of Object.entries(calls)) {
    try {
      await call();
      line(name, "ok");
    } catch (e) {
      line(name, e);
    }
  }
  try {
    await subscribe();
    line("pub/sub", "was not refused");
  } catch (e) {
    line("pub/sub", "refused", e.message);
  }
}
