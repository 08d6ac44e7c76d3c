import type { InvoiceDecision, InvoiceStatus, InvoiceVerdict } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import type { AccountStanding } from "~/modules/rules/account-standing";
import type { PayeeBy } from "~/modules/rules/invoices/facts";

/** Labels and limits for invoices. Pure. */

export const MAX_INVOICE_BYTES = 10 * 1024 * 1024;
/** The limits of one post; a browser with scripts sends more files in several posts. */
export const MAX_INVOICE_FILES = 10;
export const MAX_POST_BYTES = 3 * MAX_INVOICE_BYTES;

/** What an invoice needs of a person before it is paid. `verified`: it names the verified account, and nothing else is found. */
type Attention = "decision" | "look" | "reading" | "verified" | "none";

/** What became of one uploaded file. `invoiceId` null: it was not taken, and `text` says why. */
export type TakenFile = {
  name: string;
  invoiceId: string | null;
  /** False: the same bytes were received before. */
  isNew: boolean;
  attention: Attention | null;
  /** Its label in lists. */
  text: string;
};

/** The refusal of a file; the browser says the same before it sends one. */
export const refusedFile = (name: string, text: string): TakenFile => ({
  ...{ name, text, invoiceId: null },
  ...{ isNew: false, attention: null },
});

export const TOO_LARGE = "It is larger than 10 MB.";

/** Each file names the verified account of its payee: the only upload whose message is green. */
export const areVerified = (files: readonly TakenFile[]): boolean =>
  files.every(({ attention }) => attention === "verified");

/** Says what became of uploaded files: "2 uploaded, 1 received before. 1 needs a decision before you pay." */
export function sumUpTaken(files: readonly TakenFile[]): string {
  const counted = [
    [files.filter(({ isNew }) => isNew).length, "uploaded"],
    [files.filter(({ invoiceId, isNew }) => invoiceId !== null && !isNew).length, "received before"],
    [files.filter(({ invoiceId }) => invoiceId === null).length, "could not be taken"],
  ] as const;
  const what = counted.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(", ");
  if (areVerified(files)) return `${what}, each with the verified account of its payee`;
  const sentences = NEEDS.flatMap(([attention, one, several]) => {
    const { size } = new Set(files.flatMap((file) => (file.attention === attention ? [file.invoiceId] : [])));
    return size > 0 ? [`. ${size} ${size === 1 ? one : several}`] : [];
  });
  return what + sentences.join("") + (sentences.length > 0 ? "." : "");
}

const NEEDS = [
  ["decision", "needs a decision before you pay", "need a decision before you pay"],
  ["look", "needs a look before you pay", "need a look before you pay"],
  ["reading", "was not read yet", "were not read yet"],
] as const;

/** The content types that an API call may give; the bytes decide what is stored. */
export const DOCUMENT_TYPES = ["application/pdf", "message/rfc822", "application/xml"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

const HEAD = 2_048;
const PDF = /%PDF-\d/;
const HEADER_LINE = /^(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*){2,}/;
const XML = /^\uFEFF?\s*<(?:\?xml|[A-Za-z!])/;
/** What Peppol sends, in its envelope or without. */
const INVOICE = /<(?:[\w.-]+:)?(?:Invoice|CreditNote)[\s/>]/;

/** By the byte order mark, as XML may have it. */
const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";

/** The document type that the first bytes indicate; undefined: not a type that is accepted. */
export function sniffDocument(bytes: Uint8Array): DocumentType | undefined {
  const decoder = new TextDecoder(encodingOf(bytes));
  const head = decoder.decode(bytes.subarray(0, HEAD));
  if (PDF.test(head.slice(0, 1_024))) return "application/pdf";
  if (XML.test(head)) return INVOICE.test(decoder.decode(bytes)) ? "application/xml" : undefined;
  return HEADER_LINE.test(`${head.trimStart()}\n`) ? "message/rfc822" : undefined;
}

export type Tone = "verified" | "pending" | "review" | "neutral";

/** The headline of each verdict. Only a verified account is shown in green. */
const VERDICT_HEADLINES: Readonly<Record<InvoiceVerdict, string>> = {
  same_account: "Same account as the verified one",
  other_account: "Stop: this invoice asks for a different account from the verified one",
  another_payees_account: "Stop: this is the account of another payee",
  unknown_payee: "Not one of your payees: this account is not verified",
  several_accounts: "Several accounts: which one is to be paid?",
  no_account: "No account to pay to was found on this invoice",
  unreadable: "The bank details could not be read",
};

/** The same in a list column. */
const VERDICT_WORDS: Readonly<Record<InvoiceVerdict, string>> = {
  same_account: "Same account",
  other_account: "Another account",
  another_payees_account: "Another payee’s account",
  unknown_payee: "Not a payee",
  several_accounts: "Several accounts",
  no_account: "No account",
  unreadable: "Could not be read",
};

export const BY_WORDS: Readonly<Record<PayeeBy, string>> = {
  account: "matched by its account",
  abn: "matched by its ABN",
  email: "matched by its email domain",
  name: "matched by its name",
};

/** The fields that determine how an invoice is shown. */
export type Standing = {
  status: InvoiceStatus;
  verdict: InvoiceVerdict | null;
  isStopped: boolean;
  decision: InvoiceDecision | null;
  findings: readonly { code: string; level: string }[];
};

/** It is stopped, and nobody has decided about it: the tab "Needs a decision". */
export const needsDecision = ({ isStopped, decision }: Pick<Standing, "isStopped" | "decision">): boolean =>
  isStopped && decision === null;

/** It names another way to pay: accepting it makes that known as the payee's. */
export const namesNewWay = (findings: Standing["findings"]): boolean =>
  findings.some(({ code, level }) => code === "new_way_to_pay" && level !== "note");

/** Accepting it requires a reason, and a second person where the organisation requires one. */
export const needsReason = ({ isStopped, findings }: Pick<Standing, "isStopped" | "findings">): boolean =>
  isStopped || namesNewWay(findings);

/** Why somebody may not accept such an invoice. */
export const NEEDS_ANOTHER =
  "Your organisation requires a second person: whoever uploaded an invoice cannot accept it if it is stopped or names a new way to pay. If it is stopped, neither can whoever entered the payee's bank details or asked for their verification.";

const isWhitelistedOnly = (findings: Standing["findings"]) =>
  findings.some(({ code }) => code === "payee_whitelisted_only");

/**
 * The label and colour of an invoice in lists, chosen in one place so that a red flag never appears with a green label.
 */
export function shownStanding({ status, verdict, isStopped, decision, findings }: Standing): {
  word: string;
  tone: Tone;
} {
  if (status === "reading") return { word: "Being read", tone: "neutral" };
  const word = verdict ? VERDICT_WORDS[verdict] : "Could not be read";
  if (decision === "reject") return { word: "Stopped by a person", tone: "review" };
  if (decision === "accept") return { word: "Accepted", tone: "neutral" };
  if (isStopped) return { word: verdict === "same_account" ? "Same account, but stopped" : word, tone: "review" };
  if (verdict !== "same_account") return { word, tone: "pending" };
  // An unverified account is never shown in green, whatever the organisation chose for the rule.
  const isWarned = findings.some(({ level, code }) => level === "warn" || code === "payee_not_verified");
  if (isWarned) return { word: "Same account, with warnings", tone: "pending" };
  return isWhitelistedOnly(findings)
    ? { word: "Same account, not verified", tone: "pending" }
    : { word, tone: "verified" };
}

/** The headline where the payee's own account is no more proven than the invoice's. */
const NOT_VERIFIED = "Stop: this invoice asks for a different account from the payee’s";

/**
 * The headline of the page: the verdict, unless something more serious is known.
 * @param ofPayee the last decision about the payee's own account; undefined: no payee was found
 */
export function headlineOf(standing: Standing, ofPayee?: AccountStanding): { title: string; tone: Tone } {
  const { verdict, isStopped, decision, findings, status } = standing;
  const { tone } = shownStanding(standing);
  if (status === "reading") return { title: "This invoice is being read", tone };
  if (decision === "reject") return { title: "This invoice was stopped", tone };
  if (decision === "accept") return { title: "This invoice was accepted", tone };
  if (!verdict) return { title: VERDICT_HEADLINES.unreadable, tone };
  if (isStopped && verdict === "no_account")
    return { title: "Stop: no account to pay to was found, and something else is wrong", tone };
  if (isStopped && verdict === "unreadable") {
    const isNamed = findings.some(({ code }) => code === "unread_account");
    return { title: `Stop: ${isNamed ? "it names bank details that" : "its bank details"} could not be read`, tone };
  }
  if (verdict === "unreadable" && findings.some(({ code }) => code === "foreign_account"))
    return { title: "It names bank details for payments from abroad, which are not compared", tone };
  if (verdict === "other_account" && ofPayee && ofPayee.state !== "verified") return { title: NOT_VERIFIED, tone };
  if (isStopped && verdict === "unknown_payee" && findings.some(({ code }) => code === "sender_lookalike"))
    return { title: "Stop: the sender’s domain looks like one you know, and this account is not verified", tone };
  if (verdict !== "same_account") return { title: VERDICT_HEADLINES[verdict], tone };
  if (isStopped) return { title: "Stop: the account is the payee’s, and something else is wrong", tone };
  if (findings.some(({ code }) => code === "payee_not_verified"))
    return { title: "Same account as the payee’s, which is not verified", tone };
  if (isWhitelistedOnly(findings))
    return { title: "Same account as the payee’s, which was whitelisted without a verification", tone };
  if (findings.some(({ level }) => level === "warn"))
    return { title: `${VERDICT_HEADLINES.same_account}, with warnings`, tone };
  return { title: VERDICT_HEADLINES.same_account, tone };
}

/** What lists and messages say that a person has to do about it. */
export function attentionOf(standing: Standing): Attention {
  if (needsDecision(standing)) return "decision";
  if (standing.status === "reading") return "reading";
  const { tone } = shownStanding(standing);
  return tone === "verified" ? "verified" : tone === "pending" ? "look" : "none";
}

export const INVOICE_TABS = ["all", "stopped", "reading", "read", "unreadable"] as const;
export type InvoiceTab = (typeof INVOICE_TABS)[number];

export const TAB_LABELS: Readonly<Record<InvoiceTab, string>> = {
  all: "All",
  stopped: "Needs a decision",
  reading: "Being read",
  read: "Read",
  unreadable: "Could not be read",
};

export const invoicesHref = ({ tab, q, after }: { tab?: InvoiceTab; q?: string; after?: string }): string =>
  withQuery(appPaths.invoices, { status: tab === "all" ? undefined : tab, q, after });
