import { maskAccountNumber } from "~/kernel/account-number";
import { formatBsb, institutionOf } from "~/kernel/bsb";
import { formatDate } from "~/kernel/dates";
import type { CheckOutcome } from "~/kernel/enums";
import { type PayeeStatus, payeeStatus } from "~/kernel/payee";
import type { Finding, PayeeFacts, PaymentFacts, Rule } from "./facts";

/** How far the payee is trusted for the details it has, whether or not it disputes them: that is another rule's matter. */
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

/** What a bank said while the verification waits; an answer against the account is a rule's own matter. */
const ANSWERED: Partial<Record<CheckOutcome, string>> = {
  match: " The bank confirmed the account.",
  close_match: " The bank has the account under a similar name.",
  unable: " The bank was asked and could not answer.",
};
const RENAMED = "it was given another name and has not been verified under it";

const DRAFT = "it sent its details itself, and no one has accepted them";

const ARCHIVED = "it was archived, and a person has to restore it before it is paid again";

const UNKNOWN = "This account is not one of your payees. Add it as a payee and verify it before you pay.";
/** Whose it was says a rule of its own. */
const UNKNOWN_NOW = "This account is none of your payees' today.";

function sayUnknown({ formerHolder, timeZone }: PaymentFacts): string {
  if (!formerHolder) return UNKNOWN;
  if (formerHolder.account) return UNKNOWN_NOW;
  return `This account was ${formerHolder.name}'s until its bank details changed on ${formatDate(formerHolder.changedAt, timeZone)}. Look at the change before you pay.`;
}

function unknownAccount(facts: PaymentFacts): Finding {
  const { account, formerHolder } = facts;
  const { bsb, accountNumber, accountName } = account;
  return {
    message: sayUnknown(facts),
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

/** What waits for a decision is the payee's name: its bank details did not change after it, or with it. */
const isOfName = ({ bankDetailsChangedAt: bank, renamedAt }: PayeeFacts): boolean =>
  renamedAt !== undefined && (bank === null || bank < renamedAt);

/** Holds money for a payee that nobody has verified, or for an account that is no payee at all. */
export const payeeNotTrusted: Rule = {
  id: "payee_not_trusted",
  label: "The payee is neither whitelisted nor verified",
  version: 1,
  defaultLevel: "hold",
  /** Payments to a draft are held, whatever the organisation pays otherwise: no person has accepted it. */
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
