import {
  accountingBills,
  accountingContacts,
  accountingPayments,
  accountQuestions,
  alertChoices,
  alerts,
  apiTokens,
  bankChecks,
  bankQuestions,
  billingAccounts,
  billingNotices,
  billingRecords,
  bulkBankQuestions,
  bulkCheckPayees,
  bulkChecks,
  certificates,
  changeNotices,
  columnsOf,
  decisionRecords,
  decisions,
  healthRuns,
  invoiceSettings,
  invoices,
  keptSeals,
  lostEntries,
  lostPayments,
  organizationDomains,
  organizationIntegrations,
  organizationNames,
  organizationPolicies,
  organizations,
  organizationUsers,
  outsideMessages,
  payeeChanges,
  payeeFindings,
  payeeImportRows,
  payeeImports,
  payeeLinks,
  payeeRequests,
  payees,
  paymentFileClearings,
  paymentFileFacts,
  paymentFileLines,
  paymentFileSettings,
  paymentFiles,
  paymentRecords,
  paymentTransitions,
  policyChanges,
  providerPeople,
  remittancesDue,
  ruleSets,
  savedViews,
  scimTokens,
  signedApprovals,
  singleSignOn,
  staffAccounts,
  subjectWatches,
  users,
  verificationCalls,
  verifications,
  waysIn,
  webhookDeliveries,
  webhookEndpoints,
} from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { notFound } from "~/kernel/app-error";
import { toIso } from "~/kernel/dates";
import { toBase64Url } from "~/kernel/encodings";
import { exportTrail } from "~/modules/core/audit/seals.server";
import { getBytes } from "~/modules/payments/payment-files/payment-file.server";
import type { Actor, ReadServices, Services } from "~/services-and-actor";
import { type Child, child, type Walk, walk } from "./walks";

/** The organisation's own tables, apart from its audit trail. */
export const OWN_WALKS: Readonly<Record<string, Walk>> = {
  organizationPolicies: walk(organizationPolicies),
  organizationNames: walk(organizationNames),
  policyChanges: walk(policyChanges, { along: [policyChanges.field] }),
  savedViews: walk(savedViews, { along: [savedViews.userId, savedViews.name] }),
  alertChoices: walk(alertChoices),
  payees: walk(payees),
  payeeChanges: walk(payeeChanges, { along: [payeeChanges.payeeId, payeeChanges.id] }),
  payeeRequests: walk(payeeRequests),
  changeNotices: walk(changeNotices),
  healthRuns: walk(healthRuns),
  payeeFindings: walk(payeeFindings),
  subjectWatches: walk(subjectWatches),
  payeeImports: walk(payeeImports),
  payeeImportRows: walk(payeeImportRows),
  staffAccounts: walk(staffAccounts),
  verifications: walk(verifications, {
    children: [
      child("decisions", decisions, decisions.verificationId),
      child("bankChecks", bankChecks, bankChecks.verificationId),
      child("bankQuestions", bankQuestions, bankQuestions.verificationId),
      child("payeeLinks", payeeLinks, payeeLinks.verificationId),
      child("verificationCalls", verificationCalls, verificationCalls.verificationId),
    ],
  }),
  accountQuestions: walk(accountQuestions),
  bulkChecks: walk(bulkChecks),
  bulkCheckPayees: walk(bulkCheckPayees),
  bulkBankQuestions: walk(bulkBankQuestions),
  certificates: walk(certificates),
  paymentRecords: walk(paymentRecords, {
    children: [child("paymentTransitions", paymentTransitions, paymentTransitions.paymentId)],
  }),
  ruleSets: walk(ruleSets),
  decisionRecords: walk(decisionRecords),
  remittancesDue: walk(remittancesDue),
  paymentFileSettings: walk(paymentFileSettings),
  paymentFiles: walk(paymentFiles, { hasDocuments: true }),
  paymentFileLines: walk(paymentFileLines),
  paymentFileFacts: walk(paymentFileFacts),
  paymentFileClearings: walk(paymentFileClearings, { hasDocuments: true }),
  invoiceSettings: walk(invoiceSettings),
  invoices: walk(invoices, { hasDocuments: true }),
  organizationIntegrations: walk(organizationIntegrations),
  accountingContacts: walk(accountingContacts),
  accountingBills: walk(accountingBills),
  accountingPayments: walk(accountingPayments),
  webhookEndpoints: walk(webhookEndpoints),
  webhookDeliveries: walk(webhookDeliveries, { along: [webhookDeliveries.endpointId, webhookDeliveries.id] }),
  alerts: walk(alerts),
  billingAccounts: walk(billingAccounts),
  billingRecords: walk(billingRecords),
  billingNotices: walk(billingNotices),
  lostEntries: walk(lostEntries),
  lostPayments: walk(lostPayments),
  keptSeals: walk(keptSeals),
  signedApprovals: walk(signedApprovals),
};

/** An organisation's tables that the export leaves out, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  bankConfirmations: "earlier answers, which are also in accountQuestions",
  auditLogs: "in the export as `auditTrail`, each entry with its seal",
  auditSeals: "the same",
  billingAttempts: "attempts at the card provider; their results are in billingRecords",
  counters: "counts of the rows that are in the export",
  idempotencyKeys: "answers to recent calls, kept for when the same call is sent again",
  outbox: "work that is under way, encrypted; what it does is in the audit trail",
  payeeImportParts: "rows that wait for their outcome; they become payeeImportRows",
  payeeTerms: "the search index, made of payees",
  payeeWordParts: "the search index, made of payees",
  paymentFileBytes: "in the export as `documents`, decrypted",
  promotionDue: "payees that the next schedule looks at",
  reportDays: "figures counted from the audit trail",
  sentMessages: "the providers' ids of messages; what was sent is in the audit trail and in changeNotices",
  tokens: "links that sign people in or confirm an address",
};

/** An organisation's members, domains and tokens, from the shared directory of organisations and people. */
export const DIRECTORY_WALKS: Readonly<Record<string, Walk>> = {
  organizationUsers: walk(organizationUsers, {
    along: [organizationUsers.userId],
    children: [
      {
        name: "users",
        table: users,
        by: users.id,
        of: "userId",
        organizationId: null,
        columns: columnsOf(users, "id", "username", "email", "firstName", "lastName", "createdAt", "lastLoginAt"),
      },
      child("apiTokens", apiTokens, apiTokens.userId, "userId"),
    ],
  }),
  organizationDomains: walk(organizationDomains, { along: [organizationDomains.domain] }),
  singleSignOn: walk(singleSignOn),
  waysIn: walk(waysIn),
  providerPeople: walk(providerPeople, { along: [providerPeople.userId] }),
  scimTokens: walk(scimTokens),
  outsideMessages: walk(outsideMessages, { along: [outsideMessages.createdAt, outsideMessages.id] }),
};

async function readOrganization({ db }: ReadServices, organizationId: string) {
  const [row] = await db.select().from(organizations).where(eq(organizations.id, organizationId));
  return row;
}

/** Everything stored about an organisation, one JSON object per line, read page by page while it is sent. */

export const WALKS: Readonly<Record<string, Walk>> = { ...DIRECTORY_WALKS, ...OWN_WALKS };

/** The audit trail comes last, so that it contains the entry about the export. */
const TRAIL = "auditTrail";
const ORDER: readonly string[] = [...Object.keys(WALKS), TRAIL];

const PAGE_ROWS = 1_000;
/** Rows with a document of up to several megabytes each. */
const PAGE_DOCUMENTS = 20;
/** How many queries one file makes, well under D1's limit of 1,000 per request. */
const MAX_READS = 600;

const keySchema = z.array(z.union([z.string().max(500), z.number()])).max(4);
const startSchema = z.object({ table: z.string().refine((name) => ORDER.includes(name)), key: keySchema });

type Key = z.infer<typeof keySchema>;
/** Where a file of the export starts: after this row of this table. */
export type ExportStart = z.infer<typeof startSchema>;

/** Parses `?after=` for the next file, from the previous one's last line. @throws AppError 404 for anything else */
export function readExportStart(asked: URLSearchParams): ExportStart {
  const after = asked.get("after");
  if (after === null) return { table: ORDER[0] ?? TRAIL, key: [] };
  const start = startSchema.safeParse(parsed(after));
  const isStart = start.success && start.data.key.length <= (WALKS[start.data.table]?.along.length ?? 1);
  if (!isStart) throw notFound();
  return start.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Exporting = Pick<Services, "db" | "secrets" | "log">;
type Row = Record<string, unknown>;
type Line = { table: string; row: unknown };
type Page = { lines: Line[]; reads: number; next: Key | null };
type Limits = { pageRows: number; maxReads: number };

/**
 * The lines of the export. The last one says that the export is complete, or where the next file starts (`next`), and
 * how many lines of each table this file has: a file without such a line is incomplete. The trail is sealed first.
 */
export async function* exportOrganization(
  services: Exporting & Pick<Services, "clock">,
  { organizationId }: Pick<Actor, "organizationId">,
  start: ExportStart,
  { pageRows, maxReads }: Limits = { pageRows: PAGE_ROWS, maxReads: MAX_READS },
): AsyncGenerator<string> {
  const organization = await readOrganization(services, organizationId);
  if (!organization) throw notFound();
  yield jsonLine({ format: 1, exportedAt: toIso(services.clock.now()), organization });
  const lines: Record<string, number> = {};
  let reads = 0;
  for (const table of ORDER.slice(ORDER.indexOf(start.table))) {
    let key: Key | null = table === start.table ? start.key : [];
    while (key !== null) {
      if (reads >= maxReads) return yield jsonLine({ next: JSON.stringify({ table, key }), lines });
      const page: Page = await readPage(services, organizationId, table, { key, pageRows });
      for (const line of page.lines) lines[line.table] = (lines[line.table] ?? 0) + 1;
      reads += page.reads;
      key = page.next;
      yield page.lines.map(jsonLine).join("");
    }
  }
  yield jsonLine({ isComplete: true, lines });
}

const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

type From = { key: Key; pageRows: number };

function readPage(services: Exporting, organizationId: string, table: string, from: From): Promise<Page> {
  const walk = WALKS[table];
  return walk
    ? readRows(services, organizationId, { ...from, table, walk })
    : readTrail(services, organizationId, from);
}

/** A page of a table, with the rows that belong to it. */
async function readRows(
  services: Exporting,
  organizationId: string,
  { table, walk, key, pageRows }: From & { table: string; walk: Walk },
): Promise<Page> {
  const limit = walk.hasDocuments ? Math.min(PAGE_DOCUMENTS, pageRows) : pageRows;
  const rows = await selectRows(services, organizationId, walk, { key, limit });
  const lines: Line[] = rows.map((row) => ({ table, row: shown(row, walk.columns) }));
  for (const child of rows.length > 0 ? walk.children : []) {
    const found = await selectChildren(services, organizationId, child, rows);
    lines.push(...found.map((row) => ({ table: child.name, row })));
  }
  if (walk.hasDocuments) {
    for (const row of rows) lines.push(...(await readDocument(services, organizationId, table, row)));
  }
  const last = rows.at(-1);
  const next = last && rows.length === limit && walk.along.length > 0 ? keyOfRow(last, walk.along) : null;
  const reads = 1 + walk.children.length + (walk.hasDocuments ? rows.length : 0);
  return { lines, reads, next };
}

const keyOfRow = (row: Row, along: readonly SQLiteColumn[]): Key =>
  along.map(({ name }) => keySchema.element.parse(row[name]));

/** Leaves out columns that only serve to find the rows. */
const shown = (row: Row, columns: Walk["columns"]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(columns, name)));

const listOf = (parts: readonly unknown[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );

function selectRows(
  { db }: ReadServices,
  organizationId: string,
  { table, along, columns }: Walk,
  { key, limit }: { key: Key; limit: number },
): Promise<Row[]> {
  const beyond = key.length > 0 ? sql`(${listOf(along)}) > (${listOf(key)})` : undefined;
  return db
    .select({ ...columns, ...Object.fromEntries(along.map((column) => [column.name, column])) })
    .from(table)
    .where(and(eq(table.organizationId, organizationId), beyond))
    .orderBy(...along)
    .limit(limit);
}

function selectChildren(
  { db }: ReadServices,
  organizationId: string,
  { table, by, of, organizationId: owner, columns }: Child,
  parents: readonly Row[],
): Promise<Row[]> {
  const ids = JSON.stringify(parents.map((parent) => parent[of]));
  return db
    .select(columns)
    .from(table)
    .where(and(owner ? eq(owner, organizationId) : undefined, sql`${by} IN (SELECT value FROM json_each(${ids}))`));
}

const documentSchema = z.object({ id: z.string(), byteCount: z.number(), bytesRemovedAt: z.number().nullish() });

/** The document of a row. An unreadable one is named as such and does not stop the export. */
async function readDocument(services: Exporting, organizationId: string, of: string, row: Row) {
  const { id, byteCount, bytesRemovedAt } = documentSchema.parse(row);
  if (bytesRemovedAt) return [];
  try {
    const bytes = await getBytes(services, { organizationId, ownerId: id, byteCount });
    return [{ table: "documents", row: { of, id, base64url: toBase64Url(bytes) } }];
  } catch (error) {
    services.log.error("export.unreadable_document", { of, id, error: String(error) });
    return [{ table: "documents", row: { of, id, problem: "This document cannot be read. Contact us." } }];
  }
}

const TRAIL_READS = 5;

/** Audit entries with their seals, as in the trail's own export. */
async function readTrail(services: ReadServices, organizationId: string, { key, pageRows }: From): Promise<Page> {
  const after = z.number().int().min(0).catch(0).parse(key[0]);
  const part = await exportTrail(services, organizationId, { whole: true, after, partSize: pageRows });
  const text = await new Response(part.lines).text();
  const lines = text.split("\n").flatMap((line) => (line === "" ? [] : [{ table: TRAIL, row: JSON.parse(line) }]));
  return { lines, reads: TRAIL_READS, next: part.next === undefined ? null : [part.next] };
}
