import * as z from "zod";
import { NOTIFICATION_CHANNELS } from "~/kernel/enums";
import { askPayee, cancelRequest } from "~/modules/payees/payee-requests/ask-payee.server";
import { type PayeeRequest, requestState } from "~/modules/payees/payee-requests/payee-request";
import {
  getRequest,
  listRequests,
  newRequestSchema,
  readRequestsQuery,
} from "~/modules/payees/payee-requests/payee-request.server";
import type { Services } from "~/services-and-actor";
import { choice, cursor, EXAMPLE, endpoint, flag, id, idOf, instant, NAMES, nextCursor, text } from "./endpoint.server";

const payeeRequest = z
  .object({
    id: id(EXAMPLE.payeeRequest),
    name: text("Tallowwood Timber"),
    email: text("accounts@tallowwood.example").nullable(),
    phone: text("+61412345678", "E.164.").nullable(),
    note: text("Order 1042", "What it is about; the payee reads it.").nullable(),
    channel: z.enum(NOTIFICATION_CHANNELS).meta({ description: "How the newest link was sent." }),
    status: z
      .enum(["open", "answered", "cancelled", "expired"])
      .meta({ description: "An expired one can be sent again on its page." }),
    payeeId: id(EXAMPLE.payee).nullable().meta({ description: "The draft payee, once the payee has answered." }),
    verificationId: id(EXAMPLE.verification).nullable().meta({ description: "The verification of the draft." }),
    isDuplicate: flag(false, "A payee already has the account: `payeeId` is that payee, and no draft was made."),
    sentAt: instant,
    expiresAt: instant,
    createdAt: instant,
    closedAt: instant.nullable(),
  })
  .register(NAMES, { id: "PayeeRequest" });

/** Does not include the link, which only the message to the payee contains. */
const shown = ({ clock }: Services, row: PayeeRequest) => ({ ...row, status: requestState(row, clock.now()) });

const request = z.object({ request: payeeRequest });
const byId = { id: idOf("request", EXAMPLE.payeeRequest) };
export const PAYEE_REQUEST_CALLS = [
  endpoint({
    id: "listPayeeRequests",
    group: "payees",
    at: "GET /api/payee-requests",
    needs: "payees:read",
    title: "List requests for bank details",
    text: "Newest first, 50 at a time.",
    query: { status: choice("Those without an answer, or all.", ["open", "all"]), cursor },
    answers: {
      200: { text: "A page of requests.", schema: z.object({ requests: z.array(payeeRequest), nextCursor }) },
    },
    examples: [{ title: "Requests without an answer", status: 200 }],
    run: async ({ services, actor, asked }) => {
      const page = await listRequests(services, actor, readRequestsQuery(asked));
      return { requests: page.rows.map(({ request }) => shown(services, request)), nextCursor: page.next ?? null };
    },
  }),
  endpoint({
    id: "askPayee",
    group: "payees",
    at: "POST /api/payee-requests",
    needs: "payees:write",
    title: "Ask a new payee for its bank details",
    text: "Sends the payee a link to a form: by email, or by text message if there is no email address. The result is a draft payee with a verification; payments to it are held until a person decides.",
    isIdempotent: true,
    body: newRequestSchema,
    answers: { 201: { text: "The request.", schema: request } },
    refusals: ["SUBSCRIPTION_REQUIRED", "EMAIL_NOT_CONFIRMED", "RATE_LIMITED"],
    examples: [
      {
        title: "By email",
        status: 201,
        json: { name: "Tallowwood Timber", email: "accounts@tallowwood.example", note: "Order 1042" },
      },
      { title: "Without a way to reach the payee", status: 400, json: { name: "Tallowwood Timber" } },
    ],
    run: async ({ services, actor, body, idempotencyKey }) => {
      const { requestId } = await askPayee(services, actor, { request: body, idempotencyKey });
      return { request: shown(services, await getRequest(services, actor, requestId)) };
    },
  }),
  endpoint({
    id: "readPayeeRequest",
    group: "payees",
    at: "GET /api/payee-requests/{id}",
    needs: "payees:read",
    title: "Read a request for bank details",
    path: byId,
    answers: { 200: { text: "The request.", schema: request } },
    examples: [{ title: "One request", status: 200, path: { id: EXAMPLE.payeeRequest } }],
    run: async ({ services, actor, path }) => ({
      request: shown(services, await getRequest(services, actor, path.id)),
    }),
  }),
  endpoint({
    id: "cancelPayeeRequest",
    group: "payees",
    at: "DELETE /api/payee-requests/{id}",
    needs: "payees:write",
    title: "Cancel a request for bank details",
    text: "Its link no longer accepts details. A request that is already cancelled is returned as it is.",
    path: byId,
    answers: { 200: { text: "The request.", schema: request } },
    refusals: ["CHANGED_MEANWHILE"],
    examples: [{ title: "One request", status: 200, path: { id: EXAMPLE.payeeRequest } }],
    run: async ({ services, actor, path }) => {
      await cancelRequest(services, actor, path.id);
      return { request: shown(services, await getRequest(services, actor, path.id)) };
    },
  }),
];
