import { type Condition, payees } from "@db/database";
import { and, eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import type { BankQuestionCause, VerificationMethod } from "~/kernel/enums";
import { lastChangeOf, type PayeeDetails } from "~/kernel/payee";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import type { Policy } from "~/modules/accounts/organizations/policy";
import { findPolicy, policyIsUnchanged } from "~/modules/accounts/organizations/policy.server";
import {
  type Acting,
  type CommandPart,
  type IdempotentRequest,
  runCommand,
  runOnce,
} from "~/modules/core/commands/run-command.server";
import { whitelistPayee } from "~/modules/payees/payee.server";
import { gatherEvidence } from "~/modules/payees/verifications/evidence.server";
import { gradeDetails, gradeOf } from "~/modules/payees/verifications/outcomes";
import {
  barToVouching,
  countLookalikes,
  type FlagFacts,
  flagsOnOpening,
  type RuleSubject,
} from "~/modules/payees/verifications/review-flags";
import type { Evidence } from "~/modules/payees/verifications/verification";
import { endVerification, lastDecisionOf, openVerifications } from "~/modules/payees/verifications/verification.server";
import { returnRequestedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { Actor, ReadServices, Services, WriteServices } from "~/services-and-actor";
import { findPendingVerification, getPayee, payeeArchived, payeeIsUnchanged } from "./payee.server";

type Opening = {
  payeeId: string;
  /** The details to verify; for a stored payee, also when its details or name changed and whether it is trusted. */
  details: PayeeDetails & { bankDetailsChangedAt?: number | null; renamedAt?: number | null; whitelisted?: boolean };
  /** Why it opens, for the audit trail. */
  cause: "payee_added" | "requested" | "sent_by_payee" | "bulk_check" | "asked_again" | (typeof CHANGES)[number];
};

/** Causes in which verified details changed or were restored: these come first in the review queue. */
const CHANGES = ["details_edited", "payee_renamed", "details_restored"] as const;

/**
 * Causes for which the payee's bank is asked automatically (`bank-checks/ask-automatically.server.ts`). Not "requested",
 * because the person has a separate button for that.
 */
const ASKS: Partial<Record<Opening["cause"], BankQuestionCause>> = {
  payee_added: "payee_added",
  sent_by_payee: "payee_added",
  details_edited: "details_changed",
  payee_renamed: "details_changed",
};

type Prepared = Opening & { verificationId: string; evidence: Evidence };

/** Prepares a new verification: gathers its evidence before the batch. */
export async function prepareVerification(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets">,
  actor: Pick<Actor, "organizationId">,
  opening: Opening,
): Promise<Prepared> {
  const { organizationId } = actor;
  const { payeeId, details } = opening;
  const known = opening.cause === "payee_added" ? null : payeeId;
  const evidence = await gatherEvidence(services, { organizationId, payeeId: known, details });
  return { ...opening, verificationId: services.ids.next(), evidence };
}

/** Inserts the prepared verification as pending. */
export function openPrepared(
  services: Pick<Services, "db" | "clock" | "config">,
  actor: Pick<Acting, "userId" | "organizationId">,
  prepared: Prepared,
  method: VerificationMethod = "manual",
): CommandPart {
  const { verificationId, payeeId, details, cause, evidence } = prepared;
  const { bankDetailsChangedAt = null, renamedAt = null, whitelisted } = details;
  const isChanged = lastChangeOf({ bankDetailsChangedAt, renamedAt }) !== null && whitelisted === false;
  const isOfChange = CHANGES.some((change) => change === cause) || isChanged;
  const asks = method === "manual" ? (ASKS[cause] ?? null) : null;
  const submitted = { id: verificationId, payeeId, details, evidence, method, isOfChange, asks };
  const entry = { action: "verification.opened", entityId: verificationId } as const;
  return {
    statements: openVerifications(services, actor, [submitted]),
    audit: [{ ...entry, details: { payeeId, cause } }],
  };
}

/**
 * Inserts the prepared verification. If the organisation accepts vouching and enough others vouch, it is verified at
 * once and the payee trusted. If the organisation stops accepting it at the same moment, the verification stays
 * pending.
 */
export async function openOrAcceptVouching<Result extends { ok: true } | { ok: false; refused: string }>(
  services: Pick<Services, "db" | "clock" | "ids" | "config">,
  actor: Actor,
  prepared: Prepared,
  { policy, known }: { policy: Vouching; known?: KnownSubject },
  write: (opening: { conditions: readonly Condition<"policy_changed">[]; parts: CommandPart[] }) => Promise<Result>,
): Promise<Result> {
  if (isVouchedFor(policy, prepared, known, services.clock.now())) {
    const { acceptVouching: accepted, secondPersonRequired } = policy;
    const asJudged = policyIsUnchanged(
      actor.organizationId,
      { acceptVouching: accepted, secondPersonRequired },
      services.clock.now(),
    );
    const trusted = [openPrepared(services, actor, prepared, "whitelist"), acceptVouching(services, actor, prepared)];
    const result = await write({ conditions: [asJudged], parts: trusted });
    if (result.ok || result.refused !== asJudged.name) return result;
  }
  return write({ conditions: [], parts: [openPrepared(services, actor, prepared)] });
}

/** The policy values that decide about vouching. */
type Vouching = Pick<Policy, "acceptVouching" | "secondPersonRequired">;

/** A payee that already exists. */
export type KnownSubject = { payee: RuleSubject["payee"] & FlagFacts["payee"]; wasRejected: boolean };

/** How many exact matches by other organisations' vouching count as verification, if an organisation accepts that. */
const VOUCHINGS_ACCEPTED = 3;

const NEW_PAYEE = {
  disputedAt: null,
  draftSince: null,
  takenOffWhitelistAt: null,
  archivedAt: null,
  bankDetailsChangedAt: null,
  renamedAt: null,
  contactChangedAt: null,
  whitelisted: false,
};

/**
 * True if enough organisations trust the account under this name, none under a different one, and no bar applies;
 * otherwise a person decides.
 *
 * @param known absent for a payee that is being added
 * @param now epoch milliseconds: when the verification opens
 */
function isVouchedFor(
  policy: Vouching,
  { details, evidence: { vouching, lookalikes, formerHolders = [] } }: Pick<Prepared, "details" | "evidence">,
  known: KnownSubject | undefined,
  now: number,
): boolean {
  if (!policy.acceptVouching || vouching.exact < VOUCHINGS_ACCEPTED || vouching.different > 0) return false;
  const payee = { ...(known?.payee ?? NEW_PAYEE), name: details.name };
  const flags = flagsOnOpening({
    createdAt: now,
    ...countLookalikes(lookalikes),
    formerHolders: formerHolders.length,
    accountName: details.accountName,
    payee,
  });
  return !barToVouching({ flags, payee, wasRejected: known?.wasRejected ?? false }, policy);
}

/** The grade of a verification by vouching, without an answer from a bank. */
const VOUCHED = gradeOf({
  ...{ status: "verified", method: "whitelist", outcome: null, source: null, decider: "rule" },
  ...{ institutionDiffers: false, isCalledBack: false },
});

/** Ends the new verification as verified by other organisations' vouching, and trusts the payee. */
function acceptVouching(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Actor,
  { verificationId, payeeId, evidence }: Prepared,
): CommandPart {
  const system = { userId: null, organizationId: actor.organizationId };
  const reason = `${evidence.vouching.exact} other organisations trust this account under the same name`;
  const decisionId = services.ids.next();
  const ending = { decisionId, verificationId, status: "verified", reason, reasonCode: "vouched_for" } as const;
  return {
    statements: [...endVerification(services, system, ending), whitelistPayee(services, system, { payeeId, reason })],
    audit: [
      {
        entityId: verificationId,
        bySystem: true,
        action: "verification.approved",
        details: { payeeId, reason, ...gradeDetails(VOUCHED) },
      },
      { action: "payee.whitelisted", entityId: payeeId, bySystem: true, details: { reason } },
    ],
  };
}

type Ending = { payeeId: string; verificationId: string; reason: string; reasonCode: string };

/** Ends a verification that is no longer needed: failed, not rejected, because it proves nothing about the payee. */
export function endPending(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Acting,
  { payeeId, verificationId, reason, reasonCode }: Ending,
): CommandPart {
  const ending = { decisionId: services.ids.next(), verificationId, status: "failed", reason, reasonCode } as const;
  const entry = { action: "verification.superseded", entityId: verificationId } as const;
  return {
    statements: [
      ...endVerification(services, actor, ending),
      ...returnRequestedPayments(services, actor, verificationId),
    ],
    audit: [{ ...entry, details: { payeeId, reasonCode } }],
  };
}

type Started = { verificationId: string };

/**
 * Opens a new verification of a payee's present details. Repeating the idempotency key returns the verification that it
 * opened.
 * @throws AppError 404; 402 SUBSCRIPTION_REQUIRED; 409 PAYEE_ARCHIVED, VERIFICATION_PENDING with `verificationId`,
 * EDIT_CONFLICT, IDEMPOTENCY_CONFLICT
 */
export function startVerification(services: WriteServices, actor: Actor, payeeId: string, idempotencyKey?: string) {
  const asked = { operation: "start verification", key: idempotencyKey, input: payeeId };
  return runOnce(services, actor, asked, (request) => writeVerification(services, actor, payeeId, request));
}

async function writeVerification(
  services: WriteServices,
  actor: Actor,
  payeeId: string,
  request: IdempotentRequest | undefined,
): Promise<Started> {
  const payee = await getPayee(services, actor, payeeId);
  if (payee.archivedAt !== null) throw payeeArchived("verified");
  await requireNonePending(services, actor, payeeId);
  await requireLiveSubscription(services, actor.organizationId);
  const [policy, prepared] = await Promise.all([
    findPolicy(services, actor.organizationId),
    prepareVerification(services, actor, { payeeId, details: payee, cause: "requested" }),
  ]);
  const wasRejected = policy.acceptVouching && (await findLastDecision(services, actor, payeeId)) === "rejected";
  const known = { payee, wasRejected };
  const result = await openOrAcceptVouching(services, actor, prepared, { policy, known }, ({ conditions, parts }) =>
    runCommand(services, actor, {
      conditions: [payeeIsUnchanged(services, actor.organizationId, payee), ...conditions],
      uniques: { verification_pending: "verifications" },
      parts,
      request,
      answer: { verificationId: prepared.verificationId },
    }),
  );
  if (result.ok) return result.answer;
  await requireNonePending(services, actor, payeeId);
  throw new AppError("EDIT_CONFLICT", "Someone changed this payee at the same moment. Check it, then try again.");
}

async function findLastDecision({ db }: ReadServices, { organizationId }: Actor, payeeId: string) {
  const [row] = await db
    .select({ status: lastDecisionOf(organizationId, payees.id) })
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId)));
  return row?.status ?? null;
}

async function requireNonePending(services: ReadServices, actor: Actor, payeeId: string): Promise<void> {
  const verificationId = await findPendingVerification(services, actor, payeeId);
  if (verificationId === undefined) return;
  throw new AppError("VERIFICATION_PENDING", "A verification of this payee is already waiting for a decision.", {
    extra: { verificationId },
  });
}
