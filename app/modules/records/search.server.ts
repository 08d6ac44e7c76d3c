import { paymentFiles } from "@db/database";
import { desc, eq } from "drizzle-orm";
import { maskedAccount } from "~/kernel/bank-account";
import { showTime } from "~/kernel/dates";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { PAYMENT_STATUS_WORDS } from "~/kernel/status-words";
import { listColleagues } from "~/modules/accounts/members/members.server";
import { payeesHref } from "~/modules/payees/payee-list";
import { listPayees } from "~/modules/payees/payee-list.server";
import { invoicesHref, shownStanding } from "~/modules/payments/invoices/invoice";
import { listInvoices } from "~/modules/payments/invoices/invoice.server";
import { nameInvoice } from "~/modules/payments/invoices/reading";
import { conditionsOf, paymentsHref } from "~/modules/payments/payment-list";
import { listPayments } from "~/modules/payments/payment-list.server";
import type { Actor, ReadServices, Services } from "~/services-and-actor";

/** One search over everything: payees with their accounts, payments, invoices, payment files and people. */

/** How many results of each kind are shown; that kind's own list has the rest. */
const SHOWN = 8;
/** How many of the newest payment files are searched. */
const FILES = 200;
const MAX_QUERY = 160;

export type Found = { key: string; title: string; detail: string; href: string };
export type FoundGroup = { label: string; rows: Found[]; allHref: string | null };

export const readSearchWords = (params: URLSearchParams): string => (params.get("q") ?? "").trim().slice(0, MAX_QUERY);

/** The results for the words, by kind; empty without words. */
export async function searchEverything(services: Services, actor: Actor, q: string): Promise<FoundGroup[]> {
  if (q === "") return [];
  const groups = await Promise.all([
    findPayees(services, actor, q),
    findPayments(services, actor, q),
    findInvoices(services, actor, q),
    findFiles(services, actor, q),
    findPeople(services, actor, q),
  ]);
  return groups.filter(({ rows }) => rows.length > 0);
}

async function findPayees(services: ReadServices, actor: Actor, q: string): Promise<FoundGroup> {
  const { payees } = await listPayees(services, actor, { q, limit: SHOWN });
  const rows = payees.map(({ id, name, accountName, bsb, accountNumber }) => ({
    key: id,
    title: name,
    detail: `${maskedAccount({ bsb, accountNumber })}, ${accountName}`,
    href: appPaths.payee(id),
  }));
  return { label: "Payees and accounts", rows, allHref: payeesHref({ q }) };
}

async function findPayments(services: ReadServices, actor: Actor, q: string): Promise<FoundGroup> {
  const conditions = conditionsOf({ filter: "all", q }, actor.timeZone);
  const { payments } = await listPayments(services, actor, { conditions });
  const rows = payments.slice(0, SHOWN).map((payment) => ({
    key: payment.id,
    title: `${formatAud(payment.amount)} to ${payment.payee?.name ?? payment.accountName}`,
    detail: [payment.reference, PAYMENT_STATUS_WORDS[payment.status]].filter(Boolean).join(", "),
    href: appPaths.payment(payment.id),
  }));
  return { label: "Payments", rows, allHref: paymentsHref({ filter: "all", q }) };
}

async function findInvoices(services: ReadServices, actor: Actor, q: string): Promise<FoundGroup> {
  const { invoices } = await listInvoices(services, actor, { tab: "all", q });
  const rows = invoices.slice(0, SHOWN).map((invoice) => ({
    key: invoice.id,
    title: invoice.invoiceNumber ?? nameInvoice({ ...invoice, supplierName: null }),
    detail: [invoice.supplierName, shownStanding(invoice).word].filter(Boolean).join(", "),
    href: appPaths.supplierInvoice(invoice.id),
  }));
  return { label: "Invoices", rows, allHref: invoicesHref({ q }) };
}

const hasWords = (text: string, q: string) => {
  const within = text.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word));
};

async function findFiles({ db, clock }: Services, actor: Actor, q: string): Promise<FoundGroup> {
  const files = await db
    .select({ id: paymentFiles.id, name: paymentFiles.name, createdAt: paymentFiles.createdAt })
    .from(paymentFiles)
    .where(eq(paymentFiles.organizationId, actor.organizationId))
    .orderBy(desc(paymentFiles.id))
    .limit(FILES);
  const zone = { timeZone: actor.timeZone, now: clock.now() };
  const rows = files
    .filter(({ name }) => hasWords(name, q))
    .slice(0, SHOWN)
    .map(({ id, name, createdAt }) => ({
      key: id,
      title: name,
      detail: `Uploaded ${showTime(createdAt, zone).exact}`,
      href: appPaths.paymentFile(id),
    }));
  return { label: "Payment files", rows, allHref: appPaths.paymentFiles };
}

async function findPeople(services: ReadServices, actor: Actor, q: string): Promise<FoundGroup> {
  const colleagues = await listColleagues(services, actor);
  const rows = colleagues
    .filter(({ name }) => hasWords(name, q))
    .slice(0, SHOWN)
    .map(({ userId, name }) => ({ key: userId, title: name, detail: "Colleague", href: appPaths.members }));
  return { label: "People", rows, allHref: null };
}
