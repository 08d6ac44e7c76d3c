import type { Condition } from "@db/precondition";
import { payeeChanges, payees } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import { type SystemActor, systemActor } from "~/kernel/actor";
import { runCommand } from "~/modules/commands/run-command.server";
import type { Services, WriteServices } from "~/services";
import { decidePromotion, type PaidPayment } from "./promotion";
import {
  listPromotionCandidates,
  PROMOTION_PAGE_SIZE,
  type PromotionCandidate,
  type PromotionKey,
  promotionFacts,
} from "./promotion.queries.server";
import { whitelistPayee } from "./whitelist.statements.server";

type Promoting = WriteServices & Pick<Services, "log">;

/** A run of a schedule may make about a thousand queries; what is beyond this many pages is found by the next runs. */
const MAX_PAGES = 300;
const MAX_PROMOTIONS = 400;

/**
 * Whitelists every payee that has earned it, of every organisation. Finds all due work each time: a run that is missed,
 * repeated or made twice at once changes nothing but when. Trouble with one payee is logged and stops no other.
 *
 * @returns how many payees were whitelisted
 */
export async function promoteEarnedPayees(services: Promoting): Promise<number> {
  const runId = services.ids.next();
  let promoted = 0;
  let after: PromotionKey | undefined;
  for (let page = 0; page < MAX_PAGES && promoted < MAX_PROMOTIONS; page++) {
    const candidates = await listPromotionCandidates(services, after);
    for (const candidate of candidates) {
      if (await tryPromote(services, candidate, runId)) promoted++;
    }
    after = candidates.at(-1);
    if (candidates.length < PROMOTION_PAGE_SIZE) return promoted;
  }
  services.log.warn("promotion.unfinished", { promoted });
  return promoted;
}

async function tryPromote(services: Promoting, candidate: PromotionCandidate, runId: string): Promise<boolean> {
  const { id: payeeId, organizationId } = candidate;
  try {
    const decision = decidePromotion(candidate, candidate.settings);
    return decision.promote && (await promote(services, candidate, decision, systemActor(organizationId, runId)));
  } catch (error) {
    services.log.error("promotion.failed", { organizationId, payeeId, error: String(error) });
    return false;
  }
}

/** @returns false when something changed since the facts were read; the next run looks again */
async function promote(
  services: Promoting,
  candidate: PromotionCandidate,
  { reason, payments }: { reason: string; payments: readonly PaidPayment[] },
  system: SystemActor,
): Promise<boolean> {
  const { db, clock, ids } = services;
  const { organizationId } = system;
  const payeeId = candidate.id;
  const { ok } = await runCommand(services, system, {
    conditions: [promotionIsEarned(services, candidate)],
    statements: [
      whitelistPayee(services, system, { payeeId, reason }),
      db.insert(payeeChanges).values({
        id: ids.next(),
        organizationId,
        payeeId,
        userId: null,
        field: "whitelisted",
        oldValue: "false",
        newValue: "true",
        createdAt: clock.now(),
      }),
    ],
    audit: [
      {
        action: "payee.promoted",
        entityType: "payee",
        entityId: payeeId,
        details: { reason, paymentIds: payments.map((payment) => payment.id) },
      },
    ],
    answer: undefined,
  });
  return ok;
}

/** The payee is as it was read, and nothing has come in that counts against it. */
function promotionIsEarned({ db }: Promoting, candidate: PromotionCandidate): Condition<"not_earned"> {
  const { latestVerification: latest } = candidate;
  const asRead =
    latest === null
      ? isNull(promotionFacts.latestVerification)
      : sql`${promotionFacts.latestVerification} = json_object('id', ${latest.id}, 'status', ${latest.status}, 'outcome', ${latest.outcome})`;
  const found = db
    .select({ one: sql`1` })
    .from(payees)
    .where(
      and(
        eq(payees.organizationId, candidate.organizationId),
        eq(payees.id, candidate.id),
        eq(payees.version, candidate.version),
        eq(payees.whitelisted, false),
        isNull(payees.disputedAt),
        isNull(payees.takenOffWhitelistAt),
        sql`NOT ${promotionFacts.hasOpenHold}`,
        sql`NOT ${promotionFacts.hasFailedPayment}`,
        asRead,
      ),
    );
  return { name: "not_earned", found };
}
