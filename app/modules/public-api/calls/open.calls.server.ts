import * as z from "zod";
import { contactCallSchema } from "~/modules/messages/contact.server";
import { namePairCallSchema } from "~/modules/name-match/name-pair.schema.server";
import { linkAnswerSchema } from "~/modules/payees/payee-links/payee-link.schema.server";
import { organizationLookup, organizationName } from "../answers/account.answers.server";
import { accountName, accountNumber, bsb, count, text } from "../answers/fields.server";
import { matchBadge, nameDifference } from "../answers/verifications.answers.server";
import type { Call } from "../call";
import { EXAMPLE } from "../example-ids";
import { idOf, word } from "./parameters.server";

const link = { vid: EXAMPLE.linkVerification, pid: EXAMPLE.linkPayee };
const path = { token: EXAMPLE.linkToken };
const token = word("token", "The token of the link that the payee was sent.", EXAMPLE.linkToken);

const LOOKUPS: readonly Call[] = [
  {
    id: "readDocument",
    group: "open",
    method: "GET",
    path: "openapi.json",
    title: "This document",
    text: "In the form of OpenAPI 3.1, for programs that make clients.",
    isOpen: true,
    answers: [{ status: 200, text: "The document.", schema: z.looseObject({ openapi: text("3.1.1") }) }],
    examples: [{ title: "The document", status: 200 }],
  },
  {
    id: "compareNames",
    group: "open",
    method: "POST",
    path: "name-match",
    title: "Compare two names",
    text: "As verifications compare them. It knows no payee and keeps nothing.",
    isOpen: true,
    limit: "name-match",
    body: { json: namePairCallSchema },
    answers: [
      {
        status: 200,
        text: "A score of 100 points and what differs.",
        schema: z.object({
          score: count(100),
          matchType: z.enum(["exact", "fuzzy", "none"]),
          badge: matchBadge,
          differences: z.array(nameDifference),
        }),
      },
    ],
    examples: [
      { title: "A legal form", status: 200, json: { submitted: "Nguyen & Sons P/L", held: "Nguyen and Sons Pty Ltd" } },
    ],
  },
  {
    id: "sendMessage",
    group: "open",
    method: "POST",
    path: "contact",
    title: "Send us a message",
    isOpen: true,
    limit: "contact",
    body: { json: contactCallSchema },
    answers: [{ status: 201, text: "The message was kept.", schema: z.object({}) }],
    examples: [
      {
        title: "A question",
        status: 201,
        json: {
          firstName: "Sam",
          lastName: "Tran",
          email: EXAMPLE.newEmail,
          company: "Wattle Creek Electrical",
          phone: "02 9374 4000",
          interest: "integration",
          message: "Can our own system upload a pay run?",
        },
      },
    ],
  },
  {
    id: "readOrganization",
    group: "open",
    method: "GET",
    path: "organizations/:id",
    title: "Name of an organisation",
    isOpen: true,
    limit: "organization-lookup",
    parameters: [idOf("organisation", EXAMPLE.organization)],
    answers: [{ status: 200, text: "Its name, and nothing else.", schema: organizationName }],
    refusals: ["ORGANIZATION_NOT_FOUND"],
    examples: [{ title: "By id", status: 200, path: { id: EXAMPLE.organization } }],
  },
  {
    id: "findOrganization",
    group: "open",
    method: "GET",
    path: "organizations/by-domain/:domain",
    title: "Organisations of an email domain",
    isOpen: true,
    limit: "organization-lookup",
    parameters: [word("domain", "The part of an email address after the @.", EXAMPLE.domain)],
    answers: [
      { status: 200, text: "The one that has claimed the domain, or all of them.", schema: organizationLookup },
    ],
    refusals: ["ORGANIZATION_NOT_FOUND"],
    examples: [
      { title: "By domain", status: 200, path: { domain: EXAMPLE.domain } },
      { title: "A domain that has no organisation", status: 404, path: { domain: "unknown.example" } },
    ],
  },
];

const LINKS: readonly Call[] = [
  {
    id: "openPayeeLink",
    group: "open",
    method: "GET",
    path: "verify/:token",
    title: "Open a payee's link",
    text: "What the payee is asked to confirm. Opening it changes nothing.",
    isOpen: true,
    limit: "verify-link",
    parameters: [token],
    query: [
      { ...word("vid", "The verification's id, from the link.", link.vid), isRequired: true },
      { ...word("pid", "The payee's id, from the link.", link.pid), isRequired: true },
    ],
    answers: [
      {
        status: 200,
        text: "The details, and who asks.",
        schema: z.object({
          payee: z.object({ accountName, bsb, accountNumber }),
          organization: z.object({ name: text("Harbour Joinery") }),
        }),
      },
    ],
    refusals: ["INVALID_INPUT", "NOT_FOUND", "ALREADY_VERIFIED", "DISPUTED", "LINK_EXPIRED"],
    examples: [{ title: "Open", status: 200, path, query: link }],
  },
  {
    id: "answerPayeeLink",
    group: "open",
    method: "POST",
    path: "verify/:token",
    title: "Answer a payee's link",
    isOpen: true,
    limit: "verify-link",
    parameters: [token],
    body: { json: linkAnswerSchema },
    answers: [
      { status: 200, text: "The answer was kept.", schema: z.object({ status: z.enum(["confirmed", "disputed"]) }) },
    ],
    refusals: ["NOT_FOUND", "ALREADY_VERIFIED", "DISPUTED", "LINK_EXPIRED"],
    examples: [
      { title: "These are my details", status: 200, path, json: { ...link, response: "confirm" } },
      {
        title: "These are not my details",
        status: 200,
        path,
        json: { ...link, response: "dispute", note: "We bank elsewhere" },
      },
    ],
  },
];

export const OPEN_CALLS: readonly Call[] = [...LOOKUPS, ...LINKS];
