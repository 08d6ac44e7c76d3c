import { paymentRecords } from "@db/schema";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { allInOrder } from "~/kernel/all-in-order";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import type { Policy } from "~/modules/accounts/organizations/policy";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { type IdempotentRequest, type ReadOnce, readOnce } from "~/modules/core/commands/idempotency.server";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import { showDetails } from "~/modules/core/record-reveal.server";
import { gatherFacts, readFactsOf } from "~/modules/payments/payment-facts/facts.server";
import { factsHold } from "~/modules/payments/payment-facts/facts-hold.server";
import { cameFrom } from "~/modules/payments/payment-facts/first-payment.server";
import type { PaymentLimits } from "~/modules/payments/payment-facts/payment-limits";
import { findPaymentLimits } from "~/modules/payments/payment-facts/payment-limits.server";
import { runRules } from "~/modules/rules";
import { saveDecisionRecord } from "~/modules/rules/decision-record.statements.server";
import type { PaymentFacts } from "~/modules/rules/facts";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import { referenceKey } from "~/modules/rules/reference-key";
import type { Services, WriteServices } from "~/services";
import type { NewPayment } from "./new-payment";
import { type RuleDecision, ruleDecision } from "./payment";
import type { PaymentSummary } from "./payment.json";
import { getPayment, type PaymentDetail, payeeKeepsChanging } from "./payment.server";

type Recording = WriteServices & Pick<Services, "secrets">;

export type RecordedPayment = {
  payment: PaymentSummary & { reasons: PaymentReason[] };
  decision: RuleDecision;
  reasons: PaymentReason[];
  /** The first answer to a key, given again: the trail does not keep yet that the account is shown now. */
  isRepeated: boolean;
};

type Asked = {
  payment: NewPayment;
  idempotencyKey?: string;
  /** The answer shows the payee's account, which the trail keeps. */
  showsAccount?: boolean;
};

type Judging = { policy: Policy; limits: PaymentLimits; facts: PaymentFacts };

/** Everything that a payment is judged by, and the first answer to its key: an id. */
export type PaymentReading = ReadOnce<Judging, string>;

/** A payee may be edited, or the same payment recorded, at the very moment of recording: the rules then run again. */
const TRIES = 5;

/**
 * Reads what a payment is judged by. It only reads, so it may be run before it is known who is asking.
 * @throws AppError 409 IDEMPOTENCY_CONFLICT
 */
export function readForPayment(
  services: Pick<Services, "db" | "clock" | "secrets">,
  actor: Pick<Actor, "userId" | "organizationId">,
  { payment, idempotencyKey: key }: Asked,
): Promise<PaymentReading> {
  const { organizationId } = actor;
  return readOnce(services, actor, { operation: "record payment", key, input: payment }, async () => {
    const [, policy, limits, factsOf] = await allInOrder([
      requireLiveSubscription(services, organizationId),
      findPolicy(services, organizationId),
      findPaymentLimits(services, organizationId),
      readFactsOf(services, { organizationId }, [payment]),
    ]);
    const context = { organizationId, policy, limits, recordedById: actor.userId, nameWidth: null };
    return { policy, limits, facts: onlyOne(factsOf(context)) };
  });
}

/**
 * Records a payment: runs every rule on the facts as they are when it commits, and answers what they decided. The same
 * key again is answered as the first time, whatever has become of the payment since.
 *
 * @param reading what `readForPayment` reads for this very input and person, where that has begun already
 * @throws AppError 404 for a payee that is not the organisation's; 402 SUBSCRIPTION_REQUIRED; 409 IDEMPOTENCY_CONFLICT,
 * PAYEE_CHANGING
 */
export async function recordPayment(
  services: Recording,
  actor: Actor,
  asked: Asked,
  reading: Promise<PaymentReading> = readForPayment(services, actor, asked),
): Promise<RecordedPayment> {
  const { request, first, facts } = await reading;
  if (first !== undefined) return answerAgain(services, actor, first);
  const written = await writePayment(services, actor, asked, { request, judging: facts() });
  return typeof written === "string" ? answerAgain(services, actor, written) : written;
}

/** The first answer to a key. */
const answerAgain = async (services: Recording, actor: Actor, paymentId: string): Promise<RecordedPayment> =>
  asRecorded(await getPayment(services, actor, paymentId));

/** @returns the id of the payment that the same request recorded at the same moment, where that was first */
async function writePayment(
  services: Recording,
  actor: Actor,
  { payment, showsAccount }: Asked,
  { request, judging }: { request: IdempotentRequest | undefined; judging: Judging },
): Promise<RecordedPayment | string> {
  const { organizationId, userId: recordedById } = actor;
  const { policy, limits } = judging;
  const { ruleLevels: levels } = policy;
  const context = { organizationId, policy, limits, recordedById, nameWidth: null };
  for (let attempt = 1, { facts } = judging; attempt <= TRIES; attempt++) {
    const reasons = runRules(facts, levels);
    const row = toRow(services, actor, { facts, reasons, description: payment.description });
    const { id } = row;
    const result = await runCommand(services, actor, {
      conditions: factsHold({ organizationId }, [facts]),
      parts: [
        insertPayment(services, row, facts),
        { statements: await saveDecisionRecord(services, organizationId, { paymentId: id, facts, levels }) },
        ...(showsAccount ? [showDetails(services, actor, { entityType: "payment", entityId: id })] : []),
      ],
      request,
      answer: id,
    });
    if (result.ok) return result.answer === id ? toRecorded(row, facts) : result.answer;
    facts = onlyOne(await gatherFacts(services, context, [payment]));
  }
  throw payeeKeepsChanging();
}

function onlyOne(facts: readonly PaymentFacts[]): PaymentFacts {
  const [one] = facts;
  if (!one) throw new Error("facts were asked for one payment and none came");
  return one;
}

type Row = ReturnType<typeof toRow>;

function toRow(
  { clock, ids }: Recording,
  { organizationId, userId }: Actor,
  judged: { facts: PaymentFacts; reasons: PaymentReason[]; description: string | null },
) {
  const { facts, reasons, description } = judged;
  const { amount, reference, account, payee } = facts;
  const { accountName, bsb, accountNumber } = account;
  const now = clock.now();
  return {
    id: ids.next(),
    organizationId,
    payeeId: payee?.id ?? null,
    amount,
    reference,
    accountName,
    bsb,
    accountNumber,
    description,
    status: ruleDecision(reasons),
    reasons,
    recordedById: userId,
    referenceKey: referenceKey(reference),
    createdAt: now,
    updatedAt: now,
  };
}

/** The payment and its audit entry. */
function insertPayment({ db }: Recording, row: Row, { accountingOrigin: origin }: PaymentFacts): CommandPart {
  const { id, payeeId, amount, reference, accountName, bsb, accountNumber, status: decision, reasons } = row;
  const details = {
    ...{ payeeId, amount, reference, accountName, bsb, accountNumber: maskAccountNumber(accountNumber) },
    decision,
    reasons: reasons.map(({ rule, level }) => ({ rule, level })),
    ...(decision === "authorised" && origin?.isFirstPayment && { firstFromAccounting: cameFrom(origin) }),
  };
  return {
    statements: [db.insert(paymentRecords).values(row)],
    audit: [{ action: "payment.recorded", entityType: "payment", entityId: id, details }],
  };
}

const SINCE = { verificationId: null, failureReason: null, processedAt: null };

/** The payment that was written just now: nothing is read back for its answer. */
function toRecorded(row: Row, { payee }: PaymentFacts): RecordedPayment {
  const { reasons, status: decision } = row;
  const payment = { ...row, ...SINCE, payee: payee && { id: payee.id, name: payee.name } };
  return { payment, decision, reasons, isRepeated: false };
}

/** The payment as it was answered when it was recorded. */
function asRecorded(payment: PaymentDetail): RecordedPayment {
  const { reasons, createdAt } = payment;
  const decision = ruleDecision(reasons);
  return {
    payment: { ...payment, ...SINCE, status: decision, updatedAt: createdAt },
    decision,
    reasons,
    isRepeated: true,
  };
}
