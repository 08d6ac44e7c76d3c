import { keysInUse, outbox, type Statement } from "@db/database";
import { isOlderSchemaError } from "@db/errors";
import { findWalk, saveWalk } from "@db/walk";
import { and, eq, getTableName, gt, ne, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "~/kernel/dates";
import { runStatement } from "~/modules/core/commands/run-command.server";
import type { ReadServices, Services } from "~/services-and-actor";

type KeyValue = string | number;

export type EncryptedColumn = {
  table: SQLiteTable;
  column: SQLiteColumn;
  /** The table's primary key, which begins with a text column. */
  key: readonly SQLiteColumn[];
  /** The encryption context of a row's value, from its key. */
  contextOf: (...key: string[]) => string;
};

export const encryptedPayloads: EncryptedColumn = {
  table: outbox,
  column: outbox.sealedPayload,
  key: [outbox.id],
  contextOf: (id) => id,
};

type Reencrypting = Pick<Services, "db" | "clock" | "secrets" | "config" | "log">;

const PAGE_SIZE = 500;
/** How much one run reads and re-encrypts; the next continues after it. */
const MAX_PAGES = 40;
const MAX_REENCRYPTED = 200;
/** Once everything is encrypted with the current key, a run only finds what a restore brought back. */
const EVERY_MS = 7 * DAY_MS;

/** The progress of a walk: the column, the last row, and what it has found. */
type Place = { at: number; key: KeyValue[] | null; sealed: number; unopened: number };

const START: Place = { at: 0, key: null, sealed: 0, unopened: 0 };

/**
 * Re-encrypts with the current key what another key encrypted: page by page along each table's key, continuing where
 * the last run stopped. A row that changes meanwhile is left alone. Other instances may use the former key for a while,
 * so only a walk that found nothing proves that no other key is in use.
 * @returns how many values were re-encrypted
 */
export async function reencryptColumns(services: Reencrypting, columns: readonly EncryptedColumn[]): Promise<number> {
  const { db, clock, config } = services;
  const current = config.keys.ENCRYPTION_KEYS[0]?.id;
  if (current === undefined) return 0;
  const walk = await findWalk(db, `sealed anew with ${current}`, clock.now(), EVERY_MS);
  if (!walk) return 0;
  const begun: Place = walk.key === "" ? START : JSON.parse(walk.key);
  let place = begun;
  for (let pages = 0; pages < MAX_PAGES && place.sealed - begun.sealed < MAX_REENCRYPTED; pages++) {
    const column = columns[place.at];
    if (!column) break;
    place = await reencryptPage(services, column, place, current);
  }
  const count = place.sealed - begun.sealed;
  const isAtEnd = place.at >= columns.length;
  const isOver = isAtEnd && place.sealed === 0;
  if (isOver && place.unopened === 0) await runStatement(services, forgetFormerKeys(services, current));
  const next = isAtEnd ? START : place;
  await saveWalk(db, { ...walk, key: JSON.stringify(next) }, isOver ? clock.now() : null);
  return count;
}

const quoted = ({ name }: SQLiteColumn): SQL => sql.raw(`"${name}"`);
const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);

/** Re-encrypts the rows of one page that have another key, one by one because a value may be large. */
async function reencryptPage(services: Reencrypting, column: EncryptedColumn, place: Place, current: string) {
  const names = list(column.key.map(quoted));
  const after = place.key ?? column.key.map(() => "");
  const rows = await services.db.all<{ keys: string; keyName: string | null }>(
    sql`SELECT json_array(${names}) AS "keys", substr(${quoted(column.column)}, 1, instr(${quoted(column.column)}, '.') - 1) AS "keyName"
      FROM ${column.table} WHERE (${names}) > (${list(after.map((value) => sql`${value}`))}) ORDER BY ${names} LIMIT ${PAGE_SIZE}`,
  );
  let { sealed, unopened } = place;
  for (const { keys, keyName } of rows) {
    if (keyName === null || keyName === current) continue;
    const key: KeyValue[] = JSON.parse(keys);
    if (await reencryptRow(services, column, key)) sealed++;
    else unopened++;
    if (sealed - place.sealed >= MAX_REENCRYPTED) return { at: place.at, key, sealed, unopened };
  }
  const last = rows.at(-1);
  const hasMore = rows.length === PAGE_SIZE && last !== undefined;
  return hasMore
    ? { at: place.at, key: JSON.parse(last.keys), sealed, unopened }
    : { at: place.at + 1, key: null, sealed, unopened };
}

/** @returns false for a value that cannot be decrypted */
async function reencryptRow(
  services: Reencrypting,
  { table, column, key, contextOf }: EncryptedColumn,
  values: KeyValue[],
) {
  const { db, secrets, log } = services;
  const isRow = sql.join(
    key.map((each, at) => sql`${quoted(each)} = ${values[at]}`),
    sql` AND `,
  );
  const [row] = await db.all<{ envelope: string | null }>(
    sql`SELECT ${quoted(column)} AS "envelope" FROM ${table} WHERE ${isRow}`,
  );
  if (!row?.envelope) return true;
  const context = contextOf(...values.map(String));
  const text = await secrets.open(row.envelope, context).catch(() => undefined);
  if (text === undefined) {
    log.error("seal_anew.unopened", { table: getTableName(table), column: column.name });
    return false;
  }
  const sealed = await secrets.seal(text, context);
  const isSame = sql`${isRow} AND ${quoted(column)} = ${row.envelope}`;
  await runStatement(
    services,
    db
      .update(table)
      .set({ [column.name]: sealed })
      .where(isSame),
  );
  return true;
}

/** Records which keys are current, because something may be encrypted with them from now on, and each one's digest. */
export function noteCurrentKeys({ db, clock, config }: Pick<Services, "db" | "clock" | "config">): Statement {
  const listed = Object.entries(config.keys).flatMap(([variable, keys]) =>
    keys.map(({ id, digest }, at) => ({ variable, id, digest, isCurrent: at === 0 })),
  );
  return db
    .insert(keysInUse)
    .select(
      sql`SELECT value ->> 'variable', value ->> 'id', ${clock.now()}, value ->> 'digest'
        FROM json_each(${JSON.stringify(listed)}) LEFT JOIN ${keysInUse} AS known
          ON known."variable" = value ->> 'variable' AND known."key" = value ->> 'id'
        WHERE known."digest" IS NULL AND (known."key" IS NOT NULL OR value ->> 'isCurrent')`,
    )
    .onConflictDoUpdate({ target: [keysInUse.variable, keysInUse.key], set: { digest: sql`excluded."digest"` } });
}

/** Removes former keys from the record: everything is encrypted with the current key now. */
export const forgetFormerKeys = ({ db }: ReadServices, current: string): Statement =>
  db.delete(keysInUse).where(and(eq(keysInUse.variable, "ENCRYPTION_KEYS"), ne(keysInUse.key, current)));

/** Keys in use that the environment lacks, or has with other bytes: their data is unreadable, payees incomparable. */
export async function findWrongKeys({ db, config }: Pick<Services, "db" | "config">) {
  const rows = await db
    .select({ variable: keysInUse.variable, key: keysInUse.key, digest: keysInUse.digest })
    .from(keysInUse)
    .where(gt(keysInUse.variable, ""))
    .catch((error) => {
      if (isOlderSchemaError(error)) return [];
      throw error;
    });
  const wrong: { unlistedKeys: string[]; changedKeys: string[] } = { unlistedKeys: [], changedKeys: [] };
  const lists: Readonly<Record<string, readonly { id: string; digest: string }[]>> = config.keys;
  for (const { variable, key, digest } of rows) {
    const listed = lists[variable]?.find(({ id }) => id === key);
    if (!listed) wrong.unlistedKeys.push(`${variable} ${key}`);
    // Empty: the key is lost, and something else has its name.
    else if (digest && digest !== listed.digest) wrong.changedKeys.push(`${variable} ${key}`);
  }
  return wrong;
}
