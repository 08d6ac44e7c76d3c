import { Column, is, SQL, StringChunk } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { Db } from "./client";

/** A built select: what changes rows has no selected fields, so it cannot be given. */
export type Select = BatchItem<"sqlite"> & { readonly _: { readonly selectedFields: unknown } };

/**
 * Selects that do not need each other's answers, asked in one call instead of one call each. They see the same state of
 * the database. The answers come in the order of the selects.
 *
 * D1 answers the rows of a batch as objects: the second of two columns with one name would replace the first, and an
 * expression that is only a number would come first. A select with either is refused.
 * @throws Error for such a select
 * @example const [counts, [first]] = await readBatch(db, [db.select().from(counters), db.select().from(payees).limit(1)]);
 */
export async function readBatch<const Selects extends readonly [Select, ...Select[]]>(
  db: Db,
  selects: Selects,
): Promise<BatchResponse<Selects>> {
  for (const select of selects) refuseUnclear(namesOf(select._.selectedFields));
  return (await db.batch(selects)) as BatchResponse<Selects>;
}

/** What D1 calls the columns of a selection, those of its groups included. An expression is called by its text. */
function namesOf(fields: unknown): string[] {
  if (is(fields, Column)) return [fields.name];
  if (is(fields, SQL.Aliased)) return [fields.fieldAlias];
  if (is(fields, SQL)) return fields.queryChunks.every((chunk) => is(chunk, StringChunk)) ? [textOf(fields)] : [];
  return typeof fields === "object" && fields !== null ? Object.values(fields).flatMap(namesOf) : [];
}

const textOf = ({ queryChunks }: SQL) =>
  queryChunks
    .flatMap((chunk) => (is(chunk, StringChunk) ? chunk.value : []))
    .join("")
    .trim();

function refuseUnclear(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new Error(`two columns named ${name} in one select of a batch`);
    if (/^\d+$/.test(name)) throw new Error(`a column of a select in a batch is only a number: ${name}`);
    seen.add(name);
  }
}
