import { alertChoices, auditSeals, columnsOf, keptSeals } from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { findWalk, walkOrganizations } from "@db/walk";
import { and, eq, or, sql } from "drizzle-orm";
import * as z from "zod";
import { HOUR_MS, showTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { failedSealSaid } from "~/modules/core/audit/failed-seals.server";
import { anchorSchema, findTip, verifyTrail } from "~/modules/core/audit/seals.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { AlertEventName } from "~/modules/messages/alerts/events";
import { type Actor, type ReadServices, type Services, systemActor, type WriteServices } from "~/services-and-actor";

/** Daily seals of an organisation's trail that were sent to administrators who asked for them. */

/** A seal that was sent out: that of entry number `count`. */
export type KeptSeal = { count: number; hash: string };

const EVENT: AlertEventName = "daily_seal";
/** How many organisations one run handles; the next continues. A walk starts once a day. */
const RUN = 500;
const EVERY_MS = 20 * HOUR_MS;

/**
 * Sends out each organisation's newest seal if an administrator asked for daily seals: stores it in the audit trail,
 * from which an alert carries it outside. Then compares every seal that was ever sent with the trail.
 * @returns how many seals were sent
 */
export async function keepSeals(services: WriteServices): Promise<number> {
  const { db, clock } = services;
  const walk = await findWalk(db, "seals-kept", clock.now(), EVERY_MS);
  if (!walk) return 0;
  let kept = 0;
  await walkOrganizations(db, walk, { now: clock.now(), budget: RUN }, async (ids) => {
    for (const id of await listAsking(services, ids)) if (await keepSeal(services, id)) kept++;
    for (const { organizationId, seq } of await listFailed(services, ids))
      await runCommand(
        services,
        systemActor(organizationId, services.ids.next()),
        failedSealSaid(organizationId, { brokenAt: seq, kept: true }),
      );
    return ids.length;
  });
  return kept;
}

async function listAsking({ db }: ReadServices, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ organizationId: alertChoices.organizationId })
    .from(alertChoices)
    .where(
      and(
        sql`${alertChoices.organizationId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        eq(alertChoices.event, EVENT),
        or(eq(alertChoices.inApp, true), sql`${alertChoices.email} <> 'off'`, eq(alertChoices.sms, true)),
      ),
    );
  return rows.map(({ organizationId }) => organizationId);
}

async function keepSeal(services: WriteServices, organizationId: string): Promise<boolean> {
  const { db, clock, ids } = services;
  const [tip, [last]] = await Promise.all([
    findTip(services, organizationId),
    selectKept(services, organizationId).orderBy(sql`${keptSeals.seq} DESC`).limit(1),
  ]);
  // The only newer entry is the one about the last seal, so there is nothing new to prove.
  if (!tip || (last && tip.count <= last.count + 1)) return false;
  const { count, hash } = tip;
  const { ok } = await runCommand(services, systemActor(organizationId, ids.next()), {
    conditions: [
      {
        name: "kept_already",
        found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${keptSeals} WHERE "organizationId" = ${organizationId} AND "seq" = ${count})`,
      },
    ],
    statements: [db.insert(keptSeals).values({ organizationId, seq: count, hash, keptAt: clock.now() })],
    audit: [
      { action: "audit.seal_kept", entityType: "organization", entityId: organizationId, details: { count, hash } },
    ],
  });
  return ok;
}

const selectKept = ({ db }: ReadServices, organizationId: string) =>
  db
    .select({ count: keptSeals.seq, hash: keptSeals.hash })
    .from(keptSeals)
    .where(eq(keptSeals.organizationId, organizationId));

/** For each organisation, the first sent seal that does not match its trail. */
function listFailed({ db }: ReadServices, ids: readonly string[]) {
  return db
    .select({ organizationId: keptSeals.organizationId, seq: sql<number>`min(${keptSeals.seq})` })
    .from(keptSeals)
    .leftJoin(
      auditSeals,
      and(eq(auditSeals.organizationId, keptSeals.organizationId), eq(auditSeals.seq, keptSeals.seq)),
    )
    .where(
      and(
        sql`${keptSeals.organizationId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        sql`${auditSeals.hash} IS NOT ${keptSeals.hash}`,
      ),
    )
    .groupBy(keptSeals.organizationId);
}

const PAGE_SIZE = 50;

/** One page of the sent seals, newest first, each with whether it still matches the trail. */
async function listKeptSeals({ db }: ReadServices, organizationId: string, after: number | undefined) {
  const page = keySetPage<number>({ after }, { size: PAGE_SIZE });
  const found = await db
    .select({
      count: keptSeals.seq,
      ...columnsOf(keptSeals, "hash", "keptAt"),
      isHeld: sql<number>`${auditSeals.hash} IS ${keptSeals.hash}`,
    })
    .from(keptSeals)
    .leftJoin(auditSeals, and(eq(auditSeals.organizationId, organizationId), eq(auditSeals.seq, keptSeals.seq)))
    .where(and(eq(keptSeals.organizationId, organizationId), page.beyond(keptSeals.seq)))
    .orderBy(page.order(keptSeals.seq))
    .limit(page.limit);
  const { rows, next } = page.cut(found, ({ count }) => count);
  return { seals: rows.map(({ isHeld, ...seal }) => ({ ...seal, isHeld: isHeld === 1 })), next };
}

/** A typed seal; an invalid number or hash is reported beside its field. */
const typedSeal = z.object({
  count: z.coerce
    .number("Enter the number of the entry")
    .int("Enter a whole number")
    .min(1, "Enter the number of the entry"),
  hash: z
    .string()
    .transform((text) => text.replace(/\s/g, "").toLowerCase())
    .refine(
      (text) => /^[0-9a-f]{64}$/.test(text),
      "Enter the 64 characters of the seal: digits and the letters a to f",
    ),
});

/** Whether the trail matches a seal that somebody kept: `another` or `missing` if it does not. */
async function checkTypedSeal(
  services: ReadServices & Pick<Services, "secrets">,
  organizationId: string,
  asked: { count: string; hash: string; after: string; afterHash: string },
) {
  const typed = typedSeal.safeParse(asked);
  if (!typed.success) return { errors: z.flattenError(typed.error).fieldErrors };
  const { count, hash } = typed.data;
  const [row] = await services.db
    .select({ hash: auditSeals.hash })
    .from(auditSeals)
    .where(and(eq(auditSeals.organizationId, organizationId), eq(auditSeals.seq, count)));
  if (!row) return { problem: "missing" as const, count };
  if (row.hash !== hash) return { problem: "another" as const, count };
  const part = anchorSchema.safeParse({ after: asked.after || undefined, afterHash: asked.afterHash || undefined });
  const report = await verifyTrail(services, organizationId, {
    anchor: { count, hash },
    from: part.success ? part.data.from : undefined,
  });
  return { report, checkHref: withQuery(appPaths.auditSeals, { count: String(count), hash }) };
}

/** Reads the page of sent seals: its rows, and the result of checking a typed one. */
export async function readSealsPage(
  services: ReadServices & Pick<Services, "clock" | "secrets">,
  { organizationId, timeZone }: Actor,
  url: URL,
) {
  const read = (name: string) => url.searchParams.get(name)?.trim().slice(0, 200) ?? "";
  const asked = { count: read("count"), hash: read("hash"), after: read("after"), afterHash: read("afterHash") };
  const older = Number(read("older"));
  const after = Number.isSafeInteger(older) && older > 0 ? older : undefined;
  const [{ seals, next }, checked] = await Promise.all([
    listKeptSeals(services, organizationId, after),
    asked.count || asked.hash ? checkTypedSeal(services, organizationId, asked) : undefined,
  ]);
  const zone = { timeZone, now: services.clock.now() };
  return {
    asked,
    checked,
    seals: seals.map(({ keptAt, count, hash, isHeld }) => ({
      ...{ count, hash, isHeld },
      kept: showTime(keptAt, zone),
      checkHref: withQuery(appPaths.auditSeals, { count: String(count), hash }),
    })),
    newestHref: after ? appPaths.auditSeals : undefined,
    nextHref: next ? withQuery(appPaths.auditSeals, { older: String(next) }) : undefined,
  };
}
