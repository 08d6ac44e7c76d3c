import * as z from "zod";
import { CHECK_OUTCOMES, MATCH_TYPES, QUEUE_ORDERS, VERIFICATION_METHODS, VERIFICATION_STATUSES } from "~/kernel/enums";
import { sendLinkSchema } from "~/modules/payees/payee-links/payee-link.schema.server";
import { assignmentSchema } from "~/modules/verifying/assign.server";
import { bulkReviewSchema } from "~/modules/verifying/bulk-review.server";
import { callSchema } from "~/modules/verifying/call-backs/call-back.server";
import { commentSchema } from "~/modules/verifying/comment.server";
import { reviewSchema } from "~/modules/verifying/review/review.schema.server";
import { certificate } from "../answers/certificates.answers.server";
import { flag, nextCursor, text } from "../answers/fields.server";
import { contactsTold } from "../answers/payees.answers.server";
import {
  assignee,
  bulkResult,
  callBack,
  listedVerification,
  verification,
  verificationDetail,
} from "../answers/verifications.answers.server";
import type { Call } from "../call";
import { EXAMPLE } from "../example-ids";
import { choice, cursor, days, idOf, limit, nothing, word } from "./parameters.server";

const parameters = [idOf("verification", EXAMPLE.verification)];
const path = { id: EXAMPLE.verification };
const decided = { id: EXAMPLE.decidedVerification };
const one = z.object({ verification });

export const VERIFICATION_CALLS: readonly Call[] = [
  {
    id: "listVerifications",
    group: "verifications",
    method: "GET",
    path: "verifications",
    title: "List verifications",
    text: "Every verification, newest first, 100 at a time.",
    query: [
      choice("status", "Only these.", VERIFICATION_STATUSES),
      choice("outcome", "Only those whose last check found this; `none`: no check has ended.", [
        ...CHECK_OUTCOMES,
        "none",
      ]),
      choice("method", "Only those verified in this way.", VERIFICATION_METHODS),
      word("person", "Only those that this person asked for or decided: a user's id.", EXAMPLE.person),
      ...days,
      cursor,
    ],
    answers: [
      {
        status: 200,
        text: "A page of verifications.",
        schema: z.object({ verifications: z.array(listedVerification), nextCursor }),
      },
    ],
    examples: [
      { title: "All verifications", status: 200 },
      { title: "Verified since November", status: 200, query: { status: "verified", from: "2026-11-01" } },
    ],
  },
  {
    id: "listPendingVerifications",
    group: "verifications",
    method: "GET",
    path: "verifications/pending",
    title: "List what waits for a decision",
    text: "All of them, up to 1,000, in one answer; with `limit` a page at a time.",
    query: [
      word("q", "Any part of the payee's names, a BSB, or the beginning or end of the account number.", "wattle"),
      choice("match", "Only those with this match.", MATCH_TYPES),
      choice("order", "Newest first unless told otherwise; `risk`: the gravest first.", QUEUE_ORDERS),
      limit,
      cursor,
    ],
    answers: [
      {
        status: 200,
        text: "What waits.",
        schema: z.object({
          verifications: z.array(listedVerification),
          nextCursor,
          truncated: flag(false, "More wait than this answer has; `nextCursor` leads on."),
        }),
      },
    ],
    examples: [
      { title: "Everything that waits", status: 200 },
      { title: "The ten gravest", status: 200, query: { order: "risk", limit: "10" } },
    ],
  },
  {
    id: "readVerification",
    group: "verifications",
    method: "GET",
    path: "verifications/:id",
    title: "Read a verification",
    text: "With the account number in full, which the audit trail records. Ask again every few seconds while a bank check runs; `outcome` is there when it has ended.",
    parameters,
    answers: [
      {
        status: 200,
        text: "The verification, its evidence, its calls and its history.",
        schema: z.object({
          ...verificationDetail.shape,
          calls: z.array(callBack),
          formerContact: contactsTold.nullable(),
        }),
      },
    ],
    examples: [{ title: "One verification", status: 200, path }],
  },
  {
    id: "startBankCheck",
    group: "verifications",
    method: "POST",
    path: "verifications/:id/verify-basiq",
    title: "Check with the payee's bank",
    text: "Sends the payee a link. They confirm their details and let their bank answer. The answer comes minutes or days later: read the verification. A check that runs already is answered as it is.",
    parameters,
    body: { json: nothing, isOptional: true },
    answers: [{ status: 202, text: "The check runs.", schema: one }],
    refusals: [
      "SUBSCRIPTION_REQUIRED",
      "EMAIL_NOT_CONFIRMED",
      "ALREADY_DECIDED",
      "PAYEE_DISPUTED",
      "PAYEE_CONTACT_REQUIRED",
      "CHECK_WOULD_REPEAT",
      "VERIFICATION_CHANGED",
      "RATE_LIMITED",
    ],
    examples: [{ title: "Start the check", status: 202, path, json: {} }],
  },
  {
    id: "checkAtOnce",
    group: "verifications",
    method: "POST",
    path: "verifications/:id/check",
    title: "Check with the bank at once",
    text: "Asks the payee's bank by Confirmation of Payee, without the payee. The bank's answer is in `outcome`, `reasonCode` and, where the bank sends a name, `nameMatchScore`. The same account and name are answered from the bank's answer of the last 24 hours. `unable` says nothing about the payee; the reason says why.",
    parameters,
    isIdempotent: true,
    body: { json: nothing, isOptional: true },
    answers: [
      { status: 200, text: "The verification with what the bank said.", schema: one },
      { status: 202, text: "The same question is being asked. Read the verification in a few seconds.", schema: one },
    ],
    refusals: [
      "SUBSCRIPTION_REQUIRED",
      "EMAIL_NOT_CONFIRMED",
      "INSTANT_CHECK_NOT_CONFIGURED",
      "ALREADY_DECIDED",
      "PAYEE_DISPUTED",
      "CHECK_WOULD_REPEAT",
      "VERIFICATION_CHANGED",
      "RATE_LIMITED",
    ],
    examples: [{ title: "Ask the bank", status: 200, path, json: {} }],
  },
  {
    id: "sendPayeeLink",
    group: "verifications",
    method: "POST",
    path: "verifications/:id/send-link",
    title: "Send the payee's link",
    text: "Each sending makes a new link; the links before it go on working, except those to an email or phone that was changed since. Without a channel, email where there is an address.",
    parameters,
    body: { json: sendLinkSchema, isOptional: true },
    answers: [{ status: 202, text: "The link is on its way.", schema: one }],
    refusals: ["EMAIL_NOT_CONFIRMED", "ALREADY_DECIDED", "PAYEE_DISPUTED", "PAYEE_CONTACT_REQUIRED", "RATE_LIMITED"],
    examples: [{ title: "By email", status: 202, path, json: { channel: "email" } }],
  },
  {
    id: "recordCall",
    group: "verifications",
    method: "POST",
    path: "verifications/:id/calls",
    title: "Record a call to the payee",
    text: "A confirmed call to a number that was on file for more than 30 days, or that comes from elsewhere than the change itself, counts as proof.",
    parameters,
    isIdempotent: true,
    body: { json: callSchema },
    answers: [{ status: 201, text: "The call, and whether it counts as proof.", schema: z.object({ call: callBack }) }],
    refusals: ["ALREADY_DECIDED"],
    examples: [
      {
        title: "A number from the payee's website",
        status: 201,
        path,
        json: {
          number: "02 9374 4000",
          source: "website",
          spokeTo: "Jo Lindqvist, accounts",
          outcome: "confirmed",
          note: "Read the account number back",
        },
      },
    ],
  },
  {
    id: "reviewVerification",
    group: "verifications",
    method: "POST",
    path: "verifications/:id/review",
    title: "Approve or reject",
    text: "An approval puts the payee on the whitelist. `grade` in the answer says how the details were verified: an approval without a bank's answer and without a call-back is a person's word. A rejection that restores the former details of a payee that was trusted with them puts it on the whitelist too: what holds for an approval holds for it. Where the payee disputed, was taken off the whitelist or has no check that the organisation asks for, they come back without trust, and a verification of them opens.",
    parameters,
    isIdempotent: true,
    body: { json: reviewSchema },
    answers: [{ status: 200, text: "The verification as it was decided.", schema: one }],
    refusals: [
      "SECOND_PERSON_REQUIRED",
      "ALREADY_DECIDED",
      "REASON_REQUIRED",
      "PAYEE_ARCHIVED",
      "DETAILS_CHANGED",
      "VERIFICATION_CHANGED",
      "NOTHING_TO_RESTORE",
      "DUPLICATE_PAYEE",
    ],
    examples: [
      { title: "Approve", status: 200, path, json: { approved: true, addToGlobalWhitelist: false } },
      { title: "Reject", status: 200, path, json: { approved: false, reason: "The payee does not know this account" } },
    ],
  },
  {
    id: "assignVerification",
    group: "verifications",
    method: "POST",
    path: "verifications/:id/assignment",
    title: "Say who is to decide",
    text: "An alert tells that person. It gives no right and takes none. With null it is nobody's in particular again.",
    parameters,
    body: { json: assignmentSchema },
    answers: [{ status: 200, text: "Who is to decide it now.", schema: z.object({ assignedTo: assignee }) }],
    refusals: ["ALREADY_DECIDED"],
    examples: [
      { title: "To a person", status: 200, path, json: { assigneeId: EXAMPLE.person } },
      { title: "To nobody in particular", status: 200, path, json: { assigneeId: null } },
      { title: "Of a decided verification", status: 409, path: decided, json: { assigneeId: null } },
    ],
  },
  {
    id: "commentOnVerification",
    group: "verifications",
    method: "POST",
    path: "verifications/:id/comments",
    title: "Add a comment",
    text: "It stands in the verification's history and cannot be changed. An `@` and a whole name, such as `@Mira Okafor`, tells that person by an alert.",
    parameters,
    isIdempotent: true,
    body: { json: commentSchema },
    answers: [
      {
        status: 201,
        text: "The comment, and who is told of it.",
        schema: z.object({
          comment: z.object({ text: text("The invoice has another ABN."), told: z.array(text("Mira Okafor")) }),
        }),
      },
    ],
    examples: [{ title: "A comment", status: 201, path, json: { text: "The invoice has another ABN." } }],
  },
  {
    id: "reviewMany",
    group: "verifications",
    method: "POST",
    path: "verifications/bulk",
    title: "Do the same to several",
    text: "Assigns, checks with the bank, sends the payee's link, or rejects with a reason: up to 50, one after the other, with a result for each. Nothing approves several at once.",
    isIdempotent: true,
    body: { json: bulkReviewSchema },
    answers: [
      {
        status: 200,
        text: "What became of each, in the order sent.",
        schema: z.object({ results: z.array(bulkResult) }),
      },
    ],
    examples: [
      {
        title: "Start bank checks",
        status: 200,
        json: { act: "verify-basiq", ids: [EXAMPLE.verification, EXAMPLE.decidedVerification] },
      },
      {
        title: "Reject",
        status: 200,
        json: { act: "reject", ids: [EXAMPLE.verification], reason: "The payee does not know this account" },
      },
    ],
  },
  {
    id: "readCertificate",
    group: "verifications",
    method: "GET",
    path: "verifications/:id/certificate",
    title: "Read a certificate",
    text: "What a decided verification rests on. It is issued when it is first asked for and never changes.",
    parameters,
    answers: [{ status: 200, text: "The certificate.", schema: z.object({ certificate }) }],
    refusals: ["NOT_DECIDED"],
    examples: [
      { title: "A decided verification", status: 200, path: decided },
      { title: "One that waits for a decision", status: 409, path },
    ],
  },
  {
    id: "downloadCertificate",
    group: "verifications",
    method: "GET",
    path: "verifications/:id/certificate.pdf",
    title: "Download a certificate",
    text: "The same on paper, with the address at which anyone who holds it can check it.",
    parameters,
    answers: [{ status: 200, text: "A PDF file.", type: "application/pdf" }],
    refusals: ["NOT_DECIDED"],
    examples: [{ title: "A decided verification", status: 200, path: decided }],
  },
];
