import * as z from "zod";
import { notFound } from "~/kernel/app-error";
import { CHECK_OUTCOMES, MATCH_TYPES, QUEUE_ORDERS, VERIFICATION_METHODS, VERIFICATION_STATUSES } from "~/kernel/enums";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { listNoticesOfVerification } from "~/modules/messages/notifications/change-notices.statements.server";
import { toContactsTold } from "~/modules/messages/notifications/notice-rules";
import { explainDifferences } from "~/modules/name-match";
import { sendLinkSchema, sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { getVerification, listTimeline } from "~/modules/payees/verifications/verification.server";
import { actOnEach, type BulkAct, type BulkReview, bulkReviewSchema } from "~/modules/verifying/act-on-each.server";
import { assignmentSchema, assignVerification } from "~/modules/verifying/assign.server";
import { askConfirmationOfPayee } from "~/modules/verifying/bank-checks/instant-check.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { callSchema, listCalls, recordCall } from "~/modules/verifying/call-backs/call-back.server";
import { commentOnVerification, commentSchema } from "~/modules/verifying/comment.server";
import { listPendingVerifications, readPendingFilter } from "~/modules/verifying/review/pending.server";
import { restoreFormerDetails } from "~/modules/verifying/review/restore-former.server";
import { reviewSchema, reviewVerification } from "~/modules/verifying/review/review.server";
import { listVerificationsOf, readVerificationFilter } from "~/modules/verifying/review/verification-list.server";
import type { Actor, Services } from "~/services-and-actor";
import {
  choice,
  contactsTold,
  cursor,
  days,
  EXAMPLE,
  endpoint,
  flag,
  idOf,
  limit,
  nextCursor,
  nothing,
  reply,
  text,
  word,
} from "./endpoint.server";
import { CERTIFICATE_CALLS } from "./evidence.server";
import {
  assignedTo,
  assignee,
  bulkResult,
  callBack,
  listed,
  listedVerification,
  shownCall,
  shownVerdict,
  shownVerification,
  verification,
  verificationDetail,
} from "./verification-shapes.server";

/** With the full account number, which is recorded in the audit trail. */
async function reveal(services: Services, actor: Actor, id: string) {
  const row = await getVerification(services, actor, id);
  await recordReveal(services, actor, { entityType: "verification", entityId: id });
  return shownVerification(row);
}

function toBulkAct(asked: BulkReview): BulkAct {
  switch (asked.act) {
    case "assign":
      return { intent: "assign", assignee: asked.assigneeId };
    case "reject":
      return { intent: "reject", reason: asked.reason };
    default:
      return { intent: asked.act };
  }
}

const PAGE_SIZE = 100;
/** Returns all pending verifications up to this many, unless the call asks for pages with `limit`. */
const ALL = 1000;

const byId = { id: idOf("verification", EXAMPLE.verification) };
const path = { id: EXAMPLE.verification };
const decided = { id: EXAMPLE.decidedVerification };
const one = z.object({ verification });
export const VERIFICATION_CALLS = [
  endpoint({
    id: "listVerifications",
    group: "verifications",
    at: "GET /api/verifications",
    needs: "verifications:read",
    title: "List verifications",
    text: "Every verification, newest first, 100 at a time.",
    query: {
      status: choice("Only verifications with this status.", VERIFICATION_STATUSES),
      outcome: choice("Only those whose last check found this; `none`: no check has ended.", [
        ...CHECK_OUTCOMES,
        "none",
      ]),
      method: choice("Only those verified in this way.", VERIFICATION_METHODS),
      person: word("A user's id: only verifications that this person asked for or decided.", EXAMPLE.person),
      ...days,
      cursor,
    },
    answers: {
      200: {
        text: "A page of verifications.",
        schema: z.object({ verifications: z.array(listedVerification), nextCursor }),
      },
    },
    examples: [
      { title: "All verifications", status: 200 },
      { title: "Verified since November", status: 200, query: { status: "verified", from: "2026-11-01" } },
    ],
    run: async ({ services, actor, asked }) => {
      const { filter, after } = readVerificationFilter(asked);
      const { timeZone } = actor;
      const list = await listVerificationsOf(services, actor, { filter, timeZone, after, limit: PAGE_SIZE });
      const now = services.clock.now();
      return { verifications: list.verifications.map((row) => listed(row, now)), nextCursor: list.next ?? null };
    },
  }),
  endpoint({
    id: "listPendingVerifications",
    group: "verifications",
    at: "GET /api/verifications/pending",
    needs: "verifications:read",
    title: "List verifications waiting for a decision",
    text: "All of them, up to 1,000, in one answer; with `limit` a page at a time.",
    query: {
      q: word("Any part of the payee's names, a BSB, or the beginning or end of the account number.", "wattle"),
      match: choice("Only those with this match type.", MATCH_TYPES),
      order: choice("By default newest first; `risk`: the most serious first.", QUEUE_ORDERS),
      limit: limit(),
      cursor,
    },
    answers: {
      200: {
        text: "The waiting verifications.",
        schema: z.object({
          verifications: z.array(listedVerification),
          nextCursor,
          truncated: flag(false, "More are waiting than this answer has; `nextCursor` gets the next page."),
        }),
      },
    },
    examples: [
      { title: "Everything that is waiting", status: 200 },
      { title: "The ten most serious", status: 200, query: { order: "risk", limit: "10" } },
    ],
    run: async ({ services, actor, asked }) => {
      const filter = readPendingFilter(asked, "newest");
      const limit = asked.has("limit") ? filter.limit : ALL;
      const page = await listPendingVerifications(services, actor, { ...filter, limit });
      const nextCursor = page.next ?? null;
      const now = services.clock.now();
      const verifications = page.verifications.map((row) => listed(row, now));
      return { verifications, nextCursor, truncated: nextCursor !== null };
    },
  }),
  endpoint({
    id: "readVerification",
    group: "verifications",
    at: "GET /api/verifications/{id}",
    needs: "verifications:read",
    title: "Read a verification",
    text: "Shows the account number in full; the audit trail records that. Read it again every few seconds while a bank check is running; `outcome` is there when it has ended.",
    path: byId,
    answers: {
      200: {
        text: "The verification, its evidence, its calls and its history.",
        schema: z.object({
          ...verificationDetail.shape,
          calls: z.array(callBack),
          formerContact: contactsTold.nullable(),
        }),
      },
    },
    examples: [{ title: "One verification", status: 200, path }],
    run: async ({ services, actor, path: { id } }) => {
      const row = await getVerification(services, actor, id);
      const [timeline, calls, notices] = await Promise.all([
        listTimeline(services, actor, id),
        listCalls(services, actor, id),
        listNoticesOfVerification(services, actor, { id, payeeId: row.payee.id }),
        recordReveal(services, actor, { entityType: "verification", entityId: id }),
      ]);
      const now = services.clock.now();
      return {
        ...shownVerification(row),
        ...shownVerdict(row, { timeZone: actor.timeZone, now }),
        differencesExplained: explainDifferences(row.nameDifferences ?? []).map(({ sentence }) => sentence),
        assignedTo: assignedTo(row),
        evidence: row.evidence,
        timeline,
        calls: calls.map(shownCall),
        formerContact: toContactsTold(notices, now),
      };
    },
  }),
  endpoint({
    id: "startBankCheck",
    group: "verifications",
    at: "POST /api/verifications/{id}/verify-basiq",
    needs: "verifications:write",
    title: "Check with the payee's bank",
    text: "Sends the payee a link. They confirm their details and let their bank answer. The answer comes minutes or days later: read the verification. A check that is already running is returned as it is.",
    path: byId,
    body: nothing,
    isBodyOptional: true,
    answers: { 202: { text: "The check is running.", schema: one } },
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
    run: async ({ services, actor, path: { id } }) => {
      await startBankDataCheck(services, actor, { verificationId: id });
      return { verification: await reveal(services, actor, id) };
    },
  }),
  endpoint({
    id: "checkAtOnce",
    group: "verifications",
    at: "POST /api/verifications/{id}/check",
    needs: "verifications:write",
    title: "Check with the bank at once",
    text: "Asks the payee's bank by Confirmation of Payee, without the payee. The bank's answer is in `outcome`, `reasonCode` and, where the bank sends a name, `nameMatchScore`. If the same account and name were asked about in the last 24 hours, that answer is used. `unable` says nothing about the payee; the reason says why.",
    isIdempotent: true,
    path: byId,
    body: nothing,
    isBodyOptional: true,
    answers: {
      200: { text: "The verification with what the bank said.", schema: one },
      202: { text: "The same question is being asked. Read the verification in a few seconds.", schema: one },
    },
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
    run: async ({ services, actor, path: { id }, idempotencyKey }) => {
      const { state } = await askConfirmationOfPayee(services, actor, { verificationId: id, idempotencyKey });
      return reply({ verification: await reveal(services, actor, id) }, { status: state === "running" ? 202 : 200 });
    },
  }),
  endpoint({
    id: "sendPayeeLink",
    group: "verifications",
    at: "POST /api/verifications/{id}/send-link",
    needs: "verifications:write",
    title: "Send the payee's link",
    text: "Each call makes a new link; earlier links keep working, except those to an email or phone that has changed since. Without a `channel`, the link goes by email if there is an address.",
    path: byId,
    body: sendLinkSchema,
    isBodyOptional: true,
    answers: { 202: { text: "The link is on its way.", schema: one } },
    refusals: ["EMAIL_NOT_CONFIRMED", "ALREADY_DECIDED", "PAYEE_DISPUTED", "PAYEE_CONTACT_REQUIRED", "RATE_LIMITED"],
    examples: [{ title: "By email", status: 202, path, json: { channel: "email" } }],
    run: async ({ services, actor, path: { id }, body: { channel } }) => {
      await sendPayeeLink(services, actor, { verificationId: id, channel });
      return { verification: await reveal(services, actor, id) };
    },
  }),
  endpoint({
    id: "recordCall",
    group: "verifications",
    at: "POST /api/verifications/{id}/calls",
    needs: "verifications:write",
    title: "Record a call to the payee",
    text: "A confirmed call to a number that was on file for more than 30 days, or that comes from elsewhere than the change itself, counts as proof.",
    isIdempotent: true,
    path: byId,
    body: callSchema,
    answers: { 201: { text: "The call, and whether it counts as proof.", schema: z.object({ call: callBack }) } },
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
    run: async ({ services, actor, path, body, idempotencyKey }) => {
      const verificationId = path.id;
      const id = await recordCall(services, actor, { verificationId, call: body, idempotencyKey });
      const calls = await listCalls(services, actor, verificationId);
      const [recorded] = calls.filter((call) => call.id === id).map(shownCall);
      if (!recorded) throw notFound();
      return { call: recorded };
    },
  }),
  endpoint({
    id: "reviewVerification",
    group: "verifications",
    at: "POST /api/verifications/{id}/review",
    needs: "verifications:write",
    title: "Approve or reject",
    text: "An approval puts the payee on the whitelist. `grade` in the answer says how the details were verified, for example only by a person's approval. A rejection that restores the former details of a payee that was trusted with them puts it on the whitelist too: the same conditions apply as for an approval. Where the payee disputed the details, was taken off the whitelist or lacks a check that the organisation requires, the details come back without trust, and a verification of them opens.",
    isIdempotent: true,
    path: byId,
    body: reviewSchema,
    answers: { 200: { text: "The verification as it was decided.", schema: one } },
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
    run: async ({ services, actor, path, body, idempotencyKey }) => {
      const asked = { verificationId: path.id, idempotencyKey };
      const row =
        body.approved || !body.restoreFormer
          ? await reviewVerification(services, actor, {
              ...asked,
              review: body.approved ? body : { ...body, restoreFormer: false },
            })
          : await restoreFormerDetails(services, actor, { ...asked, reason: body.reason });
      await recordReveal(services, actor, { entityType: "verification", entityId: path.id });
      return { verification: shownVerification(row) };
    },
  }),
  endpoint({
    id: "assignVerification",
    group: "verifications",
    at: "POST /api/verifications/{id}/assignment",
    needs: "verifications:write",
    title: "Say who should decide",
    text: "Sends that person an alert. It does not change what anyone may do. Null assigns it to nobody.",
    path: byId,
    body: assignmentSchema,
    answers: { 200: { text: "Who should decide it now.", schema: z.object({ assignedTo: assignee }) } },
    refusals: ["ALREADY_DECIDED"],
    examples: [
      { title: "To a person", status: 200, path, json: { assigneeId: EXAMPLE.person } },
      { title: "To nobody in particular", status: 200, path, json: { assigneeId: null } },
      { title: "Of a decided verification", status: 409, path: decided, json: { assigneeId: null } },
    ],
    run: async ({ services, actor, path: { id }, body: { assigneeId } }) => {
      await assignVerification(services, actor, { verificationId: id, assigneeId });
      return { assignedTo: assignedTo(await getVerification(services, actor, id)) };
    },
  }),
  endpoint({
    id: "commentOnVerification",
    group: "verifications",
    at: "POST /api/verifications/{id}/comments",
    needs: "verifications:write",
    title: "Add a comment",
    text: "It stays in the verification's history and cannot be changed. An `@` and a whole name, such as `@Mira Okafor`, sends that person an alert.",
    isIdempotent: true,
    path: byId,
    body: commentSchema,
    answers: {
      201: {
        text: "The comment, and who is told about it.",
        schema: z.object({
          comment: z.object({ text: text("The invoice has another ABN."), told: z.array(text("Mira Okafor")) }),
        }),
      },
    },
    examples: [{ title: "A comment", status: 201, path, json: { text: "The invoice has another ABN." } }],
    run: async ({ services, actor, path: { id }, body: { text }, idempotencyKey }) => {
      const { told } = await commentOnVerification(services, actor, { verificationId: id, text, idempotencyKey });
      return { comment: { text, told } };
    },
  }),
  endpoint({
    id: "reviewMany",
    group: "verifications",
    at: "POST /api/verifications/bulk",
    needs: "verifications:write",
    title: "Do the same to several verifications",
    text: "Assigns, checks with the bank, sends the payee's link, or rejects with a reason: up to 50, one after the other, with a result for each. Nothing approves several at once, and a rejection here restores nothing: former details are not offered again.",
    isIdempotent: true,
    body: bulkReviewSchema,
    answers: {
      200: { text: "The result for each, in the order sent.", schema: z.object({ results: z.array(bulkResult) }) },
    },
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
    run: async ({ services, actor, body, idempotencyKey: key }) => {
      const results = await actOnEach(services, actor, { ids: body.ids, act: toBulkAct(body), key });
      return {
        results: results.map(({ id, name, isDone, text, code }) => ({
          id,
          payeeName: name,
          done: isDone,
          code,
          message: text,
        })),
      };
    },
  }),
  ...CERTIFICATE_CALLS,
];
