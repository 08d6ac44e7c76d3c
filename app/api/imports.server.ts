import * as z from "zod";
import { readUpload, XLSX_TYPE } from "~/http/body.server";
import { streamedDownload } from "~/http/responses.server";
import { IMPORT_STATUSES, ROW_OUTCOMES, TABLE_KINDS } from "~/kernel/enums";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { startImport } from "~/modules/payees/imports/control-import.server";
import { MAX_FILE_BYTES } from "~/modules/payees/imports/import";
import { getImport, listResults, mappingRequired, parseMapping } from "~/modules/payees/imports/import.server";
import { HIDDEN_ROWS } from "~/modules/payees/imports/read-table-file.server";
import { writeResultFile } from "~/modules/payees/imports/row-notes.server";
import { missingColumns } from "~/modules/payees/imports/table/columns";
import { uploadImport } from "~/modules/payees/imports/upload-import.server";
import {
  choice,
  count,
  EXAMPLE,
  endpoint,
  FILES,
  fileName,
  id,
  idOf,
  instant,
  NAMES,
  sha256,
  text,
  word,
} from "./endpoint.server";

const payeeImport = z
  .object({
    id: id(EXAMPLE.import),
    name: text("suppliers.csv"),
    kind: z.enum(TABLE_KINDS),
    status: z.enum(IMPORT_STATUSES),
    sha256,
    rows: count(2),
    done: count(2),
    added: count(2),
    unchanged: count(0),
    filled: count(0),
    differs: count(0),
    noAccount: count(0),
    refused: count(0),
    problem: text("The file ends in the middle of a row.").nullable(),
    createdAt: instant,
    finishedAt: instant.nullable(),
  })
  .register(NAMES, { id: "Import" });

const importRow = z.object({
  line: count(3),
  name: text("Wattle Creek Electrical"),
  outcome: z.enum(ROW_OUTCOMES),
  message: text("A BSB has 6 digits, such as 062-000"),
  payeeId: id(EXAMPLE.payee).nullable(),
});

const TABLE = `Name,Account name,BSB,Account number,Email
Wattle Creek Electrical,Wattle Creek Electrical Pty Ltd,062-000,12345678,accounts@wattlecreek.example
Riverbend Timber,Riverbend Timber Pty Ltd,082-001,70123456,pay@riverbend.example
`;

const shown = (row: Awaited<ReturnType<typeof getImport>>) => ({
  ...row,
  rows: row.rowCount,
  done: row.doneCount,
  added: row.addedCount,
  unchanged: row.unchangedCount,
  filled: row.filledCount,
  differs: row.differsCount,
  noAccount: row.noAccountCount,
  refused: row.refusedCount,
});

/** How many refused rows an answer lists; the result file has all. */
const MAX_REFUSED = 100;

const byId = { id: idOf("import", EXAMPLE.import) };

export const IMPORT_CALLS = [
  endpoint({
    id: "importPayees",
    group: "imports",
    at: "POST /api/imports/payees",
    needs: "payees:write",
    title: "Import payees",
    text: "A CSV table, or an Excel workbook (.xlsx) whose first sheet is read, of up to 50,000 rows and 16 MB, such as contacts exported from Xero or cards exported from MYOB. The import runs in the background: read the import until its status is `finished`.",
    isIdempotent: true,
    query: {
      name: fileName,
      mapping: word(
        "Which column has which field, if the headings do not say so: a JSON object that gives for each field its heading, or its position from 0.",
        '{"name":"Supplier","bsb":3,"address":["Street",7]}',
      ),
      hiddenRows: choice(
        "What to do with rows that are hidden in a workbook, by a filter or by hand. Without this, a workbook with such rows is refused, and `fieldErrors` says which they are.",
        HIDDEN_ROWS,
      ),
    },
    files: [...FILES, XLSX_TYPE],
    answers: { 202: { text: "The import is running.", schema: z.object({ import: payeeImport }) } },
    refusals: ["INVALID_FILE", "MAPPING_REQUIRED", "SUBSCRIPTION_REQUIRED", "IMPORT_MOVED"],
    examples: [
      { title: "A CSV table", status: 202, query: { name: "suppliers.csv" }, file: { type: "text/csv", text: TABLE } },
    ],
    run: async ({ services, actor, request, asked, query: { hiddenRows }, idempotencyKey }) => {
      const upload = await readUpload(request, MAX_FILE_BYTES);
      await requireLiveSubscription(services, actor.organizationId);
      const { importId } = await uploadImport(services, actor, { ...upload, hiddenRows, idempotencyKey });
      const found = await getImport(services, actor, importId);
      // The import starts at once, because a program does not need a preview.
      if (found.status === "ready") {
        const mapping = parseMapping(asked.get("mapping"), found.headings) ?? found.mapping;
        const missing = missingColumns(mapping);
        if (missing) throw mappingRequired(missing, found.headings);
        await startImport(services, actor, { importId, mapping });
      }
      return { import: shown(await getImport(services, actor, importId)) };
    },
  }),
  endpoint({
    id: "readImport",
    group: "imports",
    at: "GET /api/imports/{id}",
    needs: "payees:read",
    title: "Read an import",
    path: byId,
    answers: {
      200: {
        text: "Its progress, and the first 100 rows that were refused.",
        schema: z.object({ import: payeeImport, refused: z.array(importRow) }),
      },
    },
    examples: [{ title: "One import", status: 200, path: { id: EXAMPLE.import } }],
    run: async ({ services, actor, path: { id } }) => {
      const found = await getImport(services, actor, id);
      const asked = { importId: id, outcome: "refused", limit: MAX_REFUSED } as const;
      return { import: shown(found), refused: (await listResults(services, actor, asked)).rows };
    },
  }),
  endpoint({
    id: "downloadImportResult",
    group: "imports",
    at: "GET /api/imports/{id}/result.csv",
    needs: "payees:read",
    title: "Download the result of each row",
    path: byId,
    answers: { 200: { text: "The result of each row of the file.", type: "text/csv" } },
    examples: [{ title: "One import", status: 200, path: { id: EXAMPLE.import } }],
    run: async ({ services, actor, path }) => streamedDownload(await writeResultFile(services, actor, path.id)),
  }),
];
