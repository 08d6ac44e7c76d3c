import * as z from "zod";
import { check } from "~/http/body.server";
import { getOrganizationName, lookUpOrganizations } from "~/modules/accounts/organizations/organization.server";
import { contactCallSchema, submitContactMessage } from "~/modules/messages/contact.server";
import { matchNames, toMatchBadge } from "~/modules/name-match";
import { namePairCallSchema } from "~/modules/name-match/name-pair.server";
import {
  confirmPayeeDetails,
  disputePayeeDetails,
  getOpenPayeeLink,
  linkAnswerSchema,
  linkIdsSchema,
  MISSING_PARAMETERS,
} from "~/modules/payees/payee-links/payee-link.server";
import { accountName, accountNumber, bsb, count, EXAMPLE, endpoint, id, text } from "./endpoint.server";
import { matchBadge, nameDifference } from "./verification-shapes.server";

const organizationName = z.object({ id: id(EXAMPLE.organization), name: text("Harbour Joinery") });

const organizationByDomain = z.object({ ...organizationName.shape, domain: text(EXAMPLE.domain) });

const organizationLookup = z.union([
  z.object({ organization: organizationByDomain }),
  z.object({ multiple: z.literal(true), organizations: z.array(organizationByDomain) }),
]);

const link = { vid: EXAMPLE.linkVerification, pid: EXAMPLE.linkPayee };
const path = { token: EXAMPLE.linkToken };
const byToken = {
  token: z
    .string()
    .meta({ description: "The token of the link that the payee was sent.", examples: [EXAMPLE.linkToken] }),
};
/** If it is missing, the refusal has the specification's sentence. */
const linkId = (description: string, example: string) =>
  z.string({ error: MISSING_PARAMETERS }).meta({ description, examples: [example] });
export const OPEN_CALLS = [
  endpoint({
    id: "compareNames",
    group: "open",
    at: "POST /api/name-match",
    by: "anyone",
    title: "Compare two names",
    text: "Compares them as verifications do. It uses no payee and stores nothing.",
    limit: "name-match",
    body: namePairCallSchema,
    answers: {
      200: {
        text: "A score out of 100 points, and what differs.",
        schema: z.object({
          score: count(100),
          matchType: z.enum(["exact", "fuzzy", "none"]),
          badge: matchBadge,
          differences: z.array(nameDifference),
        }),
      },
    },
    examples: [
      { title: "A legal form", status: 200, json: { submitted: "Nguyen & Sons P/L", held: "Nguyen and Sons Pty Ltd" } },
    ],
    run: async ({ body: { submitted, held, kind } }) => {
      const { score, matchType, differences } = matchNames(submitted, held, kind);
      return { score, matchType, badge: toMatchBadge(score), differences };
    },
  }),
  endpoint({
    id: "sendMessage",
    group: "open",
    at: "POST /api/contact",
    by: "anyone",
    title: "Send us a message",
    limit: "contact",
    isLimitedOnceRead: true,
    body: contactCallSchema,
    answers: { 201: { text: "The message was saved.", schema: z.object({}) } },
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
    run: async ({ services, body }) => {
      await submitContactMessage(services, body);
      return {};
    },
  }),
  endpoint({
    id: "readOrganization",
    group: "open",
    at: "GET /api/organizations/{id}",
    by: "anyone",
    title: "Name of an organisation",
    limit: "organization-lookup",
    path: {
      id: id(EXAMPLE.organization).meta({
        description: "The id of the organisation.",
        format: "uuid",
        examples: [EXAMPLE.organization],
      }),
    },
    answers: { 200: { text: "Its name, and nothing else.", schema: organizationName } },
    refusals: ["ORGANIZATION_NOT_FOUND"],
    examples: [{ title: "By id", status: 200, path: { id: EXAMPLE.organization } }],
    run: ({ services, path }) => getOrganizationName(services, path.id),
  }),
  endpoint({
    id: "findOrganization",
    group: "open",
    at: "GET /api/organizations/by-domain/{domain}",
    by: "anyone",
    title: "Organisations with an email domain",
    limit: "organization-lookup",
    path: {
      domain: z.string().meta({ description: "The part of an email address after the @.", examples: [EXAMPLE.domain] }),
    },
    answers: { 200: { text: "The organisations that have claimed the domain.", schema: organizationLookup } },
    refusals: ["ORGANIZATION_NOT_FOUND"],
    examples: [
      { title: "By domain", status: 200, path: { domain: EXAMPLE.domain } },
      { title: "A domain that has no organisation", status: 404, path: { domain: "unknown.example" } },
    ],
    run: async ({ services, path }) => {
      const [organization, ...others] = await lookUpOrganizations(services, path.domain);
      if (others.length === 0) return { organization };
      return { multiple: true as const, organizations: [organization, ...others] };
    },
  }),
  endpoint({
    id: "openPayeeLink",
    group: "open",
    at: "GET /api/verify/{token}",
    by: "anyone",
    title: "Open a payee's link",
    text: "What the payee is asked to confirm. Opening it changes nothing.",
    limit: "verify-link",
    path: byToken,
    query: {
      vid: linkId("The verification's id, from the link.", link.vid),
      pid: linkId("The payee's id, from the link.", link.pid),
    },
    answers: {
      200: {
        text: "The details, and who asks.",
        schema: z.object({
          payee: z.object({ accountName, bsb, accountNumber }),
          organization: z.object({ name: text("Harbour Joinery") }),
        }),
      },
    },
    refusals: ["INVALID_INPUT", "NOT_FOUND", "ALREADY_VERIFIED", "DISPUTED", "LINK_EXPIRED"],
    examples: [{ title: "Open", status: 200, path, query: link }],
    run: async ({ services, path, query }) => {
      const link = await getOpenPayeeLink(services, { token: path.token, ...check(linkIdsSchema, query) });
      return { payee: link.submitted, organization: { name: link.organizationName } };
    },
  }),
  endpoint({
    id: "answerPayeeLink",
    group: "open",
    at: "POST /api/verify/{token}",
    by: "anyone",
    title: "Answer a payee's link",
    limit: "verify-link",
    path: byToken,
    body: linkAnswerSchema,
    answers: {
      200: { text: "The payee's answer was saved.", schema: z.object({ status: z.enum(["confirmed", "disputed"]) }) },
    },
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
    run: async ({ services, origin, path, body: { response, note, ...ids } }) => {
      const link = { token: path.token, ...ids };
      if (response === "confirm") {
        await confirmPayeeDetails(services, origin, link);
        return { status: "confirmed" as const };
      }
      await disputePayeeDetails(services, origin, { ...link, note });
      return { status: "disputed" as const };
    },
  }),
];
