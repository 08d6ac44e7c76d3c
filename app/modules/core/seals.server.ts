import { auditLogs, auditSeals } from "@db/database";
import { releaseLease, takeLease } from "@db/lease";
import { and, asc, gt, max, sql } from "drizzle-orm";
import { MINUTE_MS } from "~/kernel/dates";
import { sealedColumns } from "~/modules/core/audit/audit.server";
import { asSealed, FIRST_PREV_HASH, type SealableRow, sealText } from "~/modules/core/audit/entry";
import { giveWay } from "~/modules/core/commands/outbox.server";
import { runStep } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services-and-actor";

type Seal = { organizationId: string; seq: number; position: number; prevHash: string; hash: string };

const LEASE_MS = 2 * MINUTE_MS;
const PAGE_SIZE = 500;
/** As much as one run can do well within its time; the next continues. */
const MAX_PAGES = 20;

/**
 * Seals every audit row without a seal, chained per organisation in commit order.
 *
 * Continues from the last sealed position, one batch per page, so that a run that dies loses nothing. If two runs start
 * at once, one does the work; running again with nothing new changes nothing.
 *
 * @returns how many rows were sealed
 */
export function sealAuditTrail(services: WriteServices): Promise<number> {
  return runPages(services, { lease: "audit-sealer", leaseMs: LEASE_MS, maxPages: MAX_PAGES }, async () => {
    const done = await sealNextPage(services);
    return { done, hasMore: done === PAGE_SIZE };
  });
}

async function sealNextPage(services: WriteServices): Promise<number> {
  const { db, clock } = services;
  const [last] = await db.select({ position: max(auditSeals.position) }).from(auditSeals);
  const lastPosition = last?.position ?? 0;
  const rows = await db
    .select({ position: auditLogs.position, ...sealedColumns })
    .from(auditLogs)
    .where(gt(auditLogs.position, lastPosition))
    .orderBy(asc(auditLogs.position))
    .limit(PAGE_SIZE);
  if (rows.length === 0) return 0;
  const seals = await chain(services, rows);
  // The lease may have expired by now, so the page is written only if nobody has sealed meanwhile.
  const unsealed = sql`SELECT 1 WHERE (SELECT coalesce(max("position"), 0) FROM ${auditSeals}) = ${lastPosition}`;
  const insert = db.insert(auditSeals).select(
    sql`SELECT value ->> 'organizationId', value ->> 'seq', value ->> 'position', value ->> 'prevHash', value ->> 'hash',
          ${clock.now()} FROM json_each(${JSON.stringify(seals)})`,
  );
  const { ok } = await runStep(services, {
    conditions: [{ name: "sealed_meanwhile", found: unsealed }],
    statements: [insert],
  });
  return ok ? seals.length : 0;
}

/** Each row's seal, continuing from the end of its organisation's chain. */
async function chain(services: WriteServices, rows: readonly (SealableRow & { position: number })[]): Promise<Seal[]> {
  const tips = await readTips(services, [...new Set(rows.map((row) => row.organizationId))]);
  const seals: Seal[] = [];
  for (const row of rows) {
    const { organizationId, position } = row;
    const tip = tips.get(organizationId) ?? { seq: 0, hash: FIRST_PREV_HASH };
    const seq = tip.seq + 1;
    const hash = await services.secrets.hashToken(sealText(await asSealed(row), seq, tip.hash));
    seals.push({ organizationId, seq, position, prevHash: tip.hash, hash });
    tips.set(organizationId, { seq, hash });
  }
  return seals;
}

async function readTips({ db }: WriteServices, organizationIds: readonly string[]) {
  const rows = await db
    .select({ organizationId: auditSeals.organizationId, seq: auditSeals.seq, hash: auditSeals.hash })
    .from(sql`json_each(${JSON.stringify(organizationIds)})`)
    .crossJoin(auditSeals)
    .where(
      and(
        sql`${auditSeals.organizationId} = json_each.value`,
        sql`${auditSeals.seq} = (SELECT max(tip."seq") FROM ${auditSeals} AS tip WHERE tip."organizationId" = json_each.value)`,
      ),
    );
  return new Map(rows.map(({ organizationId, ...tip }) => [organizationId, tip]));
}

interface Run {
  lease: string;
  /** How much one run does at most; the next continues. */
  maxPages: number;
  /** How long other runs wait after a run that died, in milliseconds. */
  leaseMs?: number;
}

/**
 * Work in pages, each its own batch: if two runs start at once, one does the work, and a run that dies loses nothing
 * that it has written.
 * @returns the sum of the pages' counts
 */
async function runPages(
  { db, clock, ids }: WriteServices,
  { lease: name, maxPages, leaseMs = MINUTE_MS }: Run,
  nextPage: () => Promise<{ done: number; hasMore: boolean }>,
): Promise<number> {
  const holder = ids.next();
  if (!(await takeLease(db, { name, holder, now: clock.now(), ttlMs: leaseMs }))) return 0;
  let sum = 0;
  try {
    for (let count = 0; count < maxPages; count++) {
      const { done, hasMore } = await nextPage();
      sum += done;
      if (!hasMore) break;
      await giveWay();
    }
  } finally {
    await releaseLease(db, name, holder);
  }
  return sum;
}
