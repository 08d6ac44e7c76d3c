import { auditLogs, auditSeals } from "@db/schema/index";
import { and, asc, count, desc, eq, gt, isNull, lte, max, type SQL } from "drizzle-orm";
import * as z from "zod";
import type { ReadServices } from "~/services";
import type { Said } from "./audit";
import { sealedColumns } from "./audit.server";
import { FIRST_PREV_HASH, forReader, isIntact, type SealableRow, toExportedEntry } from "./entry";

/** The time that a restore of the database took away, in ISO 8601. */
export type Restored = { from: string; until: string };

/** Restores that a check looks at: the newest. */
const MOST = 20;

/** What an organisation's trail says of restores, newest first. The entries are sealed like any other. */
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
    const { from = "", until = "", kept = 0 } = (details ?? {}) as Said<"records.restored">;
    return { at: new Date(createdAt).toISOString(), from: String(from), until: String(until), kept: Number(kept) };
  });
}

/** Entries that are read at a time. */
export const PAGE_SIZE = 500;

/**
 * Entries in one part of an export, and of a check. A part is read in 200 pages, which stays well under what D1 allows
 * one request (1,000 queries) and the platform (30 s of processor time); the next part goes on where it ends.
 */
export const PART_SIZE = 100_000;

/** Nobody's position: an entry slipped in at a negative one is found too. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

/** A tip that was noted down elsewhere: the hash of entry number `count`. */
type Anchor = { count: number; hash: string };

export type TrailReport = {
  ok: boolean;
  /** Sealed entries found unbroken, from the first on. */
  checked: number;
  /** Newest entries that the sealer has not reached yet. */
  unsealed: number;
  /** Entries that the sealer has passed and that have no seal: slipped in, or robbed of their seal. */
  unknown: number;
  /** `seq` of the first entry that was changed, removed or slipped in. */
  brokenAt?: number;
  /**
   * The database was restored: entries after number `kept` were lost, and others have their numbers now. `lostSeal`: the
   * seal that was noted down is of a lost entry, or of none that is known, so it proves nothing about what is here.
   */
  restored?: { at: string; from: string; until: string; kept: number; lostSeal?: true };
  /** Hash of the last entry checked, to be kept elsewhere with `checked` as an anchor. */
  hash: string;
  /** The trail goes on: the next part is checked from here. Absent at its end. */
  next?: Anchor;
};

type Checking = {
  /** A tip that was noted down elsewhere. */
  anchor?: Anchor;
  /** Where the part before ended, as its report said. */
  from?: Anchor;
  partSize?: number;
};

type Seal = { organizationId: string; seq: number; prevHash: string; hash: string };
type SealedRow = SealableRow & { position: number; seal: Seal | null };

/**
 * Recomputes an organisation's chain from its first entry, or goes on where an earlier part ended; `next` in the report
 * says that there is more. An anchor also finds a trail whose end was cut off, or that was sealed anew as a whole. What is
 * written or sealed while this runs counts as not sealed yet.
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
  // Broken only against the seal, which may be of an entry that was lost: the chain itself says whether it is whole.
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

/** Whether each row is what its seal was computed from. */
function hashRows(rows: readonly SealedRow[]) {
  return Promise.all(
    rows.map(async (row) => {
      const { seal } = row;
      return { ...row, isIntact: seal !== null && (await isIntact(row, seal)) };
    }),
  );
}

/** Position of the newest entry of any organisation that has a seal: everything up to it was sealed. */
async function findLastSealed({ db }: ReadServices): Promise<number> {
  const [last] = await db.select({ position: max(auditSeals.position) }).from(auditSeals);
  return last?.position ?? 0;
}

/** The seal that an earlier part ended with, if it is still there and says the same. */
async function findSeal({ db }: ReadServices, organizationId: string, { count, hash }: Anchor) {
  const [seal] = await db
    .select({ position: auditSeals.position })
    .from(auditSeals)
    .where(and(eq(auditSeals.organizationId, organizationId), eq(auditSeals.seq, count), eq(auditSeals.hash, hash)));
  return seal;
}

/** Entries of one part without a seal that the sealer has passed. Asked only of a broken part. */
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

/** Entries with their seals, oldest first: a page of them. */
export const selectSealed = ({ db }: ReadServices, condition: SQL | undefined) =>
  db
    .select({
      position: auditLogs.position,
      ...sealedColumns,
      seal: {
        organizationId: auditSeals.organizationId,
        seq: auditSeals.seq,
        prevHash: auditSeals.prevHash,
        hash: auditSeals.hash,
      },
    })
    .from(auditLogs)
    .leftJoin(auditSeals, eq(auditSeals.position, auditLogs.position))
    .where(condition)
    .orderBy(asc(auditLogs.position))
    .limit(PAGE_SIZE);

const readRows = (services: ReadServices, organizationId: string, after: number): Promise<SealedRow[]> =>
  selectSealed(services, and(eq(auditLogs.organizationId, organizationId), gt(auditLogs.position, after)));

/** The newest seal of an organisation: an anchor to keep elsewhere; undefined before the first. */
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
  /** Numbers of the first and the last entry in it; the first is greater where there is none. */
  first: number;
  last: number;
  /** The next part holds the entries after this one; undefined at the end of the trail. */
  next?: number;
};

/**
 * One part of the trail: sealed entries up to the tip as it is now, oldest first, as lines of JSON. Read in pages while it
 * is sent. The first line of a part follows the last of the part before, so parts are checked as one file.
 *
 * `whole` shows the email addresses in details, with the `emailSalt` that they were hashed with for the seal. Without it the
 * digests stand in their place. A line that was sealed without a salt has its addresses masked and says `"masked": true`: its
 * `hash` is that of the whole entry, and it still follows the line before.
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
const countField = z.coerce.number().int("count is a whole number").min(1, "count is at least 1");

/** `?hash=&count=` of the trail's check: a tip that was noted down elsewhere. `?after=&afterHash=`: where a part ended. */
const checkSchema = z
  .object({
    hash: hashField.optional(),
    count: countField.optional(),
    after: countField.optional(),
    afterHash: hashField.optional(),
  })
  .refine((asked) => (asked.hash === undefined) === (asked.count === undefined), {
    error: "hash and count belong together",
    path: ["count"],
  })
  .refine((asked) => (asked.after === undefined) === (asked.afterHash === undefined), {
    error: "after and afterHash belong together",
    path: ["after"],
  });

/** What a check is asked to begin from and to compare with. */
export const anchorSchema = checkSchema.transform(({ hash, count, after, afterHash }) => ({
  anchor: hash !== undefined && count !== undefined ? { hash, count } : undefined,
  from: after !== undefined && afterHash !== undefined ? { count: after, hash: afterHash } : undefined,
}));

/** `?after=` of an export: the number of the last entry of the part before. */
export const exportSchema = z.object({
  after: z.coerce.number().int("after is a whole number").min(0, "after is at least 0").optional(),
});
