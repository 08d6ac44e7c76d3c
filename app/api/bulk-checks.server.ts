import * as z from "zod";
import { BULK_CHECK_STATUSES, CHECK_OUTCOMES, VERIFICATION_STATUSES } from "~/kernel/enums";
import { findSendingAllowance } from "~/modules/messages/notifications/outside-messages.queries.server";
import { gradeFactsOf, gradeOf } from "~/modules/payees/verifications/outcomes";
import {
  BULK_FILTERS,
  expectedMinutes,
  PAID_CHOICES,
  VERIFIED_CHOICES,
} from "~/modules/verifying/bulk-checks/bulk-check";
import {
  type BulkCheckRow,
  findNotAsked,
  getBulkCheck,
  listAsked,
  listBulkChecks,
  newBulkCheckSchema,
  readPosition,
} from "~/modules/verifying/bulk-checks/bulk-check.server";
import {
  countPayeesToCheck,
  startBulkCheck,
  stopBulkCheck,
} from "~/modules/verifying/bulk-checks/control-bulk-check.server";
import type { Actor, Services } from "~/services-and-actor";
import {
  count,
  EXAMPLE,
  endpoint,
  flag,
  grade,
  id,
  idOf,
  instant,
  nextCursor,
  nothing,
  text,
  word,
} from "./endpoint.server";

/** Bank checks of many payees. */

const bulkCheck = z.object({
  id: id(EXAMPLE.bulkCheck),
  status: z.enum(BULK_CHECK_STATUSES),
  choice: z.object({
    q: text("joinery").nullable(),
    status: z.enum(BULK_FILTERS),
    verified: z.enum(VERIFIED_CHOICES),
    paid: z.enum(PAID_CHOICES),
    payeeIds: z.array(id(EXAMPLE.payee)).nullable(),
  }),
  payeeCount: count(120, "Payees to ask, as counted."),
  noContactCount: count(3, "Chosen, but with neither an email address nor a mobile number."),
  underWayCount: count(5, "Chosen, but already asked or waiting for a decision."),
  askedCount: count(40),
  centsPerCheck: count(55, "What the bank data provider charges for a payee whose bank was asked, in cents."),
  costCents: count(6_600, "The cost if every payee answers, in cents."),
  expectedMinutes: count(2, "How long asking the rest will take; null while counting and at the end.").nullable(),
  waitsUntil: instant.nullable().meta({ description: "When it continues, if the day's messages are used up." }),
  problem: text("Your organisation's trial or subscription has ended.").nullable(),
  createdAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
});

const askedPayee = z.object({
  position: count(1, "From 1, in the order in which they were asked."),
  payeeId: id(EXAMPLE.payee),
  name: text("Wattle Creek Electrical"),
  verificationId: id(EXAMPLE.verification),
  status: z.enum(VERIFICATION_STATUSES),
  outcome: z.enum(CHECK_OUTCOMES).nullable(),
  reasonCode: text("account_closed").nullable(),
  grade,
  confirmedByPayee: flag(false, "The payee said that these are their details."),
  linkSentAt: instant.nullable(),
});

const notAskedPayee = z.object({
  payeeId: id(EXAMPLE.payee),
  name: text("Wattle Creek Electrical"),
  why: z.enum(["can_be_asked", "no_contact", "under_way", "archived"]),
});

/** `can_be_asked`: the check will ask it, or ended before it did. */
const WHY = { ask: "can_be_asked", no_contact: "no_contact", under_way: "under_way", not_chosen: "archived" } as const;

/** The minutes are unknown while the payees are being counted and after the check has ended. */
function shown(row: BulkCheckRow, allowance: Parameters<typeof expectedMinutes>[1]) {
  const { status, payeeCount, choice } = row;
  const left = status === "ready" ? payeeCount : Math.max(0, payeeCount - row.askedCount);
  return {
    ...row,
    choice: { ...choice, q: choice.q ?? null, status: choice.filter, payeeIds: choice.payeeIds ?? null },
    costCents: payeeCount * row.centsPerCheck,
    expectedMinutes: status === "ready" || status === "running" ? expectedMinutes(left, allowance) : null,
  };
}

async function readOne(services: Services, actor: Actor, id: string) {
  const row = await getBulkCheck(services, actor, id);
  return { bulkCheck: shown(row, await findSendingAllowance(services, actor.organizationId)) };
}

const answer = z.object({ bulkCheck });
const byId = { id: idOf("bulk check", EXAMPLE.bulkCheck) };
export const BULK_CHECK_CALLS = [
  endpoint({
    id: "listBulkChecks",
    group: "verifications",
    at: "GET /api/bulk-checks",
    needs: "verifications:read",
    title: "List bulk checks",
    text: "The newest 20, without those that ask banks at once.",
    answers: { 200: { text: "Bulk checks.", schema: z.object({ bulkChecks: z.array(bulkCheck) }) } },
    examples: [{ title: "The newest", status: 200 }],
    run: async ({ services, actor }) => {
      const [rows, allowance] = await Promise.all([
        listBulkChecks(services, actor),
        findSendingAllowance(services, actor.organizationId),
      ]);
      const asksPayees = rows.filter(({ check }) => check.choice.ask === undefined);
      return { bulkChecks: asksPayees.map(({ check }) => shown(check, allowance)) };
    },
  }),
  endpoint({
    id: "countBulkCheck",
    group: "verifications",
    at: "POST /api/bulk-checks",
    needs: "verifications:write",
    title: "Count payees to check in bulk",
    text: "Chooses payees and counts them; nobody is asked. Read the bulk check until `status` is `ready`: it then gives the number of payees, `costCents` if every payee answers, and `expectedMinutes`. Start it to ask them.",
    body: newBulkCheckSchema,
    answers: { 202: { text: "The bulk check, being counted.", schema: answer } },
    refusals: ["SUBSCRIPTION_REQUIRED"],
    examples: [
      { title: "Never verified, paid in the last year", status: 202, json: { verified: "never", paid: "year" } },
      { title: "Chosen payees", status: 202, json: { payeeIds: [EXAMPLE.payee] } },
      { title: "Not an id", status: 400, json: { payeeIds: ["kestrel"] } },
    ],
    run: async ({ services, actor, body }) => {
      const { bulkCheckId } = await countPayeesToCheck(services, actor, body);
      return readOne(services, actor, bulkCheckId);
    },
  }),
  endpoint({
    id: "readBulkCheck",
    group: "verifications",
    at: "GET /api/bulk-checks/{id}",
    needs: "verifications:read",
    title: "Read a bulk check",
    text: "Its progress, and the payees it has asked, latest first, 50 at a time. For chosen payees `notAsked` says why the others were not asked.",
    path: byId,
    query: { cursor: word("The `nextCursor` of the previous answer. Leave it out to begin.", "51") },
    answers: {
      200: {
        text: "The bulk check.",
        schema: z.object({ bulkCheck, asked: z.array(askedPayee), notAsked: z.array(notAskedPayee), nextCursor }),
      },
    },
    examples: [{ title: "One bulk check", status: 200, path: { id: EXAMPLE.bulkCheck } }],
    run: async ({ services, actor, path, asked: address }) => {
      const row = await getBulkCheck(services, actor, path.id);
      const [allowance, asked, notAsked] = await Promise.all([
        findSendingAllowance(services, actor.organizationId),
        listAsked(services, actor, { bulkCheckId: path.id, after: readPosition(address) }),
        findNotAsked(services, row),
      ]);
      return {
        bulkCheck: shown(row, allowance),
        asked: asked.rows.map((payee) => ({
          ...payee,
          name: payee.payeeName,
          grade: gradeOf(gradeFactsOf(payee)),
          confirmedByPayee: payee.verifiedByPayee,
          linkSentAt: payee.notificationSentAt,
        })),
        notAsked: notAsked.map((payee) => ({ ...payee, why: WHY[payee.judgement] })),
        nextCursor: asked.next === undefined ? null : String(asked.next),
      };
    },
  }),
  endpoint({
    id: "startBulkCheck",
    group: "verifications",
    at: "POST /api/bulk-checks/{id}/start",
    needs: "verifications:write",
    title: "Start a bulk check",
    text: "Asks the counted payees one after the other, within your organisation's limits. One bulk check runs at a time.",
    path: byId,
    body: nothing,
    isBodyOptional: true,
    answers: { 200: { text: "The bulk check, running.", schema: answer } },
    refusals: ["SUBSCRIPTION_REQUIRED", "EMAIL_NOT_CONFIRMED", "CHANGED_MEANWHILE"],
    examples: [{ title: "A counted one", status: 200, path: { id: EXAMPLE.bulkCheck } }],
    run: async ({ services, actor, path }) => {
      await startBulkCheck(services, actor, path.id);
      return readOne(services, actor, path.id);
    },
  }),
  endpoint({
    id: "stopBulkCheck",
    group: "verifications",
    at: "POST /api/bulk-checks/{id}/stop",
    needs: "verifications:write",
    title: "Stop a bulk check",
    text: "No further payee is asked. Those that were asked can still answer.",
    path: byId,
    body: nothing,
    isBodyOptional: true,
    answers: { 200: { text: "The bulk check, stopped.", schema: answer } },
    refusals: ["CHANGED_MEANWHILE"],
    examples: [{ title: "One bulk check", status: 200, path: { id: EXAMPLE.bulkCheck } }],
    run: async ({ services, actor, path }) => {
      await stopBulkCheck(services, actor, path.id);
      return readOne(services, actor, path.id);
    },
  }),
];
