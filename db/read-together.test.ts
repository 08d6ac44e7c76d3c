import { expect, test } from "vitest";
import { createTogether, type Read } from "./read-together";

const result = (n: number) => ({ results: [{ n }], success: true, meta: {} }) as unknown as D1Result<{ n: number }>;

/** Answers `select 7 as n` with 7, and records the statements sent. */
function aDatabase(fault: { sql: string; message: string } = { sql: "none", message: "" }) {
  const sent: string[] = [];
  const send = (reads: readonly Read[]) => {
    sent.push(reads.map(({ sql }) => sql).join(" + "));
    if (reads.some(({ sql }) => sql === fault.sql)) throw new Error(fault.message);
    return reads.map(({ sql }) => result(Number(/\d+/.exec(sql)?.[0])));
  };
  const together = createTogether({
    alone: async (read) => send([read])[0] as D1Result<Record<string, unknown>>,
    raw: async (read, options) => [...(options ? [["n"]] : []), [send([read])[0]?.results[0]?.n]],
    together: async (reads) => send(reads) as D1Result<Record<string, unknown>>[],
  });
  return { sent, read: async (sql: string) => (await together.raw({ sql, values: [] }))[0]?.[0] };
}

const [one, two, three] = ["select 1 as n", "select 2 as n", "select 3 as n"] as const;

test("reads that are asked for in one moment are one call, however deep in promises each begins", async () => {
  const { sent, read } = aDatabase();
  for (const sql of [one, two, three]) await read(sql);
  expect(sent.splice(0)).toEqual([one, two, three]);
  const late = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await null;
    return read(two);
  };
  const after = async () => {
    await read(one);
    return read(three);
  };
  expect(await Promise.all([late(30), after()])).toEqual([2, 3]);
  expect(sent).toEqual([`${one} + ${two}`, three]);
});

test("what two requests ask for at different moments never meets", async () => {
  const { sent, read } = aDatabase();
  await Promise.all([read(one), read(two)]);
  sent.length = 0;
  const first = read(one);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect([await first, await read(two)]).toEqual([1, 2]);
  expect(sent).toEqual([one, two]);
});

test("a wrong statement fails alone; a busy database is not asked again", async () => {
  for (const [message, calls] of [
    ["D1_ERROR: no such column: n", 3],
    ["D1_ERROR: D1 DB is overloaded. Requests queued for too long.", 1],
  ] as const) {
    const fault = { sql: "none", message };
    const { sent, read } = aDatabase(fault);
    await Promise.all([read(one), read(two)]);
    sent.length = 0;
    fault.sql = two;
    const answers = await Promise.allSettled([read(one), read(two)]);
    expect(answers.map(({ status }) => status)).toEqual([calls === 3 ? "fulfilled" : "rejected", "rejected"]);
    expect(sent).toHaveLength(calls);
  }
});
