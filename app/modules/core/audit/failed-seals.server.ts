import { auditLogs, auditSeals } from "@db/database";
import { findWalk, saveWalk } from "@db/walk";
import { and, desc, eq, gt, lte, max, sql } from "drizzle-orm";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { type ReadServices, systemActor, type WriteServices } from "~/services-and-actor";
import { FIRST_PREV_HASH, isIntact } from "./entry";
import { PAGE_SIZE, selectSealed } from "./seals.server";

/** The entry of an organisation's trail that does not match its seal. */
export type FailedSeal = {
  brokenAt: number;
  /** The trail is consistent in itself, but does not match the seal that was noted elsewhere for this entry. */
  kept?: true;
};

/**
 * The audit entry that reports a failed seal, from which alerts are made: once for each failed entry, however often it
 * is found. If the report itself is deleted, it is written again.
 */
export function failedSealSaid(organizationId: string, failed: FailedSeal) {
  const about = { entityType: "audit_seal", entityId: `${failed.kept ? "kept " : ""}${failed.brokenAt}` } as const;
  const said = sql`SELECT 1 FROM ${auditLogs} WHERE "organizationId" = ${organizationId}
    AND "entityType" = ${about.entityType} AND "entityId" = ${about.entityId}`;
  return {
    conditions: [{ name: "said_already", found: sql`SELECT 1 WHERE NOT EXISTS (${said})` }],
    audit: [{ ...about, action: "audit.seal_failed", details: failed } as const],
  };
}

/**
 * Reports a check that a person ran and that found the trail broken in itself. Does not report a mismatch with a seal
 * that they typed, or with a starting point in the middle, because one wrong digit would alarm everybody.
 */
export async function reportBrokenTrail(
  services: WriteServices,
  { organizationId }: { organizationId: string },
  { anchor, from }: { anchor?: unknown; from?: unknown },
  report: { ok: boolean; brokenAt?: number },
): Promise<void> {
  if (report.ok || report.brokenAt === undefined || anchor || from) return;
  const actor = systemActor(organizationId, services.ids.next());
  await runCommand(services, actor, failedSealSaid(organizationId, { brokenAt: report.brokenAt }));
}

/** How many pages of entries one run verifies; the next continues. */
const MAX_PAGES = 20;
const WALK = "seals checked";

/**
 * Verifies the seals of all entries again, part of the trail in each run, and starts again when the end is reached.
 * Each entry is compared with its own seal and with the seal before it, so no part has to fit into one run.
 * @returns how many organisations were told of a failed seal
 */
export async function checkSeals(services: WriteServices): Promise<number> {
  const { db, clock } = services;
  const walk = await findWalk(db, WALK, clock.now(), 0);
  const [last] = await db.select({ position: max(auditSeals.position) }).from(auditSeals);
  const sealedTo = last?.position ?? 0;
  if (!walk || sealedTo === 0) return 0;
  let position = walk.key === "" ? Number.MIN_SAFE_INTEGER : Number(walk.key);
  let told = 0;
  for (let pages = 0; pages < MAX_PAGES && position < sealedTo; pages++) {
    const { failed, reached } = await checkPage(services, position, sealedTo);
    for (const [organizationId, brokenAt] of failed) {
      services.log.error("audit.seal_failed", { organizationId, brokenAt });
      const actor = systemActor(organizationId, services.ids.next());
      const { ok } = await runCommand(services, actor, failedSealSaid(organizationId, { brokenAt }));
      if (ok) told++;
    }
    position = reached;
  }
  const isAtEnd = position >= sealedTo;
  await saveWalk(db, { ...walk, key: String(position) }, isAtEnd ? clock.now() : null);
  return told;
}

/**
 * One page of all entries. An entry cannot be deleted without its seal, which refers to it; if both are deleted, the
 * next seal lacks its predecessor. @returns the first mismatching entry of each organisation, and how far the check got
 */
async function checkPage(services: WriteServices, after: number, sealedTo: number) {
  const rows = await readPage(services, after, sealedTo);
  const reached = rows.length < PAGE_SIZE ? sealedTo : (rows.at(-1)?.position ?? sealedTo);
  const failed = new Map<string, number>();
  const note = (organizationId: string, seq: number) =>
    failed.set(organizationId, Math.min(failed.get(organizationId) ?? seq, seq));
  const before = await readSealsBefore(services, rows);
  for (const { position, seal, ...row } of rows) {
    // An entry without a seal before a sealed entry was inserted by an intruder, or its seal was deleted.
    if (!seal) note(row.organizationId, await nextSeq(services, row.organizationId, position));
    else if (
      seal.organizationId !== row.organizationId ||
      !(await isIntact(row, seal)) ||
      before.get(`${seal.organizationId} ${seal.seq - 1}`) !== (seal.seq === 1 ? undefined : seal.prevHash) ||
      (seal.seq === 1 && seal.prevHash !== FIRST_PREV_HASH)
    )
      note(row.organizationId, seal.seq);
  }
  return { failed, reached };
}

const readPage = (services: ReadServices, after: number, sealedTo: number) =>
  selectSealed(services, and(gt(auditLogs.position, after), lte(auditLogs.position, sealedTo)));

type Page = Awaited<ReturnType<typeof readPage>>;

/** The hash of the seal before each seal of a page, by organisation and number. */
async function readSealsBefore({ db }: ReadServices, rows: Page): Promise<Map<string, string>> {
  const asked = JSON.stringify(rows.flatMap(({ seal }) => (seal ? [[seal.organizationId, seal.seq - 1]] : [])));
  const found = await db
    .select({ organizationId: auditSeals.organizationId, seq: auditSeals.seq, hash: auditSeals.hash })
    .from(sql`json_each(${asked})`)
    .innerJoin(
      auditSeals,
      and(sql`${auditSeals.organizationId} = json_each.value ->> 0`, sql`${auditSeals.seq} = json_each.value ->> 1`),
    );
  return new Map(found.map(({ organizationId, seq, hash }) => [`${organizationId} ${seq}`, hash]));
}

/** The number that the unsealed entry at a position would have had. */
async function nextSeq({ db }: ReadServices, organizationId: string, position: number): Promise<number> {
  const [before] = await db
    .select({ seq: auditSeals.seq })
    .from(auditSeals)
    .where(and(eq(auditSeals.organizationId, organizationId), lte(auditSeals.position, position)))
    .orderBy(desc(auditSeals.seq))
    .limit(1);
  return (before?.seq ?? 0) + 1;
}
