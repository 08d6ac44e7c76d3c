import { type Condition, type Statement, verificationCalls, verifications } from "@db/database";
import { and, desc, eq, gt, isNotNull, or, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { findPolicy, policyIsUnchanged } from "~/modules/accounts/organizations/policy.server";
import type { EntryOf } from "~/modules/core/audit/audit";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import { unwhitelistPayee, whitelistPayee } from "~/modules/payees/payee.server";
import { holdAuthorisedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { Actor, ReadServices, WriteServices } from "~/services-and-actor";
import { getPayee, type PayeeRow, payeeArchived, payeeIsUnchanged } from "./payee.server";
import { findApprovalOfPayee, isOwnWork } from "./second-person.server";
import { isConfirmedByBank } from "./verifications/review-flags";
import { isConclusive } from "./verifications/verification";

export type WhitelistInput = {
  payeeId: string;
  reason: string;
  /** The version that the person saw; absent: the current one. */
  version?: number;
};

/**
 * Trusts a payee's present details manually. Does nothing if the payee is trusted already. If the organisation approves
 * only details that a bank or a call-back has confirmed, this command requires the same.
 * @returns whether anything changed
 * @throws AppError 404; 403 SECOND_PERSON_REQUIRED; 409 PAYEE_ARCHIVED, REASON_REQUIRED, EDIT_CONFLICT
 */
export async function whitelistByHand(services: WriteServices, actor: Actor, input: WhitelistInput): Promise<boolean> {
  const payee = await getPayee(services, actor, input.payeeId);
  if (payee.whitelisted) return false;
  if (payee.archivedAt !== null) throw payeeArchived("put on the whitelist");
  const [policy, approval] = await Promise.all([
    findPolicy(services, actor.organizationId),
    findApprovalOfPayee(services, actor, payee),
  ]);
  const selfApproval = isOwnWork(approval, actor.userId);
  if (policy.secondPersonRequired && selfApproval) throw secondPersonRequired();
  const { secondPersonRequired: isSecondRequired, approvalEvidence } = policy;
  if (approvalEvidence === "check_or_call_back" && !(await isConfirmed(services, actor, payee))) throw unconfirmed();
  const { payeeId, reason } = input;
  await change(services, actor, payee, {
    seenVersion: input.version,
    policy: policyIsUnchanged(
      actor.organizationId,
      { secondPersonRequired: isSecondRequired, approvalEvidence },
      services.clock.now(),
    ),
    statement: whitelistPayee(services, actor, { payeeId, reason }),
    action: "payee.whitelisted",
    details: { reason, selfApproval },
  });
  return true;
}

/** How many of the newest answers are searched for one that says something about the details. */
const MAX_ANSWERS = 20;

/** True if a bank or a call-back that counts confirmed the present details and name, and no bank contradicted since. */
async function isConfirmed(
  { db }: ReadServices,
  { organizationId }: Actor,
  { id, accountName, bsb, accountNumber, renamedAt }: PayeeRow,
): Promise<boolean> {
  const called = sql<number>`EXISTS (SELECT 1 FROM ${verificationCalls} AS "call" WHERE "call"."organizationId" = ${organizationId}
    AND "call"."verificationId" = ${verifications.id} AND "call"."outcome" = 'confirmed' AND "call"."noProof" IS NULL)`;
  const answers = await db
    .select({ outcome: verifications.outcome, resultData: verifications.resultData, isCalled: called })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        eq(verifications.payeeId, id),
        eq(verifications.accountName, accountName),
        eq(verifications.bsb, bsb),
        eq(verifications.accountNumber, accountNumber),
        gt(verifications.createdAt, (renamedAt ?? 0) - 1),
        or(isNotNull(verifications.outcome), called),
      ),
    )
    .orderBy(desc(verifications.id))
    .limit(MAX_ANSWERS);
  const newest = answers.find(({ outcome, isCalled }) => isCalled || (outcome !== null && isConclusive(outcome)));
  return newest !== undefined && (newest.isCalled === 1 || isConfirmedByBank(newest));
}

const unconfirmed = () =>
  new AppError(
    "REASON_REQUIRED",
    "Your organisation approves only what a bank or a call-back has confirmed, and neither has confirmed these details. Verify the payee or record a call, then approve its verification.",
    { extra: { flags: ["unchecked"], requires: "check_or_call_back" } },
  );

/**
 * - `taken_off`: it was on the whitelist and has been removed
 * - `forgotten`: it was off already because its details or name changed; its former trust is now forgotten, so
 *   restoring the details cannot bring it back
 * - `was_off`: it was off already, and nothing changed
 */
export type TakenOff = "taken_off" | "forgotten" | "was_off";

/**
 * Takes a payee off both whitelists manually, and holds its authorised payments again. If it was off already, its
 * former trust is forgotten, so that rejecting the present details cannot restore it.
 * @throws AppError 404; 409 EDIT_CONFLICT
 */
export async function unwhitelistByHand(services: WriteServices, actor: Actor, input: WhitelistInput) {
  const payee = await getPayee(services, actor, input.payeeId);
  const isOn = payee.whitelisted || payee.whitelistGlobal;
  if (!isOn && payee.formerTrust === null) return "was_off";
  const held = holdAuthorisedPayments(services, actor, { payee, cause: "taken_off_whitelist" });
  await change(services, actor, payee, {
    seenVersion: input.version,
    statement: unwhitelistPayee(services, actor, payee.id),
    parts: [held],
    action: "payee.unwhitelisted",
    details: { reason: input.reason, whitelistGlobal: payee.whitelistGlobal, ...(isOn ? {} : { wasOff: true }) },
  });
  return isOn ? "taken_off" : "forgotten";
}

/** The messages about putting a payee on the whitelist or taking it off, for pages and API answers. */
export const TRUST_NOTICES = {
  taken_off: { title: "Taken off the whitelist", text: null },
  forgotten: {
    title: "Not on the whitelist",
    text: "It was already off the whitelist. Its former details are forgotten too, so that rejecting the change cannot restore trust in them.",
  },
  was_off: { title: "Not on the whitelist", text: "It was already off the whitelist. Nothing was changed." },
  added: { title: "Added to the whitelist", text: null },
  was_on: { title: "Already on the whitelist", text: "It was already on the whitelist. Nothing was changed." },
} as const satisfies Record<string, { title: string; text: string | null }>;

type Change = EntryOf<"payee.whitelisted" | "payee.unwhitelisted"> & {
  seenVersion: number | undefined;
  /** The condition from the organisation's policy. */
  policy?: Condition<"policy_changed">;
  statement: Statement;
  parts?: CommandPart[];
};

async function change(services: WriteServices, actor: Actor, payee: PayeeRow, decided: Change): Promise<void> {
  const { seenVersion, policy, statement, parts, ...entry } = decided;
  if (seenVersion !== undefined && seenVersion !== payee.version) throw editConflict();
  const result = await runCommand(services, actor, {
    conditions: [payeeIsUnchanged(services, actor.organizationId, payee), ...(policy ? [policy] : [])],
    statements: [statement],
    audit: [{ ...entry, entityId: payee.id }],
    parts,
  });
  if (!result.ok) throw result.refused === "policy_changed" ? policyChanged() : editConflict();
}

const editConflict = () =>
  new AppError("EDIT_CONFLICT", "Someone changed this payee after you opened it. Check the details, then decide.");

const policyChanged = () =>
  new AppError(
    "EDIT_CONFLICT",
    "Your organisation's policies have just changed, so nothing was done. Look again, then decide.",
  );

const secondPersonRequired = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    "Your organisation requires a second person: people who entered the bank details here or in the accounting system they came from, connected that system or asked for the verification cannot put the payee on the whitelist.",
  );
