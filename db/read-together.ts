import { isConnectionError, isOverloadError } from "./errors";

/** A read-only statement and its bound values. */
export type Read = { sql: string; values: readonly unknown[] };

type Row = Record<string, unknown>;
type Waiting = Read & { resolve: (result: D1Result<Row>) => void; reject: (reason: unknown) => void };

/** Sends reads to D1, alone or many in one call, with time limits and measurement. */
export type Senders = {
  alone: (read: Read) => Promise<D1Result<Row>>;
  raw: (read: Read, options?: { columnNames: true }) => Promise<unknown[][]>;
  together: (reads: readonly Read[]) => Promise<D1Result<Row>[]>;
};

/**
 * After this many microtask turns without a new read, the waiting reads are sent. A query takes about ten to start.
 */
const QUIET_TURNS = 48;
/** More than the number of distinct statements in the product. Bounds the cache in case the text differs each time. */
const MOST_TEXTS = 2_000;

/**
 * Sends reads that are asked for in the same moment as one call of D1: a call costs about ten times what a statement in
 * it costs. Nothing is delayed by this: a moment ends when no promise is left to run, before anything from outside
 * arrives, so the reads of two requests are never combined.
 *
 * A batch returns rows as objects. The names of a text's columns are learned when it is first run, alone; where objects
 * would not keep the columns apart, they get names of their own (`withClearColumns`) or the text is always run alone.
 */
export function createTogether(senders: Senders) {
  const texts = new Map<string, string | undefined>();
  let waiting: Waiting[] = [];

  const send = async () => {
    for (let quiet = 0, seen = 0; quiet < QUIET_TURNS; quiet++) {
      if (waiting.length !== seen) quiet = 0;
      seen = waiting.length;
      await null;
    }
    const reads = waiting;
    waiting = [];
    await answer(reads, senders);
  };

  const all = (read: Read): Promise<D1Result<Row>> =>
    new Promise((resolve, reject) => {
      waiting.push({ ...read, resolve, reject });
      if (waiting.length === 1) void send();
    });

  /** Rows as lists of values, in the order of the columns. */
  const raw = async (read: Read): Promise<unknown[][]> => {
    const text = texts.get(read.sql);
    if (text !== undefined) return (await all({ ...read, sql: text })).results.map((row) => Object.values(row));
    if (texts.has(read.sql)) return senders.raw(read);
    const [names = [], ...rows] = await senders.raw(read, { columnNames: true });
    if (texts.size >= MOST_TEXTS) texts.clear();
    texts.set(read.sql, withClearColumns(read.sql, names));
    return rows;
  };

  return { all, raw };
}

async function answer(reads: readonly Waiting[], senders: Senders): Promise<void> {
  if (reads.length === 1) return answerAlone(reads, senders);
  try {
    const results = await senders.together(reads);
    for (const [at, { resolve, reject }] of reads.entries()) {
      const result = results[at];
      if (result) resolve(result);
      else reject(new Error("D1 answered fewer statements than it was asked"));
    }
  } catch (error) {
    // One invalid statement fails the whole call, so each is then run alone. A busy database is not asked again.
    if (!isConnectionError(error) && !isOverloadError(error)) return answerAlone(reads, senders);
    for (const { reject } of reads) reject(error);
  }
}

async function answerAlone(reads: readonly Waiting[], { alone }: Senders): Promise<void> {
  await Promise.all(reads.map((read) => alone(read).then(read.resolve, read.reject)));
}

/**
 * A D1 batch returns rows as objects: of two columns with one name the second is lost, and a column whose name is a
 * number comes first. This gives such columns names of their own.
 * @param names the column names of the select, as the database reported them
 * @returns the text with column names that objects keep apart and in order, unchanged if they do already; undefined if
 *   the text cannot be parsed (`SELECT *`, a compound select)
 * @example withClearColumns('select "a"."id", "b"."id" from ...', ["id", "id"]) // 'select "a"."id", "b"."id" as "~1" from ...'
 */
export function withClearColumns(sql: string, names: readonly unknown[]): string | undefined {
  const isClear = names.map((name, at) => names.indexOf(name) === at && !/^\d+$/.test(String(name)));
  if (names.length === 0) return undefined;
  if (isClear.every(Boolean)) return sql;
  const list = readSelectList(sql);
  if (list?.items.length !== names.length) return undefined;
  const items = list.items.map((item, at) => (isClear[at] ? item : `${item.trimEnd()} as "~${at}"`));
  if (items.some((item, at) => !isClear[at] && / as "[^"]*" as /i.test(item))) return undefined;
  return `${list.before}${items.join(",")}${list.after}`;
}

/** Splits the text of a select in three: up to its columns, the columns, and from FROM on. */
function readSelectList(sql: string): { before: string; items: string[]; after: string } | undefined {
  const before = /^\s*select\s+(distinct\s+)?/i.exec(sql)?.[0];
  if (before === undefined) return undefined;
  const items: string[] = [];
  let from = before.length;
  let depth = 0;
  for (const { 0: token, index } of sql.matchAll(/'[^']*'|"[^"]*"|[(),]|\b(?:from|union)\b/gi)) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (depth === 0 && token === ",") {
      items.push(sql.slice(from, index));
      from = index + 1;
    } else if (depth === 0 && /^from$/i.test(token)) {
      items.push(sql.slice(from, index));
      return { before, items, after: ` ${sql.slice(index)}` };
    }
  }
  return undefined;
}
