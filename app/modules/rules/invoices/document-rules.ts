import { formatDate } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import type { InvoiceFacts, InvoiceRule } from "./facts";
import { identifyPayee, isForeignOnly, judgeInvoice } from "./verdict";

/** Findings about the document itself, and how it compares with earlier invoices. */

/** Makes a rule that reports what the reader noticed at one severity. */
function noticed(
  weight: InvoiceFacts["noticed"][number]["weight"],
  rule: Pick<InvoiceRule, "id" | "label" | "defaultLevel">,
  more: (facts: InvoiceFacts) => InvoiceFacts["noticed"] = () => [],
): InvoiceRule {
  return {
    ...rule,
    version: 3,
    find(facts) {
      const found = [...more(facts), ...facts.noticed].filter(
        (each) => each.weight === weight && !isSaidElsewhere(each.code, facts),
      );
      const [first] = found;
      if (!first) return undefined;
      return {
        message: messageOf(found),
        ...(first.page === null ? {} : { page: first.page }),
        evidence: { codes: [...new Set(found.map(({ code }) => code))] },
      };
    },
  };
}

/** Another rule says the same. */
const isSaidElsewhere = (code: string, facts: InvoiceFacts): boolean =>
  (code === "account_could_not_be_read" && facts.hasUnreadAccount) ||
  (code === "iban_or_swift" && isForeignOnly(facts));

/** Each sentence once. One that ends in masked digits names those of each place. */
function messageOf(found: InvoiceFacts["noticed"]): string {
  const digitsOf = new Map<string, string[]>();
  for (const { message } of found) {
    const [, sentence = message, digits] = /^(.*): (•[•\d]*)\.$/.exec(message) ?? [];
    const known = digitsOf.get(sentence) ?? [];
    digitsOf.set(sentence, digits === undefined || known.includes(digits) ? known : [...known, digits]);
  }
  return [...digitsOf]
    .map(([sentence, digits]) => (digits.length > 0 ? `${sentence}: ${digits.join(", ")}.` : sentence))
    .join(" ");
}

export const documentAltered = noticed("grave", {
  id: "document_altered",
  label: "Bank details that are hidden, covered or edited in",
  defaultLevel: "hold",
});

export const accountRefused: InvoiceRule = {
  ...noticed("refused", {
    id: "account_refused",
    label: "Words that say not to pay the account on it",
    defaultLevel: "hold",
  }),
  version: 2,
};

export const newWayToPay: InvoiceRule = {
  ...noticed(
    "way",
    {
      id: "new_way_to_pay",
      label: "How to pay differs from what is known of the payee",
      defaultLevel: "warn",
    },
    accountMissing,
  ),
  version: 4,
};

/** Whatever it says in place of an account, the payee's earlier invoices did not say it. */
function accountMissing(facts: InvoiceFacts): InvoiceFacts["noticed"] {
  const { formerlyNamed = 0, accounts } = facts;
  if (formerlyNamed < ENOUGH || accounts.length > 0 || judgeInvoice(facts).verdict !== "no_account") return [];
  const message = `It names no account. Each of ${formerlyNamed} earlier invoices of this payee named one: call the payee on a number you know before you pay.`;
  return [{ code: "account_missing", message, page: null, weight: "way" }];
}

export const documentOdd = noticed("odd", {
  id: "document_odd",
  label: "Something unusual in the document",
  defaultLevel: "warn",
});

export const documentKind = noticed("kind", {
  id: "document_kind",
  label: "A credit note, a statement, or foreign bank details",
  defaultLevel: "off",
});

export const announcesDetails: InvoiceRule = {
  id: "announces_details",
  label: "Words that announce new bank details",
  version: 4,
  defaultLevel: "warn",
  find({ announcements }) {
    const [first] = announcements;
    if (!first) return undefined;
    return {
      message: `It announces different bank details: “${first.text}”. Call the payee on a number you know before you change anything.`,
      ...(first.page === null ? {} : { page: first.page }),
    };
  },
};

export const seenBefore: InvoiceRule = {
  id: "seen_before",
  label: "The same number or amount was seen before",
  version: 5,
  defaultLevel: "warn",
  find(facts) {
    const { sameNumber, sameAmount, invoiceNumber, totalCents, timeZone } = facts;
    const whose = identifyPayee(facts) ? "of this payee" : "from someone who is not a payee";
    if (sameNumber) {
      const amount = sameNumber.totalCents === null ? "" : `, for ${formatAud(sameNumber.totalCents)}`;
      const which = sameNumber.isElsewhere
        ? `An invoice with the number ${invoiceNumber}`
        : `Invoice ${invoiceNumber} ${whose}`;
      return {
        message: `${which} was already received on ${formatDate(sameNumber.receivedAt, timeZone)}${amount}.`,
        evidence: { invoiceId: sameNumber.id },
      };
    }
    if (!sameAmount || totalCents === null) return undefined;
    return {
      message: `Another invoice ${whose} for ${formatAud(totalCents)} was received on ${formatDate(sameAmount.receivedAt, timeZone)}.`,
      evidence: { invoiceId: sameAmount.id },
    };
  },
};

/** With fewer invoices than this there is no usual range. */
const ENOUGH = 3;
const TIMES = 3;

export const unusualTotal: InvoiceRule = {
  id: "unusual_total",
  label: "A total above the payee's usual range",
  version: 2,
  defaultLevel: "warn",
  find({ totalCents, formerTotals }) {
    if (totalCents === null || formerTotals.length < ENOUGH) return undefined;
    const largest = Math.max(...formerTotals);
    if (totalCents <= largest * TIMES) return undefined;
    return {
      message: `The total is ${formatAud(totalCents)}. The largest of ${formerTotals.length} earlier invoices of this payee was ${formatAud(largest)}.`,
    };
  },
};

export const otherSoftware: InvoiceRule = {
  id: "other_software",
  label: "Made by other software than this payee's invoices before",
  version: 2,
  defaultLevel: "off",
  find({ software, formerSoftware }) {
    if (software === null || formerSoftware.length < ENOUGH || formerSoftware.includes(software)) return undefined;
    return {
      message: `The document was made by ${software}. ${formerSoftware.length} earlier invoices of this payee were made by ${[...new Set(formerSoftware)].join(", ")}.`,
    };
  },
};
