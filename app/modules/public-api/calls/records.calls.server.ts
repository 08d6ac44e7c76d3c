import * as z from "zod";
import { AUDIT_ACTIONS } from "~/modules/core/audit/audit";
import { REPORT_IDS } from "~/modules/records/reports/report";
import { nextCursor } from "../answers/fields.server";
import {
  auditEntry,
  exportedEntry,
  importRow,
  payeeImport,
  report,
  trailReport,
} from "../answers/records.answers.server";
import type { Call } from "../call";
import { EXAMPLE, EXAMPLE_SHA256 } from "../example-ids";
import { cursor, days, FILES, fileName, idOf, word } from "./parameters.server";

const ACTIONS = Object.keys(AUDIT_ACTIONS).slice(0, 3).join(", ");

const whichEntries = [
  word("person", "Only what this person did: a user's id.", EXAMPLE.person),
  word(
    "thing",
    "Only what is about this: `payee:` and its id; also verification, payment, payment_file and import.",
    `payee:${EXAMPLE.payee}`,
  ),
  word("action", `Only this act, such as ${ACTIONS}.`, "payee.added"),
  ...days,
  cursor,
];

const TABLE = `Name,Account name,BSB,Account number,Email
Wattle Creek Electrical,Wattle Creek Electrical Pty Ltd,062-000,12345678,accounts@wattlecreek.example
Riverbend Timber,Riverbend Timber Pty Ltd,082-001,70123456,pay@riverbend.example
`;

const count = z.int().min(1);

export const IMPORT_CALLS: readonly Call[] = [
  {
    id: "importPayees",
    group: "imports",
    method: "POST",
    path: "imports/payees",
    title: "Import payees",
    text: "A CSV table, or an Excel workbook (.xlsx, sent as `application/octet-stream` or in a form) whose first sheet is read, of up to 50,000 rows and 16 MB, such as an export of contacts of Xero or of cards of MYOB. It runs in the background: read the import until its status is `finished`.",
    isIdempotent: true,
    query: [
      fileName,
      word(
        "mapping",
        "Which column is which, where the headings do not say it: JSON of fields and headings, or positions from 0.",
        '{"name":"Supplier","bsb":3,"address":["Street",7]}',
      ),
    ],
    body: { files: FILES },
    answers: [{ status: 202, text: "The import runs.", schema: z.object({ import: payeeImport }) }],
    refusals: ["INVALID_FILE", "MAPPING_REQUIRED", "SUBSCRIPTION_REQUIRED", "IMPORT_MOVED"],
    examples: [
      { title: "A CSV table", status: 202, query: { name: "suppliers.csv" }, file: { type: "text/csv", text: TABLE } },
    ],
  },
  {
    id: "readImport",
    group: "imports",
    method: "GET",
    path: "imports/:id",
    title: "Read an import",
    parameters: [idOf("import", EXAMPLE.import)],
    answers: [
      {
        status: 200,
        text: "How far it is, and the first 100 rows that were refused.",
        schema: z.object({ import: payeeImport, refused: z.array(importRow) }),
      },
    ],
    examples: [{ title: "One import", status: 200, path: { id: EXAMPLE.import } }],
  },
  {
    id: "downloadImportResult",
    group: "imports",
    method: "GET",
    path: "imports/:id/result.csv",
    title: "Download what became of each row",
    parameters: [idOf("import", EXAMPLE.import)],
    answers: [{ status: 200, text: "A row for each row of the file.", type: "text/csv" }],
    examples: [{ title: "One import", status: 200, path: { id: EXAMPLE.import } }],
  },
];

export const AUDIT_CALLS: readonly Call[] = [
  {
    id: "readReport",
    group: "audit",
    method: "GET",
    path: "reports/:report",
    title: "Read a report",
    text: "Figures of some days, counted from the audit trail; the last 30 days where none are given, and at most 366. Send `Accept: text/csv` for a table.",
    parameters: [
      {
        name: "report",
        text: "Which report.",
        schema: z.enum(REPORT_IDS).meta({ examples: ["money"] }),
        isRequired: true,
      },
    ],
    query: days,
    answers: [{ status: 200, text: "A row for each day, person, rule or class.", schema: report }],
    examples: [{ title: "Held and rejected money", status: 200, path: { report: "money" } }],
  },
  {
    id: "listAuditEntries",
    group: "audit",
    method: "GET",
    path: "audit",
    title: "List entries of the audit trail",
    text: "Newest first. Only admins see whole email addresses.",
    query: whichEntries,
    answers: [
      { status: 200, text: "A page of entries.", schema: z.object({ entries: z.array(auditEntry), nextCursor }) },
    ],
    examples: [
      { title: "All entries", status: 200 },
      {
        title: "Payees added in November",
        status: 200,
        query: { action: "payee.added", from: "2026-11-01", to: "2026-11-30" },
      },
    ],
  },
  {
    id: "exportAuditTrail",
    group: "audit",
    method: "GET",
    path: "audit/export.ndjson",
    title: "Export the audit trail",
    text: "One entry a line, oldest first, each with its hash. Where a part ends before the trail does, the header `Link` leads to the next. With a filter: only those entries, newest first.",
    query: [
      ...whichEntries,
      {
        name: "after",
        text: "The `seq` of the last entry of the part before.",
        schema: z
          .int()
          .min(0)
          .meta({ examples: [0] }),
      },
    ],
    answers: [{ status: 200, text: "A line for each entry.", type: "application/x-ndjson", schema: exportedEntry }],
    examples: [{ title: "The whole trail", status: 200 }],
  },
  {
    id: "verifyAuditTrail",
    group: "audit",
    method: "GET",
    path: "audit/verify",
    title: "Check the audit trail",
    text: "Computes the chain of hashes again. With a hash and a number that you noted down, it also finds a trail whose end was cut off.",
    query: [
      word("hash", "A hash that you noted down.", EXAMPLE_SHA256),
      { name: "count", text: "The number that belongs to it.", schema: count.meta({ examples: [41] }) },
      {
        name: "after",
        text: "Goes on from the `next.count` of the answer before.",
        schema: count.meta({ examples: [5000] }),
      },
      word("afterHash", "The `next.hash` that belongs to it.", EXAMPLE_SHA256),
    ],
    answers: [{ status: 200, text: "Whether the trail is whole, or where it breaks.", schema: trailReport }],
    refusals: ["INVALID_INPUT"],
    examples: [{ title: "The whole trail", status: 200 }],
  },
];
