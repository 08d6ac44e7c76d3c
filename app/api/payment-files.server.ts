import * as z from "zod";
import { readJson, readUpload } from "~/http/body.server";
import { downloadAnswer } from "~/http/responses.server";
import { maskAccountNumber } from "~/kernel/bank-account";
import { FILE_FORMATS, FILE_STATUSES, LINE_STATUSES } from "~/kernel/enums";
import { recordExport } from "~/modules/core/record-reveal.server";
import { findFileSettings } from "~/modules/payments/approval-limits.server";
import { abandonFile } from "~/modules/payments/payment-files/abandon-file.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import {
  type ClearingDetail,
  downloadCleared,
  readClearingId,
} from "~/modules/payments/payment-files/clearings.server";
import { decideLines, lineDecisionSchema } from "~/modules/payments/payment-files/decide-lines.server";
import {
  type FileLineDetail,
  getLine,
  listLines,
  readLineFilter,
  readLineLimit,
} from "~/modules/payments/payment-files/file-lines.server";
import { listPaymentFiles, readFilesCursor } from "~/modules/payments/payment-files/file-page.server";
import { MAX_FILE_BYTES, MAX_LINES_IN_ANSWER, stopsOf } from "~/modules/payments/payment-files/payment-file";
import { getPaymentFile, type PaymentFileDetail } from "~/modules/payments/payment-files/payment-file.server";
import { parseSha256, proveFile, proveHash, proveSchema } from "~/modules/payments/payment-files/prove-file.server";
import {
  outcomesSchema,
  parseReturns,
  recordFileOutcomes,
} from "~/modules/payments/payment-files/record-outcomes.server";
import { uploadFile } from "~/modules/payments/payment-files/upload-file.server";
import { replayFile } from "~/modules/payments/replay.server";
import type { Actor, TimedServices } from "~/services-and-actor";
import {
  bsb,
  cents,
  choice,
  count,
  cursor,
  EXAMPLE,
  EXAMPLE_SHA256,
  endpoint,
  FILES,
  fileName,
  flag,
  id,
  idOf,
  instant,
  limit,
  maskedAccountNumber,
  NAMES,
  nextCursor,
  nothing,
  reply,
  sha256,
  text,
  word,
} from "./endpoint.server";
import { paymentReason, paymentStatus } from "./payments.server";

const problem = z.object({
  line: count(3).nullable(),
  level: z.enum(["error", "warning"]),
  message: text("Line 3: the reference is empty."),
});

const paymentFile = z
  .object({
    id: id(EXAMPLE.openFile),
    name: text("suppliers.aba"),
    format: z.enum(FILE_FORMATS),
    status: z.enum(FILE_STATUSES),
    stopped: flag(
      false,
      "The file names an account, bank or user number that you have not declared to pay from. Errors in `problems` say which. It cannot be cleared until an administrator declares the account.",
    ),
    sha256,
    totals: z.object({
      lines: count(2),
      cents,
      checked: count(2),
      held: count(1),
      heldCents: cents,
      authorised: count(1),
      authorisedCents: cents,
      rejected: count(0),
      cleared: count(0),
      settled: count(0),
    }),
    problems: z.array(problem),
    createdAt: instant,
  })
  .register(NAMES, { id: "PaymentFile" });

const fileLine = z
  .object({
    line: count(2, "The line's number in the file, from 1."),
    decision: z.enum(LINE_STATUSES),
    accountName: text("Wattle Creek Electrical Pty Ltd"),
    bsb,
    accountNumber: maskedAccountNumber,
    amount: cents,
    reference: text("INV-2041"),
    payeeId: id(EXAMPLE.payee).nullable(),
    reasons: z.array(paymentReason),
    decisionReason: text("Called the payee").nullable(),
    decidedAt: instant.nullable(),
    paymentId: id(EXAMPLE.heldPayment).nullable(),
    paymentStatus: paymentStatus.nullable(),
  })
  .register(NAMES, { id: "FileLine" });

const cleared = z.object({ id: id(EXAMPLE.clearing), sha256, lines: count(1), totalCents: cents });

const clearing = z.object({
  id: id(EXAMPLE.clearing),
  fileId: id(EXAMPLE.clearedFile),
  sha256,
  lines: count(1),
  totalCents: cents,
  clearedAt: instant,
});

const difference = z.object({
  kind: z.enum(["account", "amount", "title", "added", "missing", "record"]),
  line: count(2).nullable(),
  message: text("Line 2 pays Wattle Creek Electrical $1,950.00. $1,250.00 was cleared."),
});

const proof = z.union([
  z.object({ cleared: z.literal(true), clearing }),
  z.object({
    cleared: z.literal(false),
    sha256,
    comparedWith: clearing.nullable(),
    differences: z.array(difference),
  }),
]);

const outcomes = z.object({
  settled: count(1),
  failed: count(0),
  left: z.array(count(3)).meta({ description: "Lines whose payment is held again and has no outcome yet." }),
  unmatched: z.array(count(5)).meta({ description: "Lines of the bank's file that match no payment in this file." }),
});

const replay = z.object({
  lines: count(2),
  different: z.array(z.object({ line: count(2), rules: z.array(text("payee_not_trusted")) })),
  differentCount: count(0),
  unreadableCount: count(0, "Lines whose stored facts cannot be read: their decisions cannot be worked out again."),
  changedRules: z.array(text("unusual_amount")),
});

/** Files with what blocks them according to the currently declared paying accounts. */
async function fileView(services: TimedServices, { organizationId }: Actor) {
  const { payingAccounts } = await findFileSettings(services, organizationId);
  return (row: PaymentFileDetail) => {
    const stops = stopsOf(row, payingAccounts).map((message) => ({ line: null, level: "error" as const, message }));
    return {
      ...row,
      stopped: stops.length > 0,
      totals: {
        lines: row.lineCount,
        cents: row.totalCents,
        checked: row.checkedCount,
        held: row.heldCount,
        heldCents: row.heldCents,
        authorised: row.authorisedCount,
        authorisedCents: row.authorisedCents,
        rejected: row.rejectedCount,
        cleared: row.clearedCount,
        settled: row.settledCount,
      },
      problems: [...stops, ...row.problems],
    };
  };
}

const shownLine = (row: FileLineDetail) => ({
  ...row,
  decision: row.status,
  accountNumber: maskAccountNumber(row.accountNumber),
});

function shownProof(proof: Awaited<ReturnType<typeof proveFile>>) {
  const shown = (row: ClearingDetail) => ({ ...row, lines: row.lineCount, clearedAt: row.createdAt });
  if (proof.cleared) return { cleared: true as const, clearing: shown(proof.clearing) };
  return { ...proof, cleared: false as const, comparedWith: proof.nearest && shown(proof.nearest) };
}

const byId = { id: idOf("payment file", EXAMPLE.openFile) };
const oneFile = z.object({ file: paymentFile });
const checkedFile = z.object({ file: paymentFile, lines: z.array(fileLine).optional() });
const TABLE = `Account name,BSB,Account number,Amount,Reference
Wattle Creek Electrical Pty Ltd,062-000,12345678,1250.00,INV-2041
Riverbend Timber Pty Ltd,082-001,70123456,389.40,R-118
`;
const table = { type: "text/csv", text: TABLE };
export const FILE_CALLS = [
  endpoint({
    id: "listPaymentFiles",
    group: "files",
    at: "GET /api/payment-files",
    needs: "files:read",
    title: "List payment files",
    query: { cursor },
    answers: {
      200: { text: "A page of files, newest first.", schema: z.object({ files: z.array(paymentFile), nextCursor }) },
    },
    examples: [{ title: "All files", status: 200 }],
    run: async ({ services, actor, asked }) => {
      const page = await listPaymentFiles(services, actor, readFilesCursor(asked));
      const shown = await fileView(services, actor);
      return { files: page.files.map(shown), nextCursor: page.next ?? null };
    },
  }),
  endpoint({
    id: "uploadPaymentFile",
    group: "files",
    at: "POST /api/payment-files",
    needs: "files:write",
    title: "Upload and check a payment file",
    text: "A direct entry file (ABA) or a CSV table of up to 20,000 lines and 6 MB. The answer contains the decision about each line, if there are at most 1,000; read the lines of a longer file with `listFileLines`. If a file cannot be checked within a few seconds, the answer is 202 and the check continues in the background: read the file until its status is `open`. Sending the same bytes again returns the same file.",
    isIdempotent: true,
    query: { name: fileName },
    files: FILES,
    answers: {
      200: { text: "These bytes were uploaded before: the existing file.", schema: checkedFile },
      201: { text: "The file and the decision about each line.", schema: checkedFile },
      202: { text: "The file is being checked.", schema: oneFile },
    },
    refusals: ["INVALID_FILE", "MAPPING_REQUIRED", "SUBSCRIPTION_REQUIRED"],
    examples: [
      { title: "A CSV table", status: 201, query: { name: "suppliers.csv" }, file: table },
      {
        title: "Text that is not a payment file",
        status: 400,
        file: { type: "text/plain", text: "Dear bank, please pay everyone." },
      },
    ],
    run: async ({ services, actor, request, idempotencyKey }) => {
      const upload = await readUpload(request, MAX_FILE_BYTES);
      const { fileId, isNew } = await uploadFile(services, actor, { ...upload, idempotencyKey });
      const row = await getPaymentFile(services, actor, fileId);
      const file = (await fileView(services, actor))(row);
      if (row.status === "checking") return reply({ file }, { status: 202 });
      const status = isNew ? 201 : 200;
      const limit = MAX_LINES_IN_ANSWER;
      if (row.lineCount > limit) return reply({ file }, { status });
      const { lines } = await listLines(services, actor, { fileId, filter: {}, limit });
      return reply({ file, lines: lines.map(shownLine) }, { status });
    },
  }),
  endpoint({
    id: "readPaymentFile",
    group: "files",
    at: "GET /api/payment-files/{id}",
    needs: "files:read",
    title: "Read a payment file",
    path: byId,
    answers: { 200: { text: "The file and its totals.", schema: oneFile } },
    examples: [{ title: "One file", status: 200, path: { id: EXAMPLE.openFile } }],
    run: async ({ services, actor, path }) => {
      const shown = await fileView(services, actor);
      return { file: shown(await getPaymentFile(services, actor, path.id)) };
    },
  }),
  endpoint({
    id: "listFileLines",
    group: "files",
    at: "GET /api/payment-files/{id}/lines",
    needs: "files:read",
    title: "List the lines of a file",
    text: "In the order of the file. The cursor of this list is the number of a line.",
    path: byId,
    query: {
      status: choice("Only lines with this status.", LINE_STATUSES),
      rule: word("Only lines that this rule flagged.", "payee_not_trusted"),
      payeeId: word("Only lines that pay this payee.", EXAMPLE.payee),
      limit: limit("How many, up to 1,000; 50 by default."),
      cursor: cursor.meta({ ...cursor.meta(), examples: ["100"] }),
    },
    answers: { 200: { text: "A page of lines.", schema: z.object({ lines: z.array(fileLine), nextCursor }) } },
    refusals: ["INVALID_INPUT"],
    examples: [{ title: "Held lines", status: 200, path: { id: EXAMPLE.heldFile }, query: { status: "held" } }],
    run: async ({ services, actor, path, asked }) => {
      const { id: fileId } = await getPaymentFile(services, actor, path.id);
      const [filter, limit] = [readLineFilter(asked), readLineLimit(asked)];
      const page = await listLines(services, actor, { fileId, filter, limit });
      return { lines: page.lines.map(shownLine), nextCursor: page.next === undefined ? null : String(page.next) };
    },
  }),
  endpoint({
    id: "decideFileLine",
    group: "files",
    at: "POST /api/payment-files/{id}/lines/{line}/decision",
    needs: "files:write",
    title: "Decide a held line",
    isIdempotent: true,
    path: {
      ...byId,
      line: z.coerce
        .number()
        .int()
        .min(1)
        .meta({ description: "The line's number in the file, from 1.", examples: [2] }),
    },
    body: lineDecisionSchema,
    answers: { 200: { text: "The line.", schema: z.object({ line: fileLine }) } },
    refusals: [
      "SECOND_PERSON_REQUIRED",
      "APPROVAL_LIMIT",
      "FILE_NOT_OPEN",
      "ALREADY_DECIDED",
      "NOTHING_HELD",
      "DECIDE_ONE_BY_ONE",
      "FILE_CHANGED",
    ],
    examples: [
      {
        title: "Approve",
        status: 200,
        path: { id: EXAMPLE.heldFile, line: 2 },
        json: { decision: "approve", reason: "Called the payee" },
      },
    ],
    run: async ({ services, actor, path: { id: fileId, line }, body, idempotencyKey }) => {
      await getLine(services, actor, { fileId, line });
      await decideLines(services, actor, { fileId, choice: { lines: [line] }, ...body, idempotencyKey });
      return { line: shownLine(await getLine(services, actor, { fileId, line })) };
    },
  }),
  endpoint({
    id: "clearPaymentFile",
    group: "files",
    at: "POST /api/payment-files/{id}/clear",
    needs: "files:write",
    title: "Clear a file for the bank",
    text: "Checks the authorised lines again, then writes a file with only those lines. Held lines stay behind.",
    isIdempotent: true,
    path: byId,
    body: nothing,
    isBodyOptional: true,
    answers: { 200: { text: "What was cleared.", schema: z.object({ clearing: cleared }) } },
    refusals: [
      "SUBSCRIPTION_REQUIRED",
      "FILE_NOT_OPEN",
      "NOTHING_TO_CLEAR",
      "LINES_HELD_AGAIN",
      "OTHER_PAYING_ACCOUNT",
      "PAYER_REQUIRED",
      "FILE_TOTAL_TOO_LARGE",
      "FILE_CHANGED",
    ],
    examples: [{ title: "Clear", status: 200, path: { id: EXAMPLE.openFile }, json: {} }],
    run: async ({ services, actor, path, idempotencyKey }) => ({
      clearing: await clearFile(services, actor, { fileId: path.id, idempotencyKey }),
    }),
  }),
  endpoint({
    id: "downloadClearedFile",
    group: "files",
    at: "GET /api/payment-files/{id}/cleared.aba",
    needs: "files:read",
    title: "Download a cleared file",
    text: "The direct entry file to upload to the bank, byte for byte as it was cleared.",
    path: byId,
    query: { clearing: word("The id of a clearing; by default the newest.", EXAMPLE.clearing) },
    answers: { 200: { text: "A direct entry file.", type: "application/octet-stream" } },
    examples: [{ title: "The newest", status: 200, path: { id: EXAMPLE.clearedFile } }],
    run: async ({ services, actor, path, asked }) => {
      const clearingId = readClearingId(asked);
      const file = await downloadCleared(services, actor, { fileId: path.id, clearingId });
      await recordExport(services, actor, "a payment file");
      return downloadAnswer(file);
    },
  }),
  endpoint({
    id: "proveFile",
    group: "files",
    at: "POST /api/payment-files/prove",
    by: "member",
    needs: "files:write",
    title: "Prove that a file was cleared",
    text: "Send the bytes that are about to go to the bank, or their SHA-256.",
    body: proveSchema,
    files: FILES,
    answers: { 200: { text: "Cleared, or what differs.", schema: proof } },
    refusals: ["INVALID_FILE"],
    examples: [{ title: "By its SHA-256", status: 200, json: { sha256: EXAMPLE_SHA256 } }],
    run: async ({ services, actor, request }) => {
      if (request.headers.get("Content-Type")?.startsWith("application/json")) {
        const { sha256 } = await readJson(request, proveSchema);
        return shownProof(await proveHash(services, actor, parseSha256(sha256)));
      }
      const { bytes } = await readUpload(request, MAX_FILE_BYTES);
      return shownProof(await proveFile(services, actor, bytes));
    },
  }),
  endpoint({
    id: "recordFileOutcomes",
    group: "files",
    at: "POST /api/payment-files/{id}/outcomes",
    needs: "files:write",
    title: "Record what the bank did with a file",
    text: "One outcome for every cleared payment and the opposite one for the lines in `except`; or the bank's return file.",
    isIdempotent: true,
    path: byId,
    body: outcomesSchema,
    files: ["text/plain", "text/csv", "multipart/form-data"],
    answers: { 200: { text: "How many were settled.", schema: outcomes } },
    refusals: ["INVALID_FILE", "NOTHING_TO_SETTLE", "FILE_CHANGED"],
    examples: [{ title: "All paid", status: 200, path: { id: EXAMPLE.clearedFile }, json: { status: "successful" } }],
    run: async ({ services, actor, path: { id: fileId }, request, idempotencyKey }) => {
      if (/^(text\/|multipart\/)/.test(request.headers.get("Content-Type") ?? "")) {
        const { bytes } = await readUpload(request, MAX_FILE_BYTES);
        return recordFileOutcomes(services, actor, { fileId, ...parseReturns(bytes), idempotencyKey });
      }
      const { processedAt, ...outcome } = await readJson(request, outcomesSchema);
      return recordFileOutcomes(services, actor, { fileId, outcome, processedAt, idempotencyKey });
    },
  }),
  endpoint({
    id: "abandonFile",
    group: "files",
    at: "POST /api/payment-files/{id}/abandon",
    needs: "files:write",
    title: "Abandon a file",
    text: "Only while none of it has been cleared.",
    path: byId,
    body: nothing,
    isBodyOptional: true,
    answers: { 200: { text: "The file.", schema: oneFile } },
    refusals: ["FILE_NOT_OPEN", "FILE_CHANGED"],
    examples: [{ title: "Abandon", status: 200, path: { id: EXAMPLE.heldFile }, json: {} }],
    run: async ({ services, actor, path }) => {
      const shown = await fileView(services, actor);
      return { file: shown(await abandonFile(services, actor, path.id)) };
    },
  }),
  endpoint({
    id: "replayFile",
    group: "files",
    at: "GET /api/payment-files/{id}/replay",
    needs: "files:read",
    title: "Decide a file's lines again",
    text: "Runs the rules again on the facts stored with each line, and compares the decisions. Changes nothing.",
    path: byId,
    answers: {
      200: { text: "Which lines would be decided differently: none, unless a record is damaged.", schema: replay },
    },
    examples: [{ title: "One file", status: 200, path: { id: EXAMPLE.openFile } }],
    run: async ({ services, actor, path }) => {
      const { id: fileId } = await getPaymentFile(services, actor, path.id);
      return replayFile(services, { organizationId: actor.organizationId, fileId });
    },
  }),
];
