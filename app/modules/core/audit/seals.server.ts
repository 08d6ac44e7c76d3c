import { auditLogs, auditSeals, columnsOf } from "@db/database";
import { and, asc, count, desc, eq, gt, isNull, lte, max, type SQL } from "drizzle-orm";
import * as z from "zod";
import type { ReadServices } from "~/services-and-actor";
import type { DetailsIn } from "./audit";
import { sealedColumns } from "./audit.server";
import { FIRST_PREV_HASH, forReader, isIntact, type SealableRow, toExportedEntry } from "./entry";

/** The period that a database restore erased, in ISO 8601. */
export type Restored = { from: string; until: string };

/** How many restores a check takes into account, newest first. */
const MOST = 20;

/** The restores recorded in an organisation's trail, newest first. These entries are sealed like any other. */
async function listRestored({ db }: ReadServices, organizationId: string) {
  const rows = await db
    .select({ details: auditLogs.details, createdAt: auditLogs.createdAt })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.entityType, "restore"),
        eq(auditLogs.entityId, organizationId),
      ),
    )
    .orderBy(desc(auditLogs.position))
    .limit(MOST);
  return rows.map(({ details, createdAt }) => {
    const { from = "", until = "", kept = 0 } = (details ?? {}) as DetailsIn<"records.restored">;
    return { at: new Date(createdAt).toISOString(), from: String(from), until: String(until), kept: Number(kept) };
  });
}

/** How many entries are read at a time. */
export const PAGE_SIZE = 500;

/**
 * How many entries an export or a check handles in one part. A part is read in 200 pages, well under D1's limit for one
 * request (1,000 queries) and the platform's (30 s of processor time); the next part continues where it ends.
 */
export const PART_SIZE = 100_000;

/** Below every real position, so that an entry inserted at a negative position is found too. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

/** A seal that was noted elsewhere: the hash of entry number `count`. */
type Anchor = { count: number; hash: string };

export type TrailReport = {
  ok: boolean;
  /** How many sealed entries, from the first on, are intact. */
  checked: number;
  /** How many of the newest entries the sealer has not reached yet. */
  unsealed: number;
  /** How many entries that the sealer has passed have no seal: inserted by an intruder, or their seal was deleted. */
  unknown: number;
  /** `seq` of the first entry that was changed, deleted or inserted. */
  brokenAt?: number;
  /**
   * The database was restored: entries after number `kept` were lost, and later entries have their numbers now.
   * `lostSeal`: the noted seal belongs to a lost entry or to no known one, so it proves nothing about the present
   * trail.
   */
  restored?: { at: string; from: string; until: string; kept: number; lostSeal?: true };
  /** Hash of the last entry checked, to be noted elsewhere together with `checked`. */
  hash: string;
  /** The next part starts here. Absent at the end of the trail. */
  next?: Anchor;
};

type Checking = {
  /** A seal that was noted elsewhere. */
  anchor?: Anchor;
  /** Where the previous part ended, as its report said. */
  from?: Anchor;
  partSize?: number;
};

type Seal = { organizationId: string; seq: number; prevHash: string; hash: string };
type SealedRow = SealableRow & { position: number; seal: Seal | null };

/**
 * Verifies an organisation's chain from its first entry, or continues where an earlier part ended; `next` in the report
 * means that there is more. An anchor also detects a trail that was cut short, or entirely sealed again. Entries
 * written or sealed during the check count as not sealed yet.
 */
export async function verifyTrail(
  services: ReadServices,
  organizationId: string,
  checking: Checking = {},
): Promise<TrailReport> {
  const [report, restores] = await Promise.all([
    checkTrail(services, organizationId, checking),
    listRestored(services, organizationId),
  ]);
  const [newest] = restores;
  if (!newest) return report;
  const { anchor } = checking;
  const taken = anchor && restores.find(({ kept }) => anchor.count > kept);
  if (report.ok || !taken) return { ...report, restored: newest };
  // The mismatch is only with the noted seal, which may belong to a lost entry: verify the chain by itself.
  const itself = await checkTrail(services, organizationId, { ...checking, anchor: undefined });
  return { ...itself, restored: { ...taken, lostSeal: true } };
}

async function checkTrail(
  services: ReadServices,
  organizationId: string,
  { anchor, from, partSize = PART_SIZE }: Checking = {},
): Promise<TrailReport> {
  const tip = await findTip(services, organizationId);
  const sealedTo = await findLastSealed(services);
  const start = from && (await findSeal(services, organizationId, from));
  const state = { checked: from?.count ?? 0, unsealed: 0, unknown: 0, hash: from?.hash ?? FIRST_PREV_HASH };
  if (from && !start) return { ok: false, brokenAt: from.count, ...state };
  const end = state.checked + partSize;
  let position = start?.position ?? BEFORE_ALL;
  const broken = async (): Promise<TrailReport> => {
    const unknown = await countUnknown(services, organizationId, {
      from: start?.position ?? BEFORE_ALL,
      sealedTo,
      partSize,
    });
    return { ok: false, brokenAt: state.checked + 1, ...state, unknown };
  };
  for (;;) {
    const rows = await readRows(services, organizationId, position);
    for (const { seal, isIntact, ...row } of await hashRows(rows)) {
      if (row.position > sealedTo) {
        state.unsealed++;
        continue;
      }
      const seq = state.checked + 1;
      const isNext = seal?.seq === seq && seal.prevHash === state.hash && seal.organizationId === organizationId;
      const isAnchored = anchor?.count !== seq || anchor.hash === seal?.hash;
      if (!seal || !isIntact || !isNext || !isAnchored) return broken();
      state.checked = seq;
      state.hash = seal.hash;
    }
    position = rows.at(-1)?.position ?? position;
    if (rows.length < PAGE_SIZE) break;
    const isMore = (tip?.count ?? 0) > state.checked;
    if (state.checked >= end && isMore) return { ok: true, ...state, next: { count: state.checked, hash: state.hash } };
  }
  if ((tip?.count ?? 0) > state.checked || (anchor?.count ?? 0) > state.checked) return broken();
  return { ok: true, ...state };
}

/** Computes whether each row matches its seal. */
function hashRows(rows: readonly SealedRow[]) {
  return Promise.all(
    rows.map(async (row) => {
      const { seal } = row;
      return { ...row, isIntact: seal !== null && (await isIntact(row, seal)) };
    }),
  );
}

/** Position of the newest sealed entry of any organisation: the sealer has passed everything up to it. */
async function findLastSealed({ db }: ReadServices): Promise<number> {
  const [last] = await db.select({ position: max(auditSeals.position) }).from(auditSeals);
  return last?.position ?? 0;
}

/** The seal with which an earlier part ended, if it still exists and matches. */
async function findSeal({ db }: ReadServices, organizationId: string, { count, hash }: Anchor) {
  const [seal] = await db
    .select({ position: auditSeals.position })
    .from(auditSeals)
    .where(and(eq(auditSeals.organizationId, organizationId), eq(auditSeals.seq, count), eq(auditSeals.hash, hash)));
  return seal;
}

/** How many entries of one part lack a seal although the sealer has passed them. Only queried for a broken part. */
async function countUnknown(
  { db }: ReadServices,
  organizationId: string,
  { from, sealedTo, partSize }: { from: number; sealedTo: number; partSize: number },
): Promise<number> {
  const walk = db
    .select({ position: auditLogs.position })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        gt(auditLogs.position, from),
        lte(auditLogs.position, sealedTo),
      ),
    )
    .orderBy(asc(auditLogs.position))
    .limit(partSize)
    .as("walk");
  const [row] = await db
    .select({ count: count() })
    .from(walk)
    .leftJoin(auditSeals, eq(auditSeals.position, walk.position))
    .where(isNull(auditSeals.position));
  return row?.count ?? 0;
}

/** One page of entries with their seals, oldest first. */
export const selectSealed = ({ db }: ReadServices, condition: SQL | undefined) =>
  db
    .select({
      position: auditLogs.position,
      ...sealedColumns,
      seal: columnsOf(auditSeals, "organizationId", "seq", "prevHash", "hash"),
    })
    .from(auditLogs)
    .leftJoin(auditSeals, eq(auditSeals.position, auditLogs.position))
    .where(condition)
    .orderBy(asc(auditLogs.position))
    .limit(PAGE_SIZE);

const readRows = (services: ReadServices, organizationId: string, after: number): Promise<SealedRow[]> =>
  selectSealed(services, and(eq(auditLogs.organizationId, organizationId), gt(auditLogs.position, after)));

/** An organisation's newest seal, to be noted elsewhere; undefined before the first. */
export async function findTip({ db }: ReadServices, organizationId: string): Promise<Anchor | undefined> {
  const newest = db
    .select({ seq: max(auditSeals.seq) })
    .from(auditSeals)
    .where(eq(auditSeals.organizationId, organizationId));
  const [row] = await db
    .select({ count: auditSeals.seq, hash: auditSeals.hash })
    .from(auditSeals)
    .where(and(eq(auditSeals.organizationId, organizationId), eq(auditSeals.seq, newest)));
  return row;
}

type ExportedPart = {
  lines: ReadableStream<Uint8Array>;
  /** Numbers of the first and last entry in it; when there is none, the first is greater. */
  first: number;
  last: number;
  /** The next part starts after this entry; undefined at the end of the trail. */
  next?: number;
};

/**
 * One part of the trail as lines of JSON: sealed entries up to the present end, oldest first, read in pages while it is
 * sent. The first line of a part follows the last line of the part before, so all parts are checked as one file.
 *
 * `whole` shows the email addresses in details, with the `emailSalt` they were hashed with for the seal. Otherwise
 * digests replace them. A line that was sealed without a salt has its addresses masked and contains `"masked": true`:
 * its `hash` is that of the full entry, and it still follows the line before.
 */
export async function exportTrail(
  services: ReadServices,
  organizationId: string,
  { whole, after = 0, partSize = PART_SIZE }: { whole: boolean; after?: number; partSize?: number },
): Promise<ExportedPart> {
  const tip = await findTip(services, organizationId);
  const last = Math.min(tip?.count ?? 0, after + partSize);
  const encoder = new TextEncoder();
  let seq = after;
  const lines = new ReadableStream({
    async pull(controller) {
      const rows = await readSealed(services, organizationId, seq, last);
      const lines = await Promise.all(
        rows.map(async ({ seal, ...sealed }) => {
          const { row, salt, isMasked } = await forReader(sealed, seal, { whole });
          const entry = toExportedEntry(row, seal.seq);
          const about = { ...(salt !== null && { emailSalt: salt }), ...(isMasked && { masked: true }) };
          return `${JSON.stringify({ ...entry, prevHash: seal.prevHash, hash: seal.hash, ...about })}\n`;
        }),
      );
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      seq = rows.at(-1)?.seal.seq ?? seq;
      if (rows.length < PAGE_SIZE || seq >= last) controller.close();
    },
  });
  return { lines, first: after + 1, last, next: last < (tip?.count ?? 0) ? last : undefined };
}

function readSealed({ db }: ReadServices, organizationId: string, afterSeq: number, upToSeq: number) {
  return db
    .select({
      ...sealedColumns,
      seal: { seq: auditSeals.seq, prevHash: auditSeals.prevHash, hash: auditSeals.hash },
    })
    .from(auditSeals)
    .innerJoin(auditLogs, eq(auditLogs.position, auditSeals.position))
    .where(
      and(eq(auditSeals.organizationId, organizationId), gt(auditSeals.seq, afterSeq), lte(auditSeals.seq, upToSeq)),
    )
    .orderBy(asc(auditSeals.seq))
    .limit(PAGE_SIZE);
}

const hashField = z.string().regex(/^[0-9a-f]{64}$/, "hash is 64 hexadecimal digits");
const countField = z.coerce.number().int("count must be a whole number").min(1, "count must be at least 1");

/** A check: `?hash=&count=` is a seal noted elsewhere, `?after=&afterHash=` is where the previous part ended. */
const checkSchema = z
  .object({
    hash: hashField.optional(),
    count: countField.optional(),
    after: countField.optional(),
    afterHash: hashField.optional(),
  })
  .refine((asked) => (asked.hash === undefined) === (asked.count === undefined), {
    error: "hash and count must be sent together",
    path: ["count"],
  })
  .refine((asked) => (asked.after === undefined) === (asked.afterHash === undefined), {
    error: "after and afterHash belong together",
    path: ["after"],
  });

/** Where a check starts, and what it compares with. */
export const anchorSchema = checkSchema.transform(({ hash, count, after, afterHash }) => ({
  anchor: hash !== undefined && count !== undefined ? { hash, count } : undefined,
  from: after !== undefined && afterHash !== undefined ? { count: after, hash: afterHash } : undefined,
}));

/** `?after=` of an export: the number of the previous part's last entry. */
export const exportSchema = z.object({
  after: z.coerce.number().int("after must be a whole number").min(0, "after must be at least 0").optional(),
});
