import { formatDate, toIso } from "~/kernel/dates";
import { isForCurrentDetails } from "~/kernel/payee";
import { sayAccount, whichIs } from "./account-standing";
import type { FormerHolderFact, PayeeFacts, PaymentFacts, Rule } from "./facts";
import { thisPayment } from "./last-change";

/** A person approved the account that the payee has, with whose it was before them; a rule never approves such a one. */
export const isApprovedAsItIs = (payee: PayeeFacts): boolean =>
  payee.latestDecided?.status === "verified" && isForCurrentDetails(payee, payee.latestDecided);

/** Holds money for an account that a payee had before, or that an archived payee has. */
export const formerAccount: Rule = {
  id: "former_account",
  label: "The account was a payee's before, or is an archived payee's",
  version: 1,
  defaultLevel: "hold",
  decidedSingly: "always",
  find(facts) {
    const { formerHolder: holder, payee } = facts;
    if (!holder?.account) return undefined;
    if (payee && payee.id !== holder.payeeId && isApprovedAsItIs(payee)) return undefined;
    return {
      message: tell(facts, holder, holder.account),
      evidence: {
        ...(payee ? { payeeId: payee.id } : {}),
        ...{ formerPayeeId: holder.payeeId, until: toIso(holder.changedAt) },
      },
    };
  },
};

function tell(
  facts: PaymentFacts,
  { payeeId, name, changedAt }: FormerHolderFact,
  { standing, now }: NonNullable<FormerHolderFact["account"]>,
): string {
  const { payee, account, namesakes, timeZone } = facts;
  const on = formatDate(changedAt, timeZone);
  if (now === null) return `This account is ${name}'s, a payee that was archived on ${on}. Ask why it is paid.`;
  const isUnderItsName = !payee && namesakes?.some((namesake) => namesake.payeeId === payeeId);
  if (isUnderItsName) {
    const former =
      standing.state === "verified"
        ? `former, verified account (${standing.how}, on ${formatDate(standing.at, timeZone)})`
        : `former account${whichIs(standing, timeZone)}`;
    return `${thisPayment(facts)} pays ${name}'s ${former}. On ${on} it was changed to ${sayAccount(now, timeZone)}. Call ${name} on a number you knew before the change.`;
  }
  const disputed =
    standing.state === "disputed"
      ? ` ${name} told us on ${formatDate(standing.at, timeZone)} that it is not its account.`
      : "";
  if (payee) {
    return `This account was ${name}'s until ${on}, and no one has approved it for ${payee.name}.${disputed} Ask both why before you pay.`;
  }
  return `This account was ${name}'s until ${on}.${disputed} ${thisPayment(facts)} pays it under another name, “${account.accountName}”. Ask both why before you pay.`;
}
