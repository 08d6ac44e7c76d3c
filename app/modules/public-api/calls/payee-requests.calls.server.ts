import * as z from "zod";
import { newRequestSchema } from "~/modules/payees/payee-requests/payee-request.server";
import { nextCursor } from "../answers/fields.server";
import { payeeRequest } from "../answers/payees.answers.server";
import type { Call } from "../call";
import { EXAMPLE } from "../example-ids";
import { choice, cursor, idOf } from "./parameters.server";

const request = z.object({ request: payeeRequest });
const parameters = [idOf("request", EXAMPLE.payeeRequest)];

/** Asking new payees for their bank details. */
export const PAYEE_REQUEST_CALLS: readonly Call[] = [
  {
    id: "listPayeeRequests",
    group: "payees",
    method: "GET",
    path: "payee-requests",
    title: "List requests for bank details",
    text: "Newest first, 50 at a time.",
    query: [choice("status", "Those without an answer, or all.", ["open", "all"]), cursor],
    answers: [
      { status: 200, text: "A page of requests.", schema: z.object({ requests: z.array(payeeRequest), nextCursor }) },
    ],
    examples: [{ title: "Requests without an answer", status: 200 }],
  },
  {
    id: "askPayee",
    group: "payees",
    method: "POST",
    path: "payee-requests",
    title: "Ask a new payee for its bank details",
    text: "Sends the payee a link to a form: by email, or without an email address as a text message. What comes back is a draft payee with a verification; payments to it are held until a person decides.",
    isIdempotent: true,
    body: { json: newRequestSchema },
    answers: [{ status: 201, text: "The request.", schema: request }],
    refusals: ["SUBSCRIPTION_REQUIRED", "EMAIL_NOT_CONFIRMED", "RATE_LIMITED"],
    examples: [
      {
        title: "By email",
        status: 201,
        json: { name: "Tallowwood Timber", email: "accounts@tallowwood.example", note: "Order 1042" },
      },
      { title: "Without a way to reach the payee", status: 400, json: { name: "Tallowwood Timber" } },
    ],
  },
  {
    id: "readPayeeRequest",
    group: "payees",
    method: "GET",
    path: "payee-requests/:id",
    title: "Read a request for bank details",
    parameters,
    answers: [{ status: 200, text: "The request.", schema: request }],
    examples: [{ title: "One request", status: 200, path: { id: EXAMPLE.payeeRequest } }],
  },
  {
    id: "cancelPayeeRequest",
    group: "payees",
    method: "DELETE",
    path: "payee-requests/:id",
    title: "Cancel a request for bank details",
    text: "Its link takes no details any more. A cancelled one is answered as it is.",
    parameters,
    answers: [{ status: 200, text: "The request.", schema: request }],
    refusals: ["CHANGED_MEANWHILE"],
    examples: [{ title: "One request", status: 200, path: { id: EXAMPLE.payeeRequest } }],
  },
];
