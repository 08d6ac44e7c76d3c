import * as z from "zod";
import { newBulkCheckSchema } from "~/modules/verifying/bulk-checks/bulk-check.server";
import { askedPayee, bulkCheck, notAskedPayee } from "../answers/bulk-checks.answers.server";
import { nextCursor } from "../answers/fields.server";
import type { Call } from "../call";
import { EXAMPLE } from "../example-ids";
import { idOf, nothing, word } from "./parameters.server";

const answer = z.object({ bulkCheck });
const parameters = [idOf("bulk check", EXAMPLE.bulkCheck)];

/** Bank checks of many payees. */
export const BULK_CHECK_CALLS: readonly Call[] = [
  {
    id: "listBulkChecks",
    group: "verifications",
    method: "GET",
    path: "bulk-checks",
    title: "List bulk checks",
    text: "The newest 20.",
    answers: [{ status: 200, text: "Bulk checks.", schema: z.object({ bulkChecks: z.array(bulkCheck) }) }],
    examples: [{ title: "The newest", status: 200 }],
  },
  {
    id: "countBulkCheck",
    group: "verifications",
    method: "POST",
    path: "bulk-checks",
    title: "Count payees to check in bulk",
    text: "Chooses payees and has them counted; nobody is asked. Read it until `status` is `ready`: it then says how many payees, `costCents` if every payee answers, and `expectedMinutes`. Start it to ask them.",
    body: { json: newBulkCheckSchema },
    answers: [{ status: 202, text: "The bulk check, being counted.", schema: answer }],
    refusals: ["SUBSCRIPTION_REQUIRED"],
    examples: [
      { title: "Never verified, paid in the last year", status: 202, json: { verified: "never", paid: "year" } },
      { title: "Chosen payees", status: 202, json: { payeeIds: [EXAMPLE.payee] } },
      { title: "Not an id", status: 400, json: { payeeIds: ["kestrel"] } },
    ],
  },
  {
    id: "readBulkCheck",
    group: "verifications",
    method: "GET",
    path: "bulk-checks/:id",
    title: "Read a bulk check",
    text: "How far it is, and the payees it has asked, the last one first, 50 at a time. Of chosen payees `notAsked` says how the others stand.",
    parameters,
    query: [word("cursor", "The `nextCursor` of the answer before. Leave it out to begin.", "51")],
    answers: [
      {
        status: 200,
        text: "The bulk check.",
        schema: z.object({ bulkCheck, asked: z.array(askedPayee), notAsked: z.array(notAskedPayee), nextCursor }),
      },
    ],
    examples: [{ title: "One bulk check", status: 200, path: { id: EXAMPLE.bulkCheck } }],
  },
  {
    id: "startBulkCheck",
    group: "verifications",
    method: "POST",
    path: "bulk-checks/:id/start",
    title: "Start a bulk check",
    text: "Asks the counted payees one after the other, within your organisation's limits. One bulk check runs at a time.",
    parameters,
    body: { json: nothing, isOptional: true },
    answers: [{ status: 200, text: "The bulk check, running.", schema: answer }],
    refusals: ["SUBSCRIPTION_REQUIRED", "EMAIL_NOT_CONFIRMED", "CHANGED_MEANWHILE"],
    examples: [{ title: "A counted one", status: 200, path: { id: EXAMPLE.bulkCheck } }],
  },
  {
    id: "stopBulkCheck",
    group: "verifications",
    method: "POST",
    path: "bulk-checks/:id/stop",
    title: "Stop a bulk check",
    text: "No further payee is asked. Those that were asked can still answer.",
    parameters,
    body: { json: nothing, isOptional: true },
    answers: [{ status: 200, text: "The bulk check, stopped.", schema: answer }],
    refusals: ["CHANGED_MEANWHILE"],
    examples: [{ title: "One bulk check", status: 200, path: { id: EXAMPLE.bulkCheck } }],
  },
];
