import { columnsOf, invoices, payees, paymentFiles, paymentRecords, users, verifications } from "@db/database";
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { allNamed } from "~/kernel/all-in-order";
import { displayName } from "~/kernel/text";
import { SUBJECT } from "~/modules/payments/invoices/invoice.server";
import { nameWithNumber } from "~/modules/payments/invoices/reading";
import type { ReadServices } from "~/services-and-actor";
import type { AuditEntry } from "./audit.json";

type Named = Pick<AuditEntry, "userId" | "user" | "entityType" | "entityId">;

/** The names for the ids of some entries: one query for each kind of subject. */
export async function readAuditNames(services: ReadServices, organizationId: string, entries: readonly Named[]) {
  const idsOf = (type: string) => [
    ...new Set(entries.flatMap(({ entityType, entityId }) => (entityType === type && entityId ? [entityId] : []))),
  ];
  return allNamed({
    people: readPeople(services, idsOf("user"), entries),
    payees: readPayees(services, organizationId, idsOf("payee")),
    verifications: readVerifications(services, organizationId, idsOf("verification")),
    payments: readPayments(services, organizationId, idsOf("payment")),
    files: readFiles(services, organizationId, idsOf("payment_file")),
    invoices: readInvoices(services, organizationId, idsOf("invoice")),
  });
}

const isOneOf = (column: SQLWrapper, ids: readonly string[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** The entries already contain who acted; the people they are about are read here. */
async function readPeople({ db }: ReadServices, ids: readonly string[], entries: readonly Named[]) {
  const acted = entries.flatMap(({ userId, user }) => (userId && user ? [[userId, user.name] as const] : []));
  const people = new Map<string, string>(acted);
  const unknown = ids.filter((id) => !people.has(id));
  if (unknown.length === 0) return people;
  const rows = await db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(isOneOf(users.id, unknown));
  for (const { id, ...name } of rows) people.set(id, displayName(name));
  return people;
}

async function readPayees({ db }: ReadServices, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>();
  const rows = await db
    .select({ id: payees.id, name: payees.name })
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), isOneOf(payees.id, ids)));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function readVerifications({ db }: ReadServices, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>();
  const rows = await db
    .select({ id: verifications.id, name: payees.name })
    .from(verifications)
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .where(and(eq(verifications.organizationId, organizationId), isOneOf(verifications.id, ids)));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function readPayments({ db }: ReadServices, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, { name: string; amount: number }>();
  const rows = await db
    .select({ ...columnsOf(paymentRecords, "id", "amount", "accountName"), payeeName: payees.name })
    .from(paymentRecords)
    .leftJoin(
      payees,
      and(eq(payees.organizationId, paymentRecords.organizationId), eq(payees.id, paymentRecords.payeeId)),
    )
    .where(and(eq(paymentRecords.organizationId, organizationId), isOneOf(paymentRecords.id, ids)));
  return new Map(
    rows.map(({ id, amount, accountName, payeeName }) => [id, { amount, name: payeeName ?? accountName }]),
  );
}

async function readFiles({ db }: ReadServices, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>();
  const rows = await db
    .select({ id: paymentFiles.id, name: paymentFiles.name })
    .from(paymentFiles)
    .where(and(eq(paymentFiles.organizationId, organizationId), isOneOf(paymentFiles.id, ids)));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function readInvoices({ db }: ReadServices, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>();
  const rows = await db
    .select({ ...columnsOf(invoices, "id", "fileName", "invoiceNumber", "supplierName"), subject: SUBJECT })
    .from(invoices)
    .where(and(eq(invoices.organizationId, organizationId), isOneOf(invoices.id, ids)));
  return new Map(rows.map(({ id, ...invoice }) => [id, nameWithNumber(invoice)]));
}
