import { systemName } from "~/kernel/accounting-system";
import { formatBsb, institutionOf, maskAccountNumber } from "~/kernel/bank-account";
import { addMonths, formatDate, formatDateTime, toIso } from "~/kernel/dates";
import type { CheckOutcome } from "~/kernel/enums";
import { type PayeeStatus, payeeStatus } from "~/kernel/payee";
import { prepareName, scoreIfAlike } from "~/modules/name-match";
import type { Finding, PayeeFacts, PaymentFacts, Rule } from "./facts";

/** Holds a payment to a payee that answered "These are not my details", until a decision clears the dispute. */
export const payeeDisputed: Rule = {
  id: "payee_disputed",
  label: "The payee said that these are not their details",
  version: 1,
  defaultLevel: "hold",
  decidedIndividually: "always",
  find({ payee, timeZone }) {
    if (!payee || payee.disputedAt === null) return undefined;
    const on = formatDateTime(payee.disputedAt, timeZone);
    return {
      message: `${payee.name} told us on ${on} that these are not its bank details. Call it on a number you know.`,
      evidence: { payeeId: payee.id, disputedAt: toIso(payee.disputedAt) },
    };
  },
};

/** How far the payee is trusted with its present details. Disputes are left to another rule. */
function trustOf(payee: PayeeFacts): PayeeStatus {
  return payeeStatus({ ...payee, renamedAt: payee.renamedAt ?? null, disputedAt: null }, payee.latest);
}

const WHY: Record<PayeeStatus, string> = {
  pending: "its verification is still waiting for a decision",
  changed: "its bank details changed and the new ones have not been verified",
  rejected: "its last verification was rejected",
  failed: "its last verification failed",
  taken_off: "someone took it off the whitelist, and no one has decided about it since",
  disputed: "it disputes its bank details",
  verified: "",
  whitelisted: "",
};

/** What a bank said while the verification waits. Another rule handles answers against the account. */
const ANSWERED: Partial<Record<CheckOutcome, string>> = {
  match: " The bank confirmed the account.",
  close_match: " The bank has the account under a similar name.",
  unable: " The bank was asked and could not answer.",
};
const RENAMED = "it was renamed and has not been verified under its new name";

const DRAFT = "it sent its details itself, and no one has accepted them";

const ARCHIVED = "it was archived, and a person has to restore it before it is paid again";

const UNKNOWN = "This account is not one of your payees. Add it as a payee and verify it before you pay.";
/** Another rule says whose account it used to be. */
const UNKNOWN_NOW = "This account belongs to none of your payees today.";

function unknownPayeeSentence({ formerHolder, timeZone }: PaymentFacts): string {
  if (!formerHolder) return UNKNOWN;
  if (formerHolder.account) return UNKNOWN_NOW;
  return `This account was ${formerHolder.name}'s until its bank details changed on ${formatDate(formerHolder.changedAt, timeZone)}. Look at the change before you pay.`;
}

function unknownAccount(facts: PaymentFacts): Finding {
  const { account, formerHolder } = facts;
  const { bsb, accountNumber, accountName } = account;
  return {
    message: unknownPayeeSentence(facts),
    evidence: {
      ...(formerHolder ? { formerPayeeId: formerHolder.payeeId } : {}),
      accountName,
      bsb,
      accountNumber: maskAccountNumber(accountNumber),
      institution: institutionOf(bsb)?.name ?? null,
    },
  };
}

function whyNotTrusted(payee: PayeeFacts): string {
  if (payee.archivedAt !== undefined) return ARCHIVED;
  if (payee.draftSince !== undefined) return DRAFT;
  const trust = trustOf(payee);
  return trust === "changed" && isOfName(payee) ? RENAMED : WHY[trust];
}

/** True if the pending verification is about the payee's name: its bank details did not change with it or after it. */
const isOfName = ({ bankDetailsChangedAt: bank, renamedAt }: PayeeFacts): boolean => (bank ?? 0) < (renamedAt ?? 0);

/** Holds a payment to a payee that nobody has verified, or to an account that belongs to no payee. */
export const payeeNotTrusted: Rule = {
  id: "payee_not_trusted",
  label: "The payee is neither whitelisted nor verified",
  version: 2,
  defaultLevel: "hold",
  /** Payments to a draft are always held, because no person has accepted the payee. */
  floor: ({ payee }) => (payee?.draftSince === undefined ? undefined : "hold"),
  find(facts) {
    const { payee } = facts;
    if (!payee) return unknownAccount(facts);
    const trust = trustOf(payee);
    if (trust === "whitelisted" || trust === "verified") return undefined;
    const answered = (payee.latest?.outcome && ANSWERED[payee.latest.outcome]) ?? "";
    return {
      message: `${payee.name} is neither whitelisted nor verified: ${whyNotTrusted(payee)}.${answered}`,
      evidence: { payeeId: payee.id, payeeStatus: trust, verificationId: payee.latest?.id ?? null },
    };
  },
  note({ bsb, accountNumber, institution }) {
    if (typeof bsb !== "string" || typeof accountNumber !== "string") return undefined;
    return [institution, `${formatBsb(bsb)} ${accountNumber}`].filter((part) => typeof part === "string").join(", ");
  },
};

/**
 * Holds a payment to an account from an accounting system when nobody knows who entered it there and the person
 * recording the payment also trusted the payee: that person may have entered it.
 */
export const onePerson: Rule = {
  id: "one_person",
  label: "One person alone approves and pays an account from the accounting system",
  version: 1,
  defaultLevel: "hold",
  /** The organisation requires a second person, and setting a rule's level cannot bypass that. */
  isFixed: true,
  floor: ({ accountingOrigin }) => (accountingOrigin?.isOnePerson ? "hold" : undefined),
  find({ payee, accountingOrigin, timeZone }) {
    if (!payee || !accountingOrigin?.isOnePerson) return undefined;
    const { system, cameAt } = accountingOrigin;
    return {
      message: `The bank details of ${payee.name} came from ${systemName(system)} on ${formatDate(cameAt, timeZone)}, and it is not known who entered them there. The person who recorded this payment also approved them, so another person has to approve the payment.`,
      evidence: { payeeId: payee.id, system, cameAt: toIso(cameAt) },
    };
  },
};

/**
 * Holds a payment to a payee whose email domain could be mistaken for its former domain, another payee's or the
 * organisation's own.
 */
export const lookalikeDomain: Rule = {
  id: "lookalike_domain",
  label: "The email domain looks like a known one, and is not",
  version: 2,
  defaultLevel: "hold",
  find({ payee, lookalikeDomain: found }) {
    if (!payee || !found) return undefined;
    return {
      message: `The email address of ${payee.name} is at ${found.domain}, which is easily mistaken for ${found.known}.`,
      evidence: { payeeId: payee.id, ...found },
    };
  },
};

/** Warns when the payee's last payment came back: the account may still be wrong. */
export const paymentReturned: Rule = {
  id: "payment_returned",
  label: "The last payment to the payee came back",
  version: 1,
  defaultLevel: "warn",
  find({ payee, lastReturned, timeZone }) {
    if (!payee || !lastReturned) return undefined;
    const { id, returnedAt, reason } = lastReturned;
    const why = reason ? `: ${reason}` : "";
    return {
      message: `The last payment to ${payee.name} came back on ${formatDate(returnedAt, timeZone)}${why}.`,
      evidence: { payeeId: payee.id, paymentId: id, returnedAt: toIso(returnedAt), reason },
    };
  },
};

/**
 * Warns when a payee's last verification is older than the organisation allows. A payment that arrived in the meantime
 * counts as well as a verification.
 */
export const verificationStale: Rule = {
  id: "verification_stale",
  label: "The last verification is too old",
  version: 1,
  defaultLevel: "warn",
  find({ payee, now, reverifyAfterMonths, timeZone }) {
    const last = payee?.latestDecided;
    if (!payee || last?.status !== "verified") return undefined;
    const verifiedAt = last.completedAt ?? last.createdAt;
    const since = addMonths(now, -reverifyAfterMonths);
    if (verifiedAt >= since || (payee.lastPaymentDate ?? 0) >= since) return undefined;
    return {
      message: `${payee.name} was last verified on ${formatDate(verifiedAt, timeZone)}, and no payment to it has been processed for ${monthsOf(reverifyAfterMonths)}.`,
      evidence: { payeeId: payee.id, verificationId: last.id, verifiedAt: toIso(verifiedAt), reverifyAfterMonths },
    };
  },
};

const monthsOf = (months: number) => (months === 1 ? "a month" : `${months} months`);

/**
 * Warns when the business register has cancelled the payee's ABN, does not list it, or lists it only under other names.
 * If the register has not answered, the rule finds nothing.
 */
export const abnInactive: Rule = {
  id: "abn_inactive",
  label: "The ABN is cancelled, or its name does not match",
  version: 3,
  defaultLevel: "warn",
  find({ payee, register }) {
    if (!payee || !register) return undefined;
    const { abn, state, names } = register;
    const evidence = { payeeId: payee.id, abn, state, registerNames: names };
    if (state === "not_found")
      return { message: `The business register does not have the ABN of ${payee.name}.`, evidence };
    if (state === "cancelled") {
      return { message: `The business register says that the ABN of ${payee.name} is cancelled.`, evidence };
    }
    // Some entries have no name to compare with, for example a sole trader without a registered name.
    const [first] = names;
    if (first === undefined) return undefined;
    const own = [prepareName(payee.name), prepareName(payee.accountName)];
    const isKnown = names.some((name) => own.some((mine) => scoreIfAlike(mine, name) !== undefined));
    if (isKnown) return undefined;
    return { message: `The business register knows the ABN of ${payee.name} as “${first}”.`, evidence };
  },
};
