import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { allInOrder } from "~/kernel/all-in-order";
import type { PayeeDetails } from "~/kernel/payee";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import type { Policy } from "~/modules/accounts/organizations/policy";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { type IdempotentRequest, type ReadOnce, readOnce } from "~/modules/core/commands/idempotency.server";
import { atOneInstant } from "~/modules/core/commands/one-instant";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-fingerprint.server";
import type { Evidence } from "~/modules/payees/verifications/verification";
import type { VerificationSummary } from "~/modules/payees/verifications/verification.json";
import type { Services, WriteServices } from "~/services";
import { accountTaken, requireFreeAccount } from "./duplicate-payee.server";
import { isVouchedFor, openOrAcceptVouching, prepareVerification } from "./open-verification.server";
import type { PayeeSummary } from "./payee.json";
import { accountIsFree, insertPayees } from "./payee.statements.server";
import { getPayeeWithLatest } from "./payee-page.server";

/** A payee that was added just now, and its verification, which waits. */
type Opened = { payee: PayeeSummary; latest: VerificationSummary & { evidence: Evidence }; grade: null };

/** What nothing is known of yet, as the database has it. */
const NEW_PAYEE = {
  paymentCount: 0,
  lastPaymentDate: null,
  whitelisted: false,
  whitelistedAt: null,
  whitelistedById: null,
  whitelistedReason: null,
  whitelistGlobal: false,
  version: 1,
  bankDetailsChangedAt: null,
  renamedAt: null,
  takenOffWhitelistAt: null,
  contactChangedAt: null,
  disputedAt: null,
  draftSince: null,
};

const NEW_VERIFICATION = {
  status: "pending",
  method: "manual",
  matchType: "none",
  nameMatchScore: null,
  nameDifferences: null,
  verifiedName: null,
  resultData: null,
  outcome: null,
  reasonCode: null,
  verifiedByPayee: false,
  disputedByPayeeAt: null,
  rejectedReason: null,
  completedAt: null,
  isCalledBack: 0,
  decider: null,
} as const;

/** The payee that a person added with these details at this instant, without reading it back. */
function asOpened(
  { firstName, lastName, email }: Pick<Actor, "firstName" | "lastName" | "email">,
  details: PayeeDetails,
  opened: { payeeId: string; verificationId: string; evidence: Evidence; now: number },
): Opened {
  const { payeeId, verificationId, evidence, now } = opened;
  const { name, accountName, bsb, accountNumber } = details;
  const payee = { ...details, ...NEW_PAYEE, id: payeeId, createdAt: now, updatedAt: now };
  const latest = {
    ...NEW_VERIFICATION,
    ...{ accountName, bsb, accountNumber, evidence },
    id: verificationId,
    createdAt: now,
    payee: { id: payeeId, name, whitelistGlobal: false },
    requestedBy: { firstName, lastName, email },
  };
  return { payee, latest, grade: null };
}

type Adding = WriteServices & Pick<Services, "secrets">;

export type AddedPayee = { payeeId: string; verificationId: string };

/** A payee with its verification, as an answer shows them. */
export type ShownPayee = (Awaited<ReturnType<typeof getPayeeWithLatest>> | Opened) & {
  /** The first answer to a key, given again. */
  isRepeated: boolean;
};

type Asked = {
  details: PayeeDetails;
  idempotencyKey?: string;
};

type Judging = {
  payeeId: string;
  digests: Awaited<ReturnType<typeof fingerprintPayee>>;
  policy: Policy;
  prepared: Awaited<ReturnType<typeof prepareVerification>>;
};

/** Everything that a new payee is judged by, and the first answer to its key. */
export type PayeeReading = ReadOnce<Judging, AddedPayee>;

/**
 * Reads what a new payee is judged by. It only reads, so it may be run before it is known who is asking.
 * @throws AppError 409 IDEMPOTENCY_CONFLICT
 */
export function readForPayee(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets">,
  actor: Pick<Actor, "userId" | "organizationId">,
  { details, idempotencyKey: key }: Asked,
): Promise<PayeeReading> {
  const { organizationId } = actor;
  return readOnce(services, actor, { operation: "add payee", key, input: details }, async () => {
    const payeeId = services.ids.next();
    const [, , digests, policy, prepared] = await allInOrder([
      requireLiveSubscription(services, organizationId),
      requireFreeAccount(services, organizationId, details),
      fingerprintPayee(services, details),
      findPolicy(services, organizationId),
      prepareVerification(services, actor, { payeeId, details, cause: "payee_added" }),
    ]);
    return { payeeId, digests, policy, prepared };
  });
}

/**
 * Adds a payee and opens its verification with everything known of the account. The same key again is answered with the
 * payee it made; an account that the organisation has is answered with the payee that has it.
 *
 * @param reading what `readForPayee` reads for this very input and person, where that has begun already
 * @throws AppError 402 SUBSCRIPTION_REQUIRED; 409 DUPLICATE_PAYEE with `payeeId`, IDEMPOTENCY_CONFLICT
 */
export async function addPayee(
  services: Adding,
  actor: Actor,
  asked: Asked,
  reading: Promise<PayeeReading> = readForPayee(services, actor, asked),
): Promise<AddedPayee> {
  const { first, request, facts } = await reading;
  return first ?? (await writePayee(atOneInstant(services), actor, asked, { request, judging: facts() }));
}

/**
 * The same for an answer that shows the payee with its bank details. What a person typed just now is not revealed to them;
 * a repeated key answers what the payee has become, which may be another person's number by now.
 */
export async function addAndShowPayee(
  services: Adding,
  actor: Actor,
  asked: Asked,
  reading: Promise<PayeeReading> = readForPayee(services, actor, asked),
): Promise<ShownPayee> {
  const { first, request, facts } = await reading;
  if (first) return { ...(await getPayeeWithLatest(services, actor, first.payeeId)), isRepeated: true };
  const judging = facts();
  const still = atOneInstant(services);
  const { payeeId } = await writePayee(still, actor, asked, { request, judging });
  const isRepeated = payeeId !== judging.payeeId;
  if (isRepeated || isVouchedFor(judging.policy, judging.prepared, undefined, still.clock.now())) {
    return { ...(await getPayeeWithLatest(services, actor, payeeId)), isRepeated };
  }
  return { ...asOpened(actor, asked.details, { ...judging.prepared, now: still.clock.now() }), isRepeated };
}

type Writing = { request: IdempotentRequest | undefined; judging: Judging };

/** @param services at one instant: the answer names the time that the rows have */
async function writePayee(
  services: Adding,
  actor: Actor,
  { details }: Asked,
  { request, judging }: Writing,
): Promise<AddedPayee> {
  const { organizationId } = actor;
  const { payeeId, digests, policy, prepared } = judging;
  const entry = { entityType: "payee", entityId: payeeId } as const;
  const added = { ...details, accountNumber: maskAccountNumber(details.accountNumber) };
  const result = await runCommand(services, actor, {
    conditions: [accountIsFree(organizationId, details)],
    uniques: { account_taken: "payees" },
    statements: insertPayees(services, actor, [{ id: payeeId, details, ...digests }]),
    parts: openOrAcceptVouching(services, actor, prepared, { policy }),
    audit: [{ ...entry, action: "payee.added", details: added }],
    request,
    answer: { payeeId, verificationId: prepared.verificationId },
  });
  if (!result.ok) throw await accountTaken(services, organizationId, details);
  return result.answer;
}
