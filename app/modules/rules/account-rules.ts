import { formatBsb } from "~/kernel/bank-account";
import { formatDate, toIso } from "~/kernel/dates";
import { isForCurrentDetails } from "~/kernel/payee";
import { scoreNames, toMatchBadge } from "~/modules/name-match";
import { accountStandingWords, isTrusted, standingClause } from "./account-standing";
import { thisPayment } from "./change-rules";
import type { BankAnswerFact, FormerHolderFact, FurtherFacts, PayeeFacts, PaymentFacts, Rule } from "./facts";

/** What a bank said about an account, which name it was asked about, and when. */
export function tellAnswer({ askedName, said, bankName, answeredAt }: BankAnswerFact, timeZone: string): string {
  const has = bankName === null ? "" : ` The bank has the account as “${bankName}”.`;
  return `On ${formatDate(answeredAt, timeZone)} the bank was asked about this account under the name “${askedName}”. ${said}${has}`;
}

/**
 * Holds a payment when a bank said that the account has another name, is closed or does not exist, whichever payee the
 * bank was asked about. The hold ends when a later answer is about the same name, or when a person who knows of the
 * answer approves the account.
 */
export const bankAnswer: Rule = {
  id: "bank_answer",
  label: "The bank's answer counts against the account",
  version: 2,
  defaultLevel: "hold",
  decidedIndividually: "always",
  find({ bankAnswer: answer, timeZone }) {
    if (!answer) return undefined;
    const { answeredAt, outcome, verificationId } = answer;
    return {
      message: tellAnswer(answer, timeZone),
      evidence: { verificationId, outcome, answeredAt: toIso(answeredAt) },
    };
  },
};

/** True if a person approved the payee's present account, knowing who held it before. A rule never does that. */
export const isApprovedAsItIs = (payee: PayeeFacts): boolean =>
  payee.latestDecided?.status === "verified" && isForCurrentDetails(payee, payee.latestDecided);

/** Holds a payment to an account that a payee used before, or that an archived payee has. */
export const formerAccount: Rule = {
  id: "former_account",
  label: "The account belonged to a payee before, or belongs to an archived payee",
  version: 3,
  defaultLevel: "hold",
  decidedIndividually: "always",
  find(facts) {
    const { formerHolder: holder, payee } = facts;
    if (!holder?.account) return undefined;
    if (payee && payee.id !== holder.payeeId && isApprovedAsItIs(payee)) return undefined;
    return {
      message: tellFormerHolder(facts, holder, holder.account),
      evidence: {
        ...(payee ? { payeeId: payee.id } : {}),
        ...{ formerPayeeId: holder.payeeId, until: toIso(holder.changedAt) },
      },
    };
  },
};

function tellFormerHolder(
  facts: PaymentFacts,
  { payeeId, name, changedAt }: FormerHolderFact,
  { standing, now }: NonNullable<FormerHolderFact["account"]>,
): string {
  const { payee, account, namesakes, timeZone } = facts;
  const on = formatDate(changedAt, timeZone);
  if (now === null) return `This account belongs to ${name}, a payee that was archived on ${on}. Ask why it is paid.`;
  const isUnderItsName = !payee && namesakes?.some((namesake) => namesake.payeeId === payeeId);
  if (isUnderItsName) {
    const former =
      standing.state === "verified"
        ? `former, verified account (${standing.how}, on ${formatDate(standing.at, timeZone)})`
        : `former account${standingClause(standing, timeZone)}`;
    return `${thisPayment(facts)} pays ${name}'s ${former}. On ${on} it was changed to ${accountStandingWords(now, timeZone)}. Call ${name} on a number you knew before the change.`;
  }
  const disputed =
    standing.state === "disputed"
      ? ` ${name} told us on ${formatDate(standing.at, timeZone)} that this account is not theirs.`
      : "";
  if (payee) {
    return `This account was ${name}'s until ${on}, and no one has approved it for ${payee.name}.${disputed} Ask both why before you pay.`;
  }
  return `This account was ${name}'s until ${on}.${disputed} ${thisPayment(facts)} pays it under a different name, “${account.accountName}”. Ask both why before you pay.`;
}

type Namesake = FurtherFacts["namesakes"][number];

/** Holds a payment to an unknown account under a known payee's name: the usual sign of a changed invoice. */
export const knownNameNewAccount: Rule = {
  id: "known_name_new_account",
  label: "An unknown account under the name of a payee",
  version: 2,
  defaultLevel: "hold",
  /** True if the payee has a verified account and this is a different one. */
  decidedIndividually: { where: "isKnown" },
  find(facts) {
    const { payee, namesakes, formerHolder } = facts;
    // Facts stored before the former-account rule existed name the payee here.
    const namesake = findNamesake(namesakes, formerHolder?.account && formerHolder.payeeId);
    if (payee || !namesake) return undefined;
    const { payeeId, name, bsb, maskedAccountNumber, standing } = namesake;
    return {
      message: tellNamesake(namesake, facts.timeZone),
      evidence: {
        ...{ payeeId, name, bsb, accountNumber: maskedAccountNumber },
        ...(standing ? { isKnown: isTrusted(standing) } : {}),
      },
    };
  },
};

/** The payee named on the payment, unless it formerly held the account: another rule covers that payee. */
export const findNamesake = (
  namesakes: readonly Namesake[] | undefined,
  formerPayeeId: string | undefined,
): Namesake | undefined => namesakes?.find(({ payeeId }) => payeeId !== formerPayeeId);

function tellNamesake({ name, bsb, maskedAccountNumber, standing }: Namesake, timeZone: string): string {
  const account = `${formatBsb(bsb)} ${maskedAccountNumber}`;
  if (!standing) return `You know ${name} with a different account, ${account}. Call them on a number you knew before.`;
  const said = accountStandingWords({ bsb, maskedAccountNumber, standing }, timeZone);
  if (!isTrusted(standing)) {
    return `${name} is one of your payees with a different account, ${said}. Verify ${name} before you pay either, on a number you knew before.`;
  }
  const known = standing.state === "verified" ? `You know ${name}` : `${name} is one of your payees`;
  return `${known} with a different account, ${said}. Call them on a number you knew before.`;
}

/** True if the given name is the start of the payee's name, cut off at the width of the file's name field. */
const isCutAtWidth = (given: string, accountName: string, width: number): boolean =>
  scoreNames(given, accountName.slice(0, width)).matchType === "exact";

/** Most names equal the payee's name letter for letter, which makes the slower comparison unnecessary. */
const isSameText = (given: string, accountName: string) => given.toLowerCase() === accountName.toLowerCase();

/** Holds a payment whose account name differs from the payee's, compared the way a bank compares names. */
export const nameDiffers: Rule = {
  id: "name_differs",
  label: "The name given with the payment is not exactly the payee's",
  version: 1,
  defaultLevel: "hold",
  find({ payee, givenName, nameWidth }) {
    if (!payee || givenName === null || isSameText(givenName, payee.accountName)) return undefined;
    const { matchType, score } = scoreNames(givenName, payee.accountName);
    if (matchType === "exact" || isCutAtWidth(givenName, payee.accountName, nameWidth ?? 0)) return undefined;
    const how = matchType === "fuzzy" ? "is only similar to" : "is not";
    return {
      message: `The account name given with the payment, “${givenName}”, ${how} the one you hold for ${payee.name}, “${payee.accountName}”.`,
      evidence: { payeeId: payee.id, givenName, accountName: payee.accountName, score, matchType },
    };
  },
  note: ({ score }) => (typeof score === "number" ? `Name match ${score}% (${toMatchBadge(score)})` : undefined),
};

/** Holds lines of a file that pay one account under several titles: two suppliers rarely share an account. */
export const sharedAccount: Rule = {
  id: "shared_account",
  label: "One account is paid under several names in a file",
  version: 2,
  defaultLevel: "hold",
  find({ otherTitles, account }) {
    const [first] = otherTitles ?? [];
    if (first === undefined) return undefined;
    return {
      message: `This file also pays the same account under a different name: “${first}”.`,
      evidence: { accountName: account.accountName, otherTitles: otherTitles?.slice(0, 5) },
    };
  },
};

/** Holds a payment to an account that belongs to a member of the organisation's staff. */
export const staffAccount: Rule = {
  id: "staff_account",
  label: "The account is one of your staff accounts",
  version: 2,
  defaultLevel: "hold",
  find({ isStaffAccount, account }) {
    if (!isStaffAccount) return undefined;
    return {
      message: `The account given for ${account.accountName} is one of your staff accounts.`,
      evidence: { accountName: account.accountName },
    };
  },
};

/** Holds a payment that the bank would return: its BSB is unknown, closed, merged, or does not accept direct entry. */
export const bsbUnusable: Rule = {
  id: "bsb_unusable",
  label: "The BSB is unknown, closed or cannot be paid to",
  version: 1,
  defaultLevel: "hold",
  find({ account: { bsb }, bsbProblem }) {
    if (bsbProblem === null) return undefined;
    return {
      message: `The payment cannot reach an account with the BSB ${formatBsb(bsb)}. ${bsbProblem}`,
      evidence: { bsb },
    };
  },
};

/** True if the bill's supplier does not match exactly one payee, so there is no account to pay. */
export const hasNoAccount = ({ account }: Pick<PaymentFacts, "account">): boolean => account.bsb === "";

/** Holds a bill that has no account. Nobody can approve it, so the organisation cannot change this rule's level. */
export const supplierUnknown: Rule = {
  id: "supplier_unknown",
  label: "The supplier is not one of your payees",
  version: 2,
  defaultLevel: "hold",
  isFixed: true,
  find(facts) {
    if (!hasNoAccount(facts)) return undefined;
    const { accountName } = facts.account;
    return {
      message: `“${accountName}” is not the name of exactly one payee, so there is no account to pay this bill to. Add the payee and record its payment, or upload a list with this bill alone. The line cannot be approved.`,
      evidence: { supplier: accountName },
    };
  },
};
