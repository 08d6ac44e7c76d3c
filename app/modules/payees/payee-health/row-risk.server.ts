import { payeeFindings } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { type Actor, canAdminister } from "~/kernel/actor";
import type { HealthKind } from "~/kernel/enums";
import { approvedAt, findRedFlags, payeeStatus } from "~/kernel/payee";
import type { ListedPayee } from "~/modules/payees/payee-list.server";
import type { ReadServices, Services } from "~/services";
import { KINDS_IN_ORDER } from "./findings";
import type { HealthRun } from "./health.server";
import { type RiskView, riskOf } from "./row-risk";

/** What only administrators are told. */
export const maySeeKind = (actor: Actor, kind: HealthKind): boolean => kind !== "staff_account" || canAdminister(actor);

type Looked = { id: string; createdAt: number };
type Found = { kinds: HealthKind[]; startedAt: number };

/**
 * The risk of each payee of a page, in its order.
 * @param runs the organisation's newest health reports, as `listRuns` lists them
 */
export async function findRisks(
  services: ReadServices & Pick<Services, "clock">,
  actor: Actor,
  { shown, runs }: { shown: readonly ListedPayee[]; runs: readonly HealthRun[] },
): Promise<RiskView[]> {
  const findings = await findFindingsOf(services, actor, { shown, runs });
  // The same object for the same words: the page sends it to the browser once, however many of its rows have it.
  const told = new Map<string, RiskView>();
  return shown.map((payee) => {
    const status = payeeStatus(payee, payee.latest);
    const verifiedAt = approvedAt(payee, payee.verified);
    const flags = findRedFlags(payee, status, services.clock.now(), payee.latest);
    const risk = riskOf({ status, flags, verifiedAt }, findings.get(payee.id) ?? null);
    const key = `${risk.word} ${risk.note} ${risk.title}`;
    const before = told.get(key) ?? risk;
    told.set(key, before);
    return before;
  });
}

/**
 * What the last finished health report found of the payees of a page, by payee id. A payee that it did not look at has no
 * entry; one without findings has an empty list. Each finding is looked up by its key: rows read depend on the page.
 */
async function findFindingsOf(
  services: ReadServices,
  actor: Actor,
  { shown, runs }: { shown: readonly Looked[]; runs: readonly HealthRun[] },
): Promise<Map<string, Found>> {
  const last = runs.find(({ status }) => status === "finished");
  if (!last) return new Map();
  const { id: runId, startedAt, totals } = last;
  const looked = shown.filter(({ createdAt }) => createdAt < startedAt).map(({ id }) => id);
  const kinds = KINDS_IN_ORDER.filter((kind) => totals[kind] && maySeeKind(actor, kind));
  const rows = await services.db
    .select({ payeeId: payeeFindings.payeeId, kind: payeeFindings.kind })
    .from(payeeFindings)
    .where(
      and(
        eq(payeeFindings.organizationId, actor.organizationId),
        eq(payeeFindings.runId, runId),
        sql`${payeeFindings.kind} IN (SELECT "value" FROM json_each(${JSON.stringify(kinds)}))`,
        sql`${payeeFindings.payeeId} IN (SELECT "value" FROM json_each(${JSON.stringify(looked)}))`,
      ),
    );
  const found = new Map<string, Found>(looked.map((id) => [id, { kinds: [], startedAt }]));
  for (const { payeeId, kind } of rows) found.get(payeeId)?.kinds.push(kind);
  return found;
}
