import { maskedAccount } from "~/kernel/bank-account";
import { formatDate } from "~/kernel/dates";
import { isTrusted, standingClause } from "~/modules/rules/account-standing";
import type { AccountOfInvoice, InvoiceFacts, InvoiceRule } from "./facts";
import { isForeignOnly, isSameAccount, judgeInvoice, payableAccounts } from "./verdict";

/** Findings about who holds the account on an invoice. */

const pageOf = ({ page }: { page: number | null }) => (page === null ? {} : { page });

/** The accounts on an invoice that are not its payee's, when the payee is known. */
function otherAccounts(facts: InvoiceFacts): AccountOfInvoice[] {
  const { identified } = judgeInvoice(facts);
  if (!identified) return [];
  return payableAccounts(facts).filter((account) => !isSameAccount(account, identified.payee));
}

export const otherAccount: InvoiceRule = {
  id: "other_account",
  label: "Not the payee's account",
  version: 2,
  defaultLevel: "hold",
  find(facts) {
    const { identified, verdict } = judgeInvoice(facts);
    if (identified && verdict === "other_account" && isForeignOnly(facts)) {
      const { payee } = identified;
      return {
        message: `The invoice names an IBAN, a SWIFT code or another foreign account, and no BSB. ${payee.name} has ${maskedAccount(payee)}${standingClause(payee.standing, facts.timeZone)}.`,
        evidence: { payeeId: payee.id, known: maskedAccount(payee) },
      };
    }
    const other = otherAccounts(facts).find(({ holder }) => !holder || holder.payeeId === identified?.payee.id);
    if (!identified || !other) return undefined;
    const { payee } = identified;
    const former =
      other.holder?.state === "had" && other.holder.until !== null
        ? ` It was this payee's account until ${formatDate(other.holder.until, facts.timeZone)}.`
        : "";
    return {
      message: `The invoice asks for ${maskedAccount(other)}. ${payee.name} has ${maskedAccount(payee)}${standingClause(payee.standing, facts.timeZone)}.${former}`,
      ...pageOf(other),
      evidence: { payeeId: payee.id, asked: maskedAccount(other), known: maskedAccount(payee) },
    };
  },
};

const HOLDS = { has: "has", had: "had", archived: "is archived with" } as const;

export const anotherPayeesAccount: InvoiceRule = {
  id: "another_payees_account",
  label: "The account of another payee, or a former one's",
  version: 2,
  defaultLevel: "hold",
  find(facts) {
    const { identified } = judgeInvoice(facts);
    const other = payableAccounts(facts).find(({ holder }) => holder && holder.payeeId !== identified?.payee.id);
    if (!other?.holder) return undefined;
    const { name, state, until, payeeId } = other.holder;
    const when = state === "had" && until !== null ? ` until ${formatDate(until, facts.timeZone)}` : "";
    const whose = identified ? ` The invoice is from ${identified.payee.name}.` : "";
    return {
      message: `${name} ${HOLDS[state]} the account ${maskedAccount(other)}${when}.${whose}`,
      ...pageOf(other),
      evidence: { payeeId, state },
    };
  },
};

export const severalAccounts: InvoiceRule = {
  id: "several_accounts",
  label: "More than one account to pay to",
  version: 1,
  defaultLevel: "warn",
  find(facts) {
    const accounts = payableAccounts(facts);
    if (accounts.length < 2) return undefined;
    return { message: `The invoice names ${accounts.length} accounts: ${accounts.map(maskedAccount).join(", ")}.` };
  },
};

export const unknownPayee: InvoiceRule = {
  id: "unknown_payee",
  label: "Not one of your payees",
  version: 2,
  defaultLevel: "warn",
  find(facts) {
    const { identified } = judgeInvoice(facts);
    if (facts.unreadable !== null || identified) return undefined;
    if (payableAccounts(facts).some(({ holder }) => holder)) return undefined;
    const name = facts.supplierName ?? "Whoever sent this invoice";
    return { message: `${name} is not one of your payees. Nobody has verified an account of theirs.` };
  },
};

export const noAccount: InvoiceRule = {
  id: "no_account",
  label: "No bank account on it",
  version: 8,
  defaultLevel: "off",
  find(facts) {
    const { verdict, identified } = judgeInvoice(facts);
    if (verdict !== "no_account") return undefined;
    const { bpayCount, payIdCount } = facts;
    const ways = [...(bpayCount > 0 ? ["BPAY"] : []), ...(payIdCount > 0 ? ["PayID"] : [])].join(" and ");
    const debited = [...new Set(facts.accounts.map(maskedAccount))];
    const isTold = facts.noticed.some(({ code }) => code === "only_debited");
    const found =
      debited.length > 0
        ? `It names no account to pay to${isTold ? "" : `: by its words, ${debited.join(", ")} seems to be debited or refunded`}.`
        : `No BSB and account number were found${ways ? "." : " in what a person can read on it."}`;
    const byBpay = bpayCount > 0 && !identified ? " BPAY details are not compared with your payees." : "";
    return { message: `${found}${ways && ` The invoice asks to be paid by ${ways}.${byBpay}`}` };
  },
};

/** Whoever looks at it may see another account there than the one that was read. */
export const unreadAccount: InvoiceRule = {
  id: "unread_account",
  label: "An account where nothing could be read",
  version: 1,
  defaultLevel: "hold",
  find(facts) {
    if (facts.unreadable !== null || !facts.hasUnreadAccount) return undefined;
    return {
      message:
        payableAccounts(facts).length === 0
          ? "It names bank details that could not be read. Read them yourself, and compare them with what you know."
          : "Besides what was read, it names bank details that could not be read. Read it yourself, and rely on what a person can see.",
    };
  },
};

export const foreignAccount: InvoiceRule = {
  id: "foreign_account",
  label: "A foreign account and no Australian one",
  version: 1,
  defaultLevel: "warn",
  find(facts) {
    if (judgeInvoice(facts).verdict !== "unreadable" || !isForeignOnly(facts)) return undefined;
    return {
      message:
        "It names an IBAN, a SWIFT code or another foreign account, and no BSB and account number. Those are not compared with your payees: compare them with what you know.",
    };
  },
};

export const couldNotBeRead: InvoiceRule = {
  id: "could_not_be_read",
  label: "The bank details could not be read",
  version: 4,
  defaultLevel: "warn",
  find(facts) {
    if (facts.unreadable !== null) return { message: `It could not be read: ${facts.unreadable}.` };
    if (judgeInvoice(facts).verdict !== "unreadable" || facts.hasUnreadAccount || isForeignOnly(facts))
      return undefined;
    const isPicture = facts.noticed.some(({ code }) => code === "only_pictures");
    if (isPicture) return { message: "It could not be read: the email is a picture. Look at it yourself." };
    if (payableAccounts(facts).length > 0)
      return {
        message: "No account on it could be read beyond doubt. Read it yourself, and rely on what a person can see.",
      };
    // Otherwise another rule says what is hidden or altered.
    return facts.isIncomplete
      ? { message: "Part of it could not be read, and that part may have bank details. Read it yourself." }
      : undefined;
  },
};

export const doubtfulAccount: InvoiceRule = {
  id: "doubtful_account",
  label: "An account that could not be read with certainty",
  version: 2,
  defaultLevel: "warn",
  find(facts) {
    const doubtful = payableAccounts(facts).filter(({ certain }) => !certain);
    const [first] = doubtful;
    if (!first) return undefined;
    return {
      message: `${doubtful.map(maskedAccount).join(", ")} could not be read with certainty. Compare ${doubtful.length === 1 ? "it" : "them"} with the document yourself.`,
      ...pageOf(first),
    };
  },
};

export const payeeNotVerified: InvoiceRule = {
  id: "payee_not_verified",
  label: "The payee's account is not verified",
  version: 1,
  defaultLevel: "warn",
  find(facts) {
    const { verdict, identified } = judgeInvoice(facts);
    if (verdict !== "same_account" || !identified || isTrusted(identified.payee.standing)) return undefined;
    const { payee } = identified;
    return {
      message: `It is the account that ${payee.name} has here${standingClause(payee.standing, facts.timeZone)}.`,
    };
  },
};

/** Off by default because a person chose to trust the payee. It is still shown, because nobody proved the account. */
export const payeeWhitelistedOnly: InvoiceRule = {
  id: "payee_whitelisted_only",
  label: "The payee's account was whitelisted without a verification",
  version: 1,
  defaultLevel: "off",
  find(facts) {
    const { verdict, identified } = judgeInvoice(facts);
    if (verdict !== "same_account" || identified?.payee.standing.state !== "whitelisted") return undefined;
    const { payee } = identified;
    return {
      message: `It is the account that ${payee.name} has here${standingClause(payee.standing, facts.timeZone)}.`,
    };
  },
};
