import { systemName } from "~/kernel/accounting-system";
import { formatBsb, institutionOf, isPaymentCompany } from "~/kernel/bank-account";
import { formatDate, formatDateTime, toIso } from "~/kernel/dates";
import { areChangedTogether, CONTACT_AND_BANK_WINDOW_DAYS, isForCurrentDetails } from "~/kernel/payee";
import { accountStandingWords, standingClause } from "./account-standing";
import type { LastChangeFact, PayeeFacts, PaymentFacts, Rule } from "./facts";

/** Rules that compare the account being paid with the account before it. Pure. */

/** "this line" for a line of a payment file, "this payment" for a single payment. */
export const thisPayment = ({ otherTitles }: Pick<PaymentFacts, "otherTitles">): string =>
  otherTitles === undefined ? "This payment" : "This line";

/** Says that the payee's new account is the one being paid, and who verified it and the one before. */
function tellChange(facts: PaymentFacts, payee: PayeeFacts, { changedAt, standing, former }: LastChangeFact): string {
  const { timeZone } = facts;
  const [since, until] = [formatDate(changedAt, timeZone), formatDate(former.until, timeZone)];
  const before = since === until ? "Before, it was" : `Until ${until} it was`;
  return `${thisPayment(facts)} pays the account that ${payee.name} has had since ${since}${standingClause(standing, timeZone)}. ${before} ${accountStandingWords(former, timeZone)}.`;
}

/** True if somebody decided about exactly these details after they last changed. A failed check is not a decision. */
function isDecided({ latestDecided, ...payee }: PayeeFacts, changedAt: number): boolean {
  if (!latestDecided) return false;
  return (latestDecided.completedAt ?? 0) >= changedAt && isForCurrentDetails(payee, latestDecided);
}

/**
 * Holds a payment to a payee whose bank details or name changed since the last decision about them. Manual trust and
 * promotion count as decisions, and every change removes them. Nobody has verified the new account, so each line that
 * pays it is decided individually.
 */
export const detailsChanged: Rule = {
  id: "details_changed",
  label: "Bank details or name changed since the last decision",
  version: 1,
  defaultLevel: "hold",
  decidedIndividually: "always",
  find(facts) {
    const { payee, timeZone, lastChange } = facts;
    if (!payee || payee.whitelisted) return undefined;
    const { id: payeeId, name, bankDetailsChangedAt: bank, renamedAt = null } = payee;
    const isOpen = (changedAt: number | null): changedAt is number =>
      changedAt !== null && !isDecided(payee, changedAt);
    const changes = [
      ...(isOpen(bank) ? [`The bank details of ${name} changed on ${formatDateTime(bank, timeZone)}`] : []),
      ...(isOpen(renamedAt) ? [`${name} was given this name on ${formatDateTime(renamedAt, timeZone)}`] : []),
    ];
    if (changes.length === 0) return undefined;
    const change = isOpen(bank) && lastChange ? ` ${tellChange(facts, payee, lastChange)}` : "";
    return {
      message: `${changes.join(". ")}, and no one has decided about ${isOpen(bank) ? "them" : "it"} since.${change}`,
      evidence: {
        payeeId,
        ...(isOpen(bank) ? { bankDetailsChangedAt: toIso(bank) } : {}),
        ...(isOpen(renamedAt) ? { renamedAt: toIso(renamedAt) } : {}),
      },
    };
  },
};

/** For a new account that has been decided about: says who verified it, and who verified the one before. */
export const accountChanged: Rule = {
  id: "account_changed",
  label: "The account is new, and the payee had a different one before",
  version: 1,
  defaultLevel: "warn",
  find(facts) {
    const { payee, lastChange } = facts;
    // When nobody has decided about the change, the details-changed rule already reports it.
    if (!payee || !lastChange || detailsChanged.find(facts)) return undefined;
    const { changedAt, standing, former } = lastChange;
    return {
      message: tellChange(facts, payee, lastChange),
      evidence: {
        payeeId: payee.id,
        changedAt: toIso(changedAt),
        standing: standing.state,
        formerBsb: former.bsb,
        formerAccountNumber: former.maskedAccountNumber,
        formerStanding: former.standing.state,
      },
    };
  },
};

/**
 * Holds a payment to a payee whose accounting system has a different bank account: one of the two is wrong, and nobody
 * has decided which.
 */
export const accountingAccountDiffers: Rule = {
  id: "accounting_account_differs",
  label: "The accounting system has a different bank account",
  version: 4,
  defaultLevel: "hold",
  find({ payee, accountingChange, timeZone }) {
    if (!payee || !accountingChange) return undefined;
    const { system, noticedAt, editedBy, bsb, maskedAccountNumber } = accountingChange;
    const name = systemName(system);
    const edited = editedBy === null ? "" : ` The last edit there was by ${editedBy}.`;
    if (bsb === null) {
      return {
        message: `The bank account of ${payee.name} was replaced in ${name} by something that cannot be read, noticed on ${formatDateTime(noticedAt, timeZone)}.${edited} No one has decided what is right.`,
        evidence: { payeeId: payee.id, system, noticedAt: toIso(noticedAt) },
      };
    }
    return {
      message: `${name} has a different bank account for ${payee.name}, noticed on ${formatDateTime(noticedAt, timeZone)}: ${formatBsb(bsb)} ${maskedAccountNumber}.${edited} No one has decided which is right.`,
      evidence: { payeeId: payee.id, system, noticedAt: toIso(noticedAt), bsb, maskedAccountNumber },
    };
  },
};

/**
 * Holds a payment to a payee whose contact and bank details changed close together: whoever asked for both changes can
 * also answer questions about them.
 */
export const contactAndBankChanged: Rule = {
  id: "contact_and_bank_changed",
  label: "Contact and bank details changed within 30 days of each other",
  version: 1,
  defaultLevel: "hold",
  decidedIndividually: "always",
  find({ payee, now, timeZone }) {
    if (!payee) return undefined;
    const { bankDetailsChangedAt: bank, contactChangedAt: contact } = payee;
    if (bank === null || contact === null || !areChangedTogether(bank, contact, now)) return undefined;
    const [bankOn, contactOn] = [formatDate(bank, timeZone), formatDate(contact, timeZone)];
    return {
      message: `The bank details of ${payee.name} changed on ${bankOn} and its contact details on ${contactOn}, within ${CONTACT_AND_BANK_WINDOW_DAYS} days. Confirm them on a number you knew before.`,
      evidence: { payeeId: payee.id, bankDetailsChangedAt: toIso(bank), contactChangedAt: toIso(contact) },
    };
  },
};

/** This many edits of one payee within a day are unusual. */
const MANY = 3;

/** Holds a payment to a payee that was edited several times within a day. */
export const manyChanges: Rule = {
  id: "many_changes",
  label: "The payee was edited several times within a day",
  version: 1,
  defaultLevel: "hold",
  find({ payee, editsInLastDay }) {
    if (!payee || editsInLastDay === undefined || editsInLastDay < MANY) return undefined;
    return {
      message: `${payee.name} was edited ${editsInLastDay} times in the last 24 hours.`,
      evidence: { payeeId: payee.id, editsInLastDay },
    };
  },
};

/** Holds a payment to an account at a payment company when the payee's earlier accounts were all at banks. */
export const paymentCompany: Rule = {
  id: "payment_company",
  label: "The account moved from a bank to a payment company",
  version: 1,
  defaultLevel: "hold",
  find({ payee, account, formerBsbs }) {
    if (!payee || !formerBsbs?.length || !isPaymentCompany(account.bsb)) return undefined;
    if (formerBsbs.some(isPaymentCompany)) return undefined;
    const name = institutionOf(account.bsb)?.name ?? "a payment company";
    const before = institutionOf(formerBsbs[0] ?? "")?.name ?? "a bank";
    return {
      message: `The account of ${payee.name} is now with ${name}, a payment company. It was with ${before} before.`,
      evidence: { payeeId: payee.id, institution: name, before },
    };
  },
};

/** Warns when the payment file itself marks bank details as new or varied (indicator N of direct entry). */
export const markedNewDetails: Rule = {
  id: "marked_new_details",
  label: "The file marks the bank details as new",
  version: 1,
  defaultLevel: "warn",
  find({ newDetails }) {
    if (!newDetails) return undefined;
    return {
      message: "The file marks these bank details as new or changed (indicator N).",
      evidence: { indicator: "N" },
    };
  },
};
