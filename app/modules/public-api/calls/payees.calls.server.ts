import * as z from "zod";
import { newPayeeSchema, payeePatchSchema, whitelistSchema } from "~/modules/payees/payee-fields.server";
import { PAYEE_FILTERS } from "~/modules/payees/payee-list";
import { nextCursor } from "../answers/fields.server";
import { contactsTold, listedPayee, payee, payeeChange } from "../answers/payees.answers.server";
import { evidencePack } from "../answers/records.answers.server";
import { evidence, verification } from "../answers/verifications.answers.server";
import type { Call } from "../call";
import { EXAMPLE } from "../example-ids";
import { choice, cursor, idOf, nothing, word } from "./parameters.server";

const withEvidence = z.object({ ...verification.shape, evidence: evidence.nullable() });
const decided = z.object({
  payee,
  notice: z.string().nullable().meta({
    description: "Where the payee was there already, or off it: what was changed all the same, or that nothing was.",
  }),
});
const payeeWithChanges = z.object({
  payee,
  latestVerification: verification.nullable(),
  changes: z.array(payeeChange),
  formerContact: contactsTold.nullable(),
});
const parameters = [idOf("payee", EXAMPLE.payee)];
const reason = "Called the number in the contract";

export const PAYEE_CALLS: readonly Call[] = [
  {
    id: "listPayees",
    group: "payees",
    method: "GET",
    path: "payees",
    title: "List payees",
    text: "Newest first, 50 at a time. A search looks for words of the names, for the BSB, and for the beginning or end of the account number.",
    query: [
      word(
        "q",
        "Any part of a name of three characters or more, a BSB, an ABN, or the beginning or end of an account number.",
        "wattle 062000",
      ),
      choice("status", "Which payees.", PAYEE_FILTERS),
      cursor,
    ],
    answers: [
      { status: 200, text: "A page of payees.", schema: z.object({ payees: z.array(listedPayee), nextCursor }) },
    ],
    examples: [
      { title: "All payees", status: 200 },
      { title: "Payees that wait for verification", status: 200, query: { status: "pending", q: "wattle" } },
    ],
  },
  {
    id: "addPayee",
    group: "payees",
    method: "POST",
    path: "payees",
    title: "Add a payee",
    text: "Opens a verification of the bank details, with what is already known of the account as evidence.",
    isIdempotent: true,
    body: { json: newPayeeSchema },
    answers: [
      {
        status: 201,
        text: "The payee and its verification.",
        schema: z.object({ payee, verification: withEvidence.nullable() }),
      },
    ],
    refusals: ["SUBSCRIPTION_REQUIRED", "DUPLICATE_PAYEE"],
    examples: [
      {
        title: "A payee with an ABN and an email address",
        status: 201,
        json: {
          name: "Wattle Creek Electrical",
          accountName: "Wattle Creek Electrical Pty Ltd",
          bsb: "062-000",
          accountNumber: "1234 5678",
          abn: "51 824 753 556",
          email: "accounts@wattlecreek.example",
        },
      },
      {
        title: "A BSB with too few digits",
        status: 400,
        json: {
          name: "Wattle Creek Electrical",
          accountName: "Wattle Creek Electrical",
          bsb: "0620",
          accountNumber: "12345678",
        },
      },
    ],
  },
  {
    id: "readPayeeEvidence",
    group: "payees",
    method: "GET",
    path: "payees/:id/evidence",
    title: "Read the evidence of a payee",
    text: "What the audit trail holds of it, each entry with its seal, and the certificates. `scripts/verify-evidence.mjs` checks it without PayeeProof. Up to 1,000 entries. A token needs `audit:read`.",
    parameters,
    answers: [{ status: 200, text: "The evidence pack.", schema: evidencePack }],
    examples: [{ title: "One payee", status: 200, path: { id: EXAMPLE.payee } }],
  },
  {
    id: "downloadPayeeEvidence",
    group: "payees",
    method: "GET",
    path: "payees/:id/evidence.pdf",
    title: "Download the evidence of a payee",
    text: "The same on paper, with the JSON inside.",
    parameters,
    answers: [{ status: 200, text: "A PDF file.", type: "application/pdf" }],
    examples: [{ title: "One payee", status: 200, path: { id: EXAMPLE.payee } }],
  },
  {
    id: "readPayee",
    group: "payees",
    method: "GET",
    path: "payees/:id",
    title: "Read a payee",
    text: "With the account number in full, which the audit trail records.",
    parameters,
    answers: [
      {
        status: 200,
        text: "The payee, its newest verification, what was changed, and whether its former contact was told.",
        schema: payeeWithChanges,
      },
    ],
    examples: [{ title: "One payee", status: 200, path: { id: EXAMPLE.payee } }],
  },
  {
    id: "editPayee",
    group: "payees",
    method: "PATCH",
    path: "payees/:id",
    title: "Edit a payee",
    text: "Fields that are left out stay as they are; null takes a value away. New bank details, or another name, open a new verification, take the payee off the whitelist and hold its payments. A new spelling of the same name does not. Of new bank details a notice goes to everyone who was a contact of the payee in the last 30 days; it is tried until it is sent, and `formerContact` says how it stands.",
    parameters,
    body: { json: payeePatchSchema },
    answers: [
      {
        status: 200,
        text: "The payee as it is now. `formerContact` says whether whoever was its contact before was told: right after an edit never, because a message is only told when the provider has taken it.",
        schema: payeeWithChanges,
      },
    ],
    refusals: ["EDIT_CONFLICT", "DUPLICATE_PAYEE"],
    examples: [
      { title: "A new phone number", status: 200, path: { id: EXAMPLE.payee }, json: { phone: "02 9374 4000" } },
      { title: "Another name", status: 200, path: { id: EXAMPLE.payee }, json: { name: "Wattle Creek Holdings" } },
      {
        title: "New bank details",
        status: 200,
        path: { id: EXAMPLE.payee },
        json: { bsb: "082-001", accountNumber: "70123456" },
      },
    ],
  },
  {
    id: "verifyPayeeAgain",
    group: "payees",
    method: "POST",
    path: "payees/:id/verifications",
    title: "Verify a payee again",
    parameters,
    isIdempotent: true,
    body: { json: nothing, isOptional: true },
    answers: [{ status: 201, text: "The new verification.", schema: z.object({ verification: withEvidence }) }],
    refusals: ["SUBSCRIPTION_REQUIRED", "VERIFICATION_PENDING", "EDIT_CONFLICT"],
    examples: [{ title: "A new verification", status: 201, path: { id: EXAMPLE.whitelistedPayee }, json: {} }],
  },
  {
    id: "whitelistPayee",
    group: "payees",
    method: "POST",
    path: "payees/:id/whitelist",
    title: "Put a payee on the whitelist",
    text: "A payee that is on it already is answered as it is.",
    parameters,
    body: { json: whitelistSchema },
    answers: [{ status: 200, text: "The payee.", schema: decided }],
    refusals: ["SECOND_PERSON_REQUIRED", "EDIT_CONFLICT"],
    examples: [{ title: "With the reason", status: 200, path: { id: EXAMPLE.payee }, json: { reason } }],
  },
  {
    id: "unwhitelistPayee",
    group: "payees",
    method: "DELETE",
    path: "payees/:id/whitelist",
    title: "Take a payee off the whitelist",
    text: "Its authorised payments that have no outcome yet are held again. Of a payee that is off it already, since its details or its name changed, the former ones are forgotten: a rejection can no longer restore them.",
    parameters,
    body: { json: whitelistSchema },
    answers: [{ status: 200, text: "The payee.", schema: decided }],
    refusals: ["EDIT_CONFLICT"],
    examples: [
      {
        title: "With the reason",
        status: 200,
        path: { id: EXAMPLE.whitelistedPayee },
        json: { reason: "The contract has ended" },
      },
    ],
  },
];
