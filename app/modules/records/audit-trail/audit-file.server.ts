import { type CsvCell, toCsv, toCsvLines } from "~/kernel/csv";
import { formatDateTime, toIso } from "~/kernel/dates";
import { maskEmails } from "~/kernel/email";
import { listAuditEntries } from "~/modules/core/audit/audit.server";
import type { ReadServices } from "~/services-and-actor";
import { type AuditEntry, type AuditPage, toAuditJson } from "./audit.json";
import type { AuditFilter } from "./audit-filter";
import { type AuditNames, auditSentence } from "./audit-sentence";
import { readAuditNames } from "./names.server";

/** The filtered audit trail as a file: newest first, read page by page while it is sent. */

const PAGE_SIZE = 500;
/** How many pages one file reads, well under D1's limit of 1,000 queries per request. */
const MAX_PAGES = 80;
/** How many entries each page searches: with a filter that few entries match, a file reaches far back. */
const WALK = 20_000;

type Asked = { filter: AuditFilter; cursor?: string; whole: boolean; maxPages?: number };
type Asking = { organizationId: string; timeZone: string };

const HEAD = [
  "When",
  "Time (UTC)",
  "What happened",
  "Person",
  "Email",
  "Action",
  "About",
  "Id of what it is about",
  "IP address",
  "Entry",
  "Seal",
  "Hash",
] as const;

/** Each entry as a row. If the file does not reach the end of the trail, its last row says so. */
export async function* auditCsv(services: ReadServices, actor: Asking, asked: Asked): AsyncGenerator<string> {
  yield toCsv(HEAD, []);
  for await (const { page, names, isLast } of readPages(services, actor, asked)) {
    yield toCsvLines(page.entries.map((entry) => toRow(entry, names, actor.timeZone, asked)));
    if (isLast && page.nextCursor) yield toCsvLines([[null, null, MORE]]);
  }
}

const MORE = "This file ends here and older entries follow. Narrow the dates and export them as another file.";

function toRow(entry: AuditEntry, names: AuditNames, timeZone: string, { whole }: Asked): CsvCell[] {
  const details = whole ? entry.details : maskEmails(entry.details);
  return [
    formatDateTime(entry.createdAt, timeZone),
    toIso(entry.createdAt),
    auditSentence({ ...entry, details }, names),
    entry.user?.name ?? "PayeeProof",
    entry.user?.email ?? null,
    entry.action,
    entry.entityType,
    entry.entityId,
    entry.ipAddress,
    entry.id,
    entry.seal?.seq ?? null,
    entry.seal?.hash ?? null,
  ];
}

/** Each entry as the API lists it, with its sentence. If the trail goes on, the last line is `{"next": cursor}`. */
export async function* auditNdjson(services: ReadServices, actor: Asking, asked: Asked): AsyncGenerator<string> {
  for await (const { page, names, isLast } of readPages(services, actor, asked)) {
    const lines = page.entries.map((entry) => {
      const json = toAuditJson(entry, asked);
      return `${JSON.stringify({ ...json, sentence: auditSentence(json, names) })}\n`;
    });
    yield lines.join("");
    if (isLast && page.nextCursor) yield `${JSON.stringify({ next: page.nextCursor })}\n`;
  }
}

async function* readPages(services: ReadServices, actor: Asking, { filter, cursor, maxPages = MAX_PAGES }: Asked) {
  let after = cursor;
  for (let number = 1; number <= maxPages; number++) {
    const page: AuditPage = await listAuditEntries(services, actor, {
      filter,
      cursor: after,
      limit: PAGE_SIZE,
      walk: WALK,
    });
    const names = await readAuditNames(services, actor.organizationId, page.entries);
    const isLast = number === maxPages || page.nextCursor === null;
    yield { page, names, isLast };
    if (page.nextCursor === null) return;
    after = page.nextCursor;
  }
}
