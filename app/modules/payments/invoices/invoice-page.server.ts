import { columnsOf, payees } from "@db/database";
import { and, eq } from "drizzle-orm";
import { accountKey, formatBsb, institutionOf } from "~/kernel/bank-account";
import { DAY_MS, formatDate, formatDay, showTime } from "~/kernel/dates";
import type { MailAuthentication } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { formatPhone } from "~/kernel/phone";
import { formatCount } from "~/kernel/text";
import { WAY_LABELS } from "~/kernel/ways-to-pay";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { scoreNames } from "~/modules/name-match";
import { findPayeeByAccount, getPayee } from "~/modules/payees/payee.server";
import { findApprovalOfPayee, isOwnWork } from "~/modules/payees/second-person.server";
import { markDomains } from "~/modules/payees/verifications/evidence";
import { findPaymentsOfInvoices } from "~/modules/payments/payment-facts/purpose.server";
import { describeTrust, isTrusted, standingClause } from "~/modules/rules/account-standing";
import { invoiceAccountDiffers } from "~/modules/rules/invoice-and-bill-rules";
import { replayInvoice, silentRules } from "~/modules/rules/invoices";
import { type AccountOfInvoice, invoiceFacts, type PayeeOfInvoice } from "~/modules/rules/invoices/facts";
import { identifyPayee, isSameAccount, judgeInvoice, payableAccounts } from "~/modules/rules/invoices/verdict";
import {
  type Actor,
  canAdminister,
  canWrite,
  type ReadServices,
  type Services,
  type TimedServices,
} from "~/services-and-actor";
import {
  BY_WORDS,
  headlineOf,
  INVOICE_TABS,
  type InvoiceTab,
  invoicesHref,
  namesNewWay,
  needsDecision,
  needsReason,
  shownStanding,
  TAB_LABELS,
} from "./invoice";
import {
  countInvoices,
  getInvoice,
  type InvoiceDetail,
  type ListedInvoice,
  listInvoices,
  listInvoicesOfPayee,
  readInvoicesQuery,
} from "./invoice.server";
import { readPayees } from "./invoice-facts.server";
import { findMailSettings } from "./invoice-settings.server";
import { nameWithNumber, type StoredReading, UNREADABLE } from "./reading";
import { waysIn } from "./ways-to-pay";

/** A contact that changed more recently than this may be the criminal's. */
const KNOWN_FOR_MS = 30 * DAY_MS;

type Zone = { timeZone: string; now: number };

/** The words beside an email's sender. They are evidence, not a verdict. */
const CHECKED: Readonly<Record<MailAuthentication | "nobody", string>> = {
  nobody: "as the email says: nobody has checked it",
  pass: "and the check of that domain passed (DMARC)",
  fail: "as the email says: the check of that domain failed (DMARC)",
  unknown: "as the email says: it could not be checked",
};

function cameFrom({ mailAuthentication, receivedBy }: InvoiceDetail): string {
  if (mailAuthentication === null) return `uploaded by ${receivedBy ?? "a former colleague"}`;
  return receivedBy === null ? "came by email" : `sent by email by ${receivedBy}`;
}

/** One row of the invoice list. @param isPaid a payment of its number and amount was recorded */
export function toInvoiceRow(invoice: ListedInvoice, zone: Zone, isPaid = false) {
  const { id, fileName, payeeName, totalCents, mailAuthentication } = invoice;
  const receivedBy = invoice.receivedBy ?? (mailAuthentication === null ? null : "By email");
  return {
    id,
    title: nameWithNumber(invoice),
    fileName,
    payeeName,
    totalCents,
    receivedBy,
    receivedAt: showTime(invoice.receivedAt, zone),
    standing: shownStanding(invoice),
    note: [...(needsDecision(invoice) ? ["Needs a decision"] : []), ...(isPaid ? ["Payment recorded"] : [])].join(", "),
  };
}

/** Rows of a list, with whether each was paid. */
async function toInvoiceRows(services: TimedServices, actor: Actor, listed: readonly ListedInvoice[]) {
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const ids = listed.map(({ id }) => id);
  const paid = ids.length === 0 ? new Map() : await findPaymentsOfInvoices(services, actor, ids);
  return listed.map((invoice) => toInvoiceRow(invoice, zone, paid.has(invoice.id)));
}

export type InvoiceRow = ReturnType<typeof toInvoiceRow>;

/** Reads everything for the list page. */
export async function readInvoicesPage(
  services: TimedServices & Pick<Services, "config">,
  actor: Actor,
  params: URLSearchParams,
) {
  const { tab, q, after } = readInvoicesQuery(params);
  const [{ invoices, next }, counts, mail] = await Promise.all([
    listInvoices(services, actor, { tab, q, after }),
    countInvoices(services, actor),
    findMailSettings(services, actor.organizationId),
  ]);
  return {
    rows: await toInvoiceRows(services, actor, invoices),
    tabs: INVOICE_TABS.map((each) => ({
      label: TAB_LABELS[each],
      to: invoicesHref({ tab: each, q }),
      current: each === tab,
      count: counts[each],
    })),
    tab,
    q,
    isReading: Number.parseInt(counts.reading, 10) > 0,
    empty: q
      ? { icon: "search" as const, title: "No invoice found", children: `Nothing here matches “${q}”.` }
      : NOTHING_IN[counts.all === "0" ? "all" : tab],
    clearHref: invoicesHref({ tab }),
    nextHref: next && invoicesHref({ tab, q, after: next }),
    canAdd: canWrite(actor),
    /** Where invoices are forwarded to; null: nowhere. */
    mailTo: mail?.address ?? null,
    isAdmin: canAdminister(actor),
  };
}

type Nothing = { icon: "file" | "checkCircle"; title: string; children: string; mood?: "done" };

const NOTHING_IN: Readonly<Record<InvoiceTab, Nothing>> = {
  all: {
    icon: "file",
    title: "No invoices yet",
    children: "Drop one in to see whether its account is the one that was verified.",
  },
  stopped: {
    icon: "checkCircle",
    mood: "done",
    title: "No invoice needs a decision",
    children: "An invoice that is stopped will appear here.",
  },
  reading: { icon: "checkCircle", title: "No invoice is being read", children: "One that arrives will appear here." },
  read: { icon: "file", title: "No invoice has been read yet", children: "Others are under “All”." },
  unreadable: {
    icon: "checkCircle",
    title: "No invoice is unreadable",
    children: "One that cannot be read will appear here.",
  },
};

const SHOWN_OF_PAYEE = 5;

/** A payee's newest invoices, for its page. */
export const readInvoicesOfPayee = async (services: TimedServices, actor: Actor, payeeId: string) =>
  toInvoiceRows(services, actor, await listInvoicesOfPayee(services, actor, payeeId, SHOWN_OF_PAYEE));

const MAX_LINES = 8;

/**
 * The lines of the document around an account, or else around foreign bank details, with those of the number itself
 * marked.
 */
function linesAround(read: InvoiceDetail["read"], account: AccountOfInvoice | undefined) {
  const found = read?.accounts.find((each) => account && accountKey(each) === accountKey(account)) ?? read?.accounts[0];
  const foreign = found ? undefined : read?.findings.find(({ code }) => code === "iban_or_swift");
  const numbers = found ? [found.accountNumber, found.bsb] : [foreign?.digits ?? ""];
  return (found ?? foreign)?.lines?.slice(0, MAX_LINES).map((text, at) => {
    const plain = text.replace(/[^\dA-Z]/gi, "");
    return { key: `${at} ${text}`, text, isMarked: numbers.some((each) => each !== "" && plain.includes(each)) };
  });
}

/** What the card says about the lines that it shows. */
function foundWords(count: number, account: AccountOfInvoice | undefined, read: InvoiceDetail["read"]): string {
  const on = account?.page ? `on page ${account.page}` : "";
  if (count > 1) return [`${count} accounts found`, ...(on ? [`this one ${on}`] : [])].join(", ");
  if (count === 1) return ["1 account found", ...(on ? [on] : [])].join(", ");
  const [other] = read?.accounts ?? [];
  if (other?.whose === "customer") return "An account to be debited or refunded: it is not compared";
  if (other) return "Only part of an account could be read, so it is not compared";
  return read ? "A foreign account is not compared" : "";
}

const OF_NO_PAYEE = "None of your payees has the account, ABN, sender or name on this invoice.";
const ACCOUNT_OF_ANOTHER = "Its account belongs, or belonged, to another payee: see what was found.";

type Compared = { label: string; asked: string; known: string | null; isSame: boolean | null };

/** The payee that was found, as it is today; or the one that has this account today. */
async function readPayeeNow(
  services: ReadServices,
  { organizationId }: Actor,
  payee: PayeeOfInvoice | undefined,
  account: AccountOfInvoice | undefined,
): Promise<PayeeOfInvoice[]> {
  const id = payee?.id ?? (account && (await findPayeeByAccount(services, organizationId, account))?.id);
  return id === undefined ? [] : (await readPayees(services, organizationId, [id]))([id]);
}

/** The account on the invoice beside the payee's of today, field by field. */
function compareAccounts(account: AccountOfInvoice | undefined, payee: PayeeOfInvoice | undefined): Compared[] {
  if (!account) return [];
  const row = (label: string, asked: string, known: string | undefined, isSame?: boolean): Compared => ({
    ...{ label, asked, known: known ?? null },
    isSame: known === undefined ? null : (isSame ?? asked === known),
  });
  const bank = (bsb: string) => institutionOf(bsb)?.name ?? "Not known";
  const number = payee && accountKey({ ...payee, bsb: "" }) === accountKey({ ...account, bsb: "" });
  return [
    row("BSB", formatBsb(account.bsb), payee && formatBsb(payee.bsb)),
    row("Account number", account.accountNumber, payee?.accountNumber, number),
    row("Institution", bank(account.bsb), payee && bank(payee.bsb)),
    ...(account.accountName
      ? [
          row(
            "Account name",
            account.accountName,
            payee?.accountName,
            payee && scoreNames(payee.accountName, account.accountName).matchType === "exact",
          ),
        ]
      : []),
  ];
}

/** Whom to call about a different account: the phone number that was on record before the invoice arrived. */
async function readCaller({ db }: ReadServices, actor: Actor, payeeId: string | null, zone: Zone) {
  if (payeeId === null) return null;
  const [row] = await db
    .select(columnsOf(payees, "name", "phone", "contactChangedAt", "createdAt", "paymentCount", "lastPaymentDate"))
    .from(payees)
    .where(and(eq(payees.organizationId, actor.organizationId), eq(payees.id, payeeId)));
  if (!row) return null;
  const since = row.contactChangedAt ?? row.createdAt;
  const paid =
    row.lastPaymentDate === null
      ? "Never"
      : `${formatCount(row.paymentCount)} ${row.paymentCount === 1 ? "time" : "times"}, last on ${formatDate(row.lastPaymentDate, zone.timeZone)}`;
  return {
    name: row.name,
    phone: row.phone ? formatPhone(row.phone) : null,
    since: formatDate(since, zone.timeZone),
    isNew: zone.now - since < KNOWN_FOR_MS,
    paid,
  };
}

/** True if the person received the invoice, or it is stopped and they entered the bank details of its payee. */
export async function isOwnInvoice(
  services: ReadServices,
  actor: Actor,
  { receivedById, payeeId, isStopped }: InvoiceDetail,
) {
  if (receivedById === actor.userId) return true;
  if (payeeId === null || !isStopped) return false;
  const payee = await getPayee(services, actor, payeeId);
  return isOwnWork(await findApprovalOfPayee(services, actor, payee), actor.userId);
}

/** The ways to pay besides a bank account, each kind with what the invoice names, once. */
function listOtherWays(read: StoredReading) {
  const byLabel = new Map<string, Set<string>>();
  const add = (label: string, value: string) => byLabel.set(label, (byLabel.get(label) ?? new Set()).add(value));
  for (const { billerCode, reference } of read.bpay) {
    add("BPAY", `Biller code ${billerCode}${reference ? `, reference ${reference}` : ""}`);
  }
  for (const { kind, value } of waysIn(read)) if (kind !== "biller") add(WAY_LABELS[kind], value);
  return [...byLabel].map(([label, values]) => ({ label, values: [...values] }));
}

const CALL = ": call the payee on a number you know before you pay in this way.";

/** A finding about several ways to pay says once what to do about them, after a line about each. */
function messageWithOneCall(message: string): string {
  const ways = message.split(CALL);
  const rest = ways.pop();
  if (ways.length < 2) return message;
  const lines = ways.map((way) => `${way.trim()}.`);
  return [...lines, `Call the payee on a number you know before you pay in one of these ways.${rest}`].join("\n");
}

/** What is shown of the email that it came in. */
function emailOf({ read, mailAuthentication, mailReplyTo }: InvoiceDetail) {
  if (!read?.email) return null;
  const { from, replyTo, subject, attachments } = read.email;
  return {
    from: from?.address ?? null,
    checked: CHECKED[mailAuthentication ?? "nobody"],
    answered: mailReplyTo,
    replyTo: replyTo?.address ?? null,
    subject,
    attachments: attachments.map(({ fileName }) => fileName),
  };
}

/** The facts as they were stored, if they can still be read. */
const factsOf = ({ facts }: InvoiceDetail) =>
  facts === null ? undefined : invoiceFacts.safeParse(JSON.parse(facts)).data;

/** Reads everything for the page of an invoice. */
export async function readInvoicePage(services: Pick<Services, "db" | "clock" | "ids">, actor: Actor, id: string) {
  const invoice = await getInvoice(services, actor, id);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const facts = factsOf(invoice);
  const judged = facts && judgeInvoice(facts);
  const payee = facts && identifyPayee(facts)?.payee;
  const { read, verdict, decision, isStopped } = invoice;
  const account = judged?.account ?? (facts && payableAccounts(facts)[0]);
  const isDecidable = canWrite(actor) && invoice.status !== "reading" && decision === null;
  const isSafe = decision === "accept" || (!isStopped && decision === null);
  const isCreditNote = facts?.noticed.some(({ code }) => code === "credit_note") ?? false;
  const [[now], caller, offersPayee, paid, { ruleLevels, secondPersonRequired }, isOwn] = await Promise.all([
    readPayeeNow(services, actor, payee, verdict === "unknown_payee" ? account : undefined),
    readCaller(services, actor, invoice.payeeId, zone),
    findOfferedPayee(services, actor, invoice),
    findPaymentsOfInvoices(services, actor, [id]),
    findPolicy(services, actor.organizationId),
    isDecidable && needsReason(invoice) && isOwnInvoice(services, actor, invoice),
  ]);
  const recorded = paid.get(id);
  const since = changeSince(invoice, payee, now);
  const isPayable = isSafe && verdict === "same_account" && since !== "account";
  const { tone, title } = headlineOfToday(invoice, now, since);
  return {
    id,
    version: invoice.version,
    status: invoice.status,
    title: toInvoiceRow(invoice, zone).title,
    fileName: invoice.fileName,
    pages: read?.pages ?? null,
    receivedAt: showTime(invoice.receivedAt, zone),
    cameFrom: cameFrom(invoice),
    tone,
    headline: title,
    ...trustSentences(invoice, { now, account, isChanged: since !== null }, zone.timeZone),
    totalCents: invoice.totalCents,
    dueDate: read?.dueDate ? formatDay(read.dueDate) : null,
    verdict,
    isRed: tone === "review",
    found: foundWords(facts ? payableAccounts(facts).length : 0, account, read),
    lines: linesAround(read, account) ?? [],
    compared: compareAccounts(account, now),
    /** The day of the comparison that gave the findings, where the payee is another by now. */
    comparedOn: facts && since !== null ? formatDate(facts.now, zone.timeZone) : null,
    noPayee: verdict === "another_payees_account" ? ACCOUNT_OF_ANOTHER : OF_NO_PAYEE,
    payee: now
      ? {
          id: now.id,
          name: now.name,
          by: invoice.payeeBy ? BY_WORDS[invoice.payeeBy] : "added since with this account",
        }
      : null,
    caller,
    findings: invoice.findings.map(({ code, level, message, page }) => ({
      ...{ code, level, page: page ?? null },
      message: markDomains(messageWithOneCall(message)),
    })),
    silent: invoice.status === "read" ? silentRules(invoice.findings) : [],
    /** What was found matters more than the comparison, which shows only that the account is another one. */
    isStoryFound: verdict !== "other_account" && invoice.findings.some(({ level }) => level !== "note"),
    hasBpay: (read?.bpay.length ?? 0) > 0,
    otherWays: read ? listOtherWays(read) : [],
    email: emailOf(invoice),
    originalHref: invoice.bytesRemovedAt === null ? appPaths.supplierInvoiceOriginal(id) : null,
    documentRemovedOn: invoice.bytesRemovedAt && formatDate(invoice.bytesRemovedAt, zone.timeZone),
    replayHref: invoice.facts === null ? null : appPaths.supplierInvoiceReplay(id),
    isDecidable,
    isStopped,
    needsReason: needsReason(invoice),
    /** Only somebody else may accept it. */
    needsAnother: isOwn && secondPersonRequired,
    decided:
      decision === null
        ? null
        : {
            decision,
            by: invoice.decidedBy,
            at: invoice.decidedAt === null ? null : showTime(invoice.decidedAt, zone),
            reason: invoice.decisionReason,
          },
    /** The link to the payment form, filled in. */
    payHref:
      canWrite(actor) && isPayable && now && !isCreditNote && !recorded
        ? withQuery(appPaths.newPayment, { payeeId: now.id, invoice: id })
        : null,
    /** What happens to a payment that does not match it. */
    mismatch: ruleLevels[invoiceAccountDiffers.id] ?? invoiceAccountDiffers.defaultLevel,
    namesNewWay: namesNewWay(invoice.findings),
    /** The payment of this invoice that is already there. */
    recorded: recorded
      ? { to: appPaths.payment(recorded.id), on: formatDate(recorded.createdAt, zone.timeZone) }
      : null,
    isCreditNote: isPayable && isCreditNote,
    /** The page offers to add the invoice's supplier as a payee to be verified. */
    offersPayee: canWrite(actor) && offersPayee,
    addedPayeeHref: invoice.addedPayeeId === null ? null : appPaths.payee(invoice.addedPayeeId),
    canDelete:
      canWrite(actor) && invoice.status !== "reading" && decision !== "reject" && !(isStopped && decision === null),
    submissionId: services.ids.next(),
  };
}

/** Runs the rules of a stored verdict again, on the stored facts and at the stored levels. Changes nothing. */
export async function readInvoiceReplayPage(services: TimedServices, actor: Actor, id: string) {
  const invoice = await getInvoice(services, actor, id);
  const { facts: kept, ruleSet, findings, verdict } = invoice;
  const facts = factsOf(invoice);
  const { different, changed } =
    facts && ruleSet ? replayInvoice(facts, ruleSet, findings) : { different: [], changed: [] };
  const isVerdict = facts === undefined || judgeInvoice(facts).verdict === verdict;
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    id,
    name: toInvoiceRow(invoice, zone).title,
    isKept: kept !== null,
    unreadableCount: kept !== null && !facts ? 1 : 0,
    different: isVerdict ? different : ["What is said about the account", ...different],
    changedRules: changed,
  };
}

export type InvoiceView = Awaited<ReturnType<typeof readInvoicePage>>;

const SINCE = {
  added: "a payee with this account was added since this invoice was read",
  account: "the payee’s account has changed since this invoice was read",
  trusted: "same account as the payee’s, which was not verified when this invoice was read",
  untrusted: "same account as the payee’s, which is no longer trusted",
};

/** What makes the verdict untrue today. @param then the payee that the invoice was compared with */
function changeSince({ verdict, isStopped }: InvoiceDetail, then: PayeeOfInvoice | undefined, now?: PayeeOfInvoice) {
  if (!now) return null;
  if (!then) return "added";
  if (!isSameAccount(then, now)) return verdict === "same_account" || verdict === "other_account" ? "account" : null;
  if (verdict !== "same_account" || isStopped || isTrusted(then.standing) === isTrusted(now.standing)) return null;
  return isTrusted(now.standing) ? "trusted" : "untrusted";
}

/** The headline, as it is true today. */
function headlineOfToday(invoice: InvoiceDetail, now: PayeeOfInvoice | undefined, since: keyof typeof SINCE | null) {
  const { tone, title } = headlineOf(invoice, now?.standing);
  if (since === null || invoice.decision !== null) return { tone, title };
  const what = SINCE[since];
  return {
    tone: tone === "verified" ? "pending" : tone,
    title: invoice.isStopped ? `Stop: ${what}` : what.slice(0, 1).toUpperCase() + what.slice(1),
  };
}

type Today = { now: PayeeOfInvoice | undefined; account: AccountOfInvoice | undefined; isChanged: boolean };

/** The sentence below the headline; and how far the payee's account is trusted today, unless that sentence says it. */
function trustSentences(invoice: InvoiceDetail, { now, ...today }: Today, timeZone: string) {
  const subline = sublineOf(invoice, { now, ...today }, timeZone);
  const clause = now && standingClause(now.standing, timeZone);
  if (!now || !clause || subline.includes(clause)) return { subline, standing: null };
  const noTrust =
    now.standing.state === "taken_off" ? `Account${clause.slice(1)}.` : "Its account here is not verified.";
  return { subline, standing: describeTrust(now.standing, timeZone) ?? noTrust };
}

function sublineOf(invoice: InvoiceDetail, { now, account, isChanged }: Today, timeZone: string): string {
  const { status, verdict, isStopped, decision, unreadableReason, mailAuthentication } = invoice;
  if (status === "reading") return "The result appears here automatically. You can leave this page and come back.";
  if (decision !== null) return "What was found stays below.";
  const isSame = now !== undefined && account !== undefined && isSameAccount(account, now);
  const today = `Its account is ${isSame ? "" : "not "}the one that ${now?.name} has here${now ? standingClause(now.standing, timeZone) : ""}.`;
  if (isStopped) {
    const call =
      mailAuthentication === null
        ? "Do not pay it until you have called a number you knew before: not one printed on it."
        : "Do not pay it and do not answer its email until you have called a number you knew before.";
    return isChanged ? `${call} ${today}` : call;
  }
  if (now && (isChanged || verdict === "same_account")) {
    if (!isTrusted(now.standing)) return `${today} Verify the payee before you pay.`;
    return `${today} ${isSame ? "An invoice that names an account proves nothing about it." : "Look at what was found before you pay it."}`;
  }
  if (verdict === "unreadable" && unreadableReason !== null && unreadableReason in UNREADABLE)
    return `It could not be read: ${UNREADABLE[unreadableReason as keyof typeof UNREADABLE]}. That says nothing about its bank details: read it yourself.`;
  if (verdict === "unreadable" && !invoice.findings.some(({ code }) => code === "foreign_account"))
    return "That says nothing about its bank details: read it yourself before you pay.";
  if (invoice.addedPayeeId !== null)
    return "Its account was added as a separate payee: pay only once that one is verified.";
  if (verdict === "unknown_payee") return "Add the payee and verify the account before anything is paid to it.";
  return "Look at what was found before you pay it.";
}

/**
 * The details for a new payee from an invoice, unless its digits may be half of a number: the account to be paid, and
 * the known payee's name if there is one.
 */
export async function findPayeeDetails(services: ReadServices, actor: Actor, invoiceId: string) {
  const invoice = await getInvoice(services, actor, invoiceId);
  const facts = factsOf(invoice);
  const judged = facts && judgeInvoice(facts);
  if (!facts || !judged?.account) return undefined;
  const { account, identified } = judged;
  const isHalf = invoice.read?.accounts.some(
    (each) => accountKey(each) === accountKey(account) && each.doubts.includes("half_an_account"),
  );
  if (isHalf) return undefined;
  const [known] = identified
    ? await services.db
        .select(columnsOf(payees, "name", "abn", "email", "phone", "address"))
        .from(payees)
        .where(and(eq(payees.organizationId, actor.organizationId), eq(payees.id, identified.payee.id)))
    : [];
  const name = known?.name ?? facts.supplierName ?? account.accountName;
  if (!name) return undefined;
  return {
    name,
    accountName: account.accountName ?? facts.supplierName ?? name,
    bsb: account.bsb,
    accountNumber: account.accountNumber,
    abn: known ? known.abn : facts.abn,
    // Use only the contact on record: never an address or phone number from the invoice.
    email: known?.email ?? null,
    phone: known?.phone ?? null,
    address: known?.address ?? null,
  };
}

/** True if the account may be added as a payee: one account was read, and it is not another payee's. */
export const isOfNewAccount = ({ verdict }: Pick<InvoiceDetail, "verdict">): boolean =>
  verdict === "other_account" || verdict === "unknown_payee";

async function findOfferedPayee(services: ReadServices, actor: Actor, invoice: InvoiceDetail): Promise<boolean> {
  if (invoice.addedPayeeId !== null || invoice.decision === "reject" || !isOfNewAccount(invoice)) return false;
  const details = await findPayeeDetails(services, actor, invoice.id);
  return details !== undefined && !(await findPayeeByAccount(services, actor.organizationId, details));
}
