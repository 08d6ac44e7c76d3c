import * as z from "zod";
import { LINE_STATUSES } from "~/kernel/enums";
import { outcomesSchema } from "~/modules/payments/payment-files/outcomes.server";
import { lineDecisionSchema, proveSchema } from "~/modules/payments/payment-files/payment-file.server";
import { nextCursor } from "../answers/fields.server";
import { cleared, fileLine, outcomes, paymentFile, proof, replay } from "../answers/files.answers.server";
import type { Call } from "../call";
import { EXAMPLE, EXAMPLE_SHA256 } from "../example-ids";
import { choice, cursor, FILES, fileName, idOf, limit, nothing, word } from "./parameters.server";

const parameters = [idOf("payment file", EXAMPLE.openFile)];
const oneFile = z.object({ file: paymentFile });
/** Without lines where there are more than 1,000. */
const checkedFile = z.object({ file: paymentFile, lines: z.array(fileLine).optional() });

const TABLE = `Account name,BSB,Account number,Amount,Reference
Wattle Creek Electrical Pty Ltd,062-000,12345678,1250.00,INV-2041
Riverbend Timber Pty Ltd,082-001,70123456,389.40,R-118
`;
const table = { type: "text/csv", text: TABLE };

const UPLOADS: readonly Call[] = [
  {
    id: "listPaymentFiles",
    group: "files",
    method: "GET",
    path: "payment-files",
    title: "List payment files",
    query: [cursor],
    answers: [
      {
        status: 200,
        text: "A page of files, newest first.",
        schema: z.object({ files: z.array(paymentFile), nextCursor }),
      },
    ],
    examples: [{ title: "All files", status: 200 }],
  },
  {
    id: "uploadPaymentFile",
    group: "files",
    method: "POST",
    path: "payment-files",
    title: "Upload and check a payment file",
    text: "A direct entry file (ABA) or a CSV table of up to 20,000 lines and 6 MB. The answer has the decision about each line, if there are at most 1,000; read the lines of a longer file with `listFileLines`. A file that cannot be checked within a few seconds is answered 202 and checked in the background: read the file until its status is `open`. The same bytes again answer the same file.",
    isIdempotent: true,
    query: [fileName],
    body: { files: FILES },
    answers: [
      {
        status: 200,
        text: "These bytes were uploaded before: the same file.",
        schema: checkedFile,
      },
      { status: 201, text: "The file and the decision about each line.", schema: checkedFile },
      { status: 202, text: "The file is being checked.", schema: oneFile },
    ],
    refusals: ["INVALID_FILE", "MAPPING_REQUIRED", "SUBSCRIPTION_REQUIRED"],
    examples: [
      { title: "A CSV table", status: 201, query: { name: "suppliers.csv" }, file: table },
      {
        title: "A text that is no payment file",
        status: 400,
        file: { type: "text/plain", text: "Dear bank, please pay everyone." },
      },
    ],
  },
  {
    id: "readPaymentFile",
    group: "files",
    method: "GET",
    path: "payment-files/:id",
    title: "Read a payment file",
    parameters,
    answers: [{ status: 200, text: "The file and its totals.", schema: oneFile }],
    examples: [{ title: "One file", status: 200, path: { id: EXAMPLE.openFile } }],
  },
  {
    id: "listFileLines",
    group: "files",
    method: "GET",
    path: "payment-files/:id/lines",
    title: "List the lines of a file",
    text: "In the order of the file. The cursor of this list is the number of a line.",
    parameters,
    query: [
      choice("status", "Only these.", LINE_STATUSES),
      word("rule", "Only lines that this rule flagged.", "payee_not_trusted"),
      word("payeeId", "Only lines that pay this payee.", EXAMPLE.payee),
      { ...limit, text: "How many, up to 1,000; 50 unless told otherwise." },
      { ...cursor, schema: z.string().meta({ examples: ["100"] }) },
    ],
    refusals: ["INVALID_INPUT"],
    answers: [{ status: 200, text: "A page of lines.", schema: z.object({ lines: z.array(fileLine), nextCursor }) }],
    examples: [{ title: "Held lines", status: 200, path: { id: EXAMPLE.heldFile }, query: { status: "held" } }],
  },
];

const DECISIONS: readonly Call[] = [
  {
    id: "decideFileLine",
    group: "files",
    method: "POST",
    path: "payment-files/:id/lines/:line/decision",
    title: "Decide a held line",
    parameters: [
      ...parameters,
      {
        name: "line",
        text: "The line's number in the file, from 1.",
        schema: z
          .int()
          .min(1)
          .meta({ examples: [2] }),
      },
    ],
    isIdempotent: true,
    body: { json: lineDecisionSchema },
    answers: [{ status: 200, text: "The line.", schema: z.object({ line: fileLine }) }],
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
  },
  {
    id: "clearPaymentFile",
    group: "files",
    method: "POST",
    path: "payment-files/:id/clear",
    title: "Clear a file for the bank",
    text: "Judges the authorised lines once more, then writes the file that carries only them. Held lines stay behind.",
    parameters,
    isIdempotent: true,
    body: { json: nothing, isOptional: true },
    answers: [{ status: 200, text: "What was cleared.", schema: z.object({ clearing: cleared }) }],
    refusals: [
      "SUBSCRIPTION_REQUIRED",
      "FILE_NOT_OPEN",
      "NOTHING_TO_CLEAR",
      "LINES_HELD_AGAIN",
      "PAYER_REQUIRED",
      "FILE_TOTAL_TOO_LARGE",
      "FILE_CHANGED",
    ],
    examples: [{ title: "Clear", status: 200, path: { id: EXAMPLE.openFile }, json: {} }],
  },
  {
    id: "downloadClearedFile",
    group: "files",
    method: "GET",
    path: "payment-files/:id/cleared.aba",
    title: "Download a cleared file",
    text: "The direct entry file to upload to the bank, byte for byte as it was cleared.",
    parameters,
    query: [word("clearing", "The id of a clearing; the newest unless told otherwise.", EXAMPLE.clearing)],
    answers: [{ status: 200, text: "A direct entry file.", type: "application/octet-stream" }],
    examples: [{ title: "The newest", status: 200, path: { id: EXAMPLE.clearedFile } }],
  },
  {
    id: "proveFile",
    group: "files",
    method: "POST",
    path: "payment-files/prove",
    title: "Prove that a file was cleared",
    text: "Send the bytes that are about to go to the bank, or their SHA-256.",
    body: { json: proveSchema, files: FILES },
    answers: [{ status: 200, text: "Cleared, or what differs.", schema: proof }],
    refusals: ["INVALID_FILE"],
    examples: [{ title: "By its SHA-256", status: 200, json: { sha256: EXAMPLE_SHA256 } }],
  },
  {
    id: "recordFileOutcomes",
    group: "files",
    method: "POST",
    path: "payment-files/:id/outcomes",
    title: "Record what the bank did with a file",
    text: "One outcome for every cleared payment and the other one for the lines of `except`; or the bank's return file.",
    parameters,
    isIdempotent: true,
    body: { json: outcomesSchema, files: ["text/plain", "text/csv", "multipart/form-data"] },
    answers: [{ status: 200, text: "How many were settled.", schema: outcomes }],
    refusals: ["INVALID_FILE", "NOTHING_TO_SETTLE", "FILE_CHANGED"],
    examples: [{ title: "All paid", status: 200, path: { id: EXAMPLE.clearedFile }, json: { status: "successful" } }],
  },
  {
    id: "abandonFile",
    group: "files",
    method: "POST",
    path: "payment-files/:id/abandon",
    title: "Give a file up",
    text: "Only while nothing of it was cleared.",
    parameters,
    body: { json: nothing, isOptional: true },
    answers: [{ status: 200, text: "The file.", schema: oneFile }],
    refusals: ["FILE_NOT_OPEN", "FILE_CHANGED"],
    examples: [{ title: "Give up", status: 200, path: { id: EXAMPLE.heldFile }, json: {} }],
  },
  {
    id: "replayFile",
    group: "files",
    method: "GET",
    path: "payment-files/:id/replay",
    title: "Decide a file's lines again",
    text: "Runs the rules on the facts that were stored with each line and compares. Changes nothing.",
    parameters,
    answers: [
      {
        status: 200,
        text: "Which lines would be decided differently: none, unless a record is broken.",
        schema: replay,
      },
    ],
    examples: [{ title: "One file", status: 200, path: { id: EXAMPLE.openFile } }],
  },
];

export const FILE_CALLS: readonly Call[] = [...UPLOADS, ...DECISIONS];
