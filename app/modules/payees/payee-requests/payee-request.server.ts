import { type Condition, payeeRequests, rowIn, users, verifications } from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, notFound } from "~/kernel/app-error";
import { formatDate } from "~/kernel/dates";
import { addressId, fieldConstraints, holdsWebAddress } from "~/kernel/fields.schema.server";
import { isId } from "~/kernel/ids";
import { resemblesInstitution } from "~/kernel/institution-names";
import { linkPaths } from "~/kernel/paths/links";
import { NAME_LENGTH } from "~/kernel/payee";
import { isMobile } from "~/kernel/phone";
import { cleanLine, displayName, isStorable } from "~/kernel/text";
import { getOrganizationName } from "~/modules/accounts/organizations/organization.server";
import { sendToOutsider } from "~/modules/messages/notifications/outside-messages.server";
import { newPayeeSchema, payeeFields } from "~/modules/payees/payee-fields.server";
import { requirePayeeContact } from "~/modules/payees/payee-links/payee-link.server";
import { findRunningCheck } from "~/modules/payees/verifications/running-check.server";
import type { Actor, Asking, ReadServices, Services, TimedServices, WriteServices } from "~/services-and-actor";
import { MAX_REQUEST_NOTE, type PayeeRequest, REQUEST_TTL_MS, requestState, requestText } from "./payee-request";

/** Schemas for requests to payees, and for what payees answer. */

const MAX_INPUT = 2_000;
const NAME_PROBLEM = `The name must have ${NAME_LENGTH.min} to ${NAME_LENGTH.max} characters`;

/** Our message carries this name to a stranger, so it must not contain a link or imitate a bank. */
const name = z
  .string("Enter the payee name")
  .max(MAX_INPUT, NAME_PROBLEM)
  .refine(isStorable, "The name contains characters that cannot be stored")
  .transform(cleanLine)
  .pipe(
    z
      .string()
      .min(NAME_LENGTH.min, { error: ({ input }) => (input ? NAME_PROBLEM : "Enter the payee name") })
      .max(NAME_LENGTH.max, NAME_PROBLEM),
  )
  .refine((text) => !holdsWebAddress(text), "A name cannot contain a web address");

const NOTE_PROBLEM = `Keep the note to ${MAX_REQUEST_NOTE} characters`;

/** The payee's page shows this note under our name, so it must not contain a link or imitate a bank. */
const note = z
  .string("The note must be text")
  .max(MAX_INPUT, NOTE_PROBLEM)
  .refine(isStorable, "The note contains characters that cannot be stored")
  .transform(cleanLine)
  .pipe(z.string().max(MAX_REQUEST_NOTE, NOTE_PROBLEM))
  .refine((text) => !holdsWebAddress(text), "The note cannot contain a web address")
  .refine((text) => !resemblesInstitution(text), "The note cannot be the name of a financial institution")
  .nullish()
  .transform((text) => text || null);

export const requestFields = z.object({
  name,
  email: payeeFields.shape.email,
  phone: payeeFields.shape.phone,
  note,
});

/** A new request: from the form and from `POST /api/payee-requests`. */
export const newRequestSchema = requestFields
  .transform(({ email = null, phone = null, ...rest }) => ({ ...rest, email, phone }))
  .superRefine(({ email, phone }, context) => {
    if (email !== null) return;
    const message = phone === null ? "Enter an email address or a mobile number" : NO_MOBILE;
    if (phone === null || !isMobile(phone)) {
      context.addIssue({ code: "custom", message, path: [phone === null ? "email" : "phone"] });
    }
  });
const NO_MOBILE = "A text message needs a mobile number. Enter one, or an email address";

export type NewRequest = z.infer<typeof newRequestSchema>;

export const requestConstraints = fieldConstraints(requestFields);

const UNKNOWN_ID = "Choose one of the requests";

export const requestActSchema = z.object({
  intent: z.enum(["resend", "cancel"], "Choose what to do with the request"),
  requestId: z.string(UNKNOWN_ID).refine(isId, UNKNOWN_ID),
});

/** The details that the payee types: the same fields as for any payee. */
export const sentDetailsSchema = newPayeeSchema;

const addressSchema = z.object({
  status: z.enum(["open", "all"]).default("open").catch("open"),
  cursor: addressId,
  after: addressId,
  before: addressId,
});

/** The search parameters of the list. Invalid values are ignored, so a link never fails. */
export function readRequestsQuery(params: URLSearchParams) {
  const { cursor, after, ...rest } = addressSchema.parse(Object.fromEntries(params));
  return { ...rest, after: after ?? cursor };
}

export const REQUESTS_PAGE_SIZE = 50;

/** Longer than any token of ours. */
const MAX_TOKEN_LENGTH = 100;

const asker = { firstName: users.firstName, lastName: users.lastName };

/** @throws AppError 404, the same for an id that does not exist and one of another organisation */
export async function getRequest({ db }: ReadServices, actor: Asking, id: string): Promise<PayeeRequest> {
  const [row] = await db
    .select()
    .from(payeeRequests)
    .where(and(eq(payeeRequests.organizationId, actor.organizationId), eq(payeeRequests.id, id)));
  if (!row) throw notFound();
  return row;
}

const OPEN: SQL = sql`${payeeRequests.status} = 'open'`;

export type RequestsQuery = { status?: "open" | "all"; after?: string; before?: string };

/** One page of an organisation's requests, newest first: unanswered ones, or all. */
export async function listRequests({ db }: ReadServices, actor: Asking, query: RequestsQuery = {}) {
  const page = keySetPage(query, { size: REQUESTS_PAGE_SIZE });
  const rows = await db
    .select({ request: payeeRequests, asker })
    .from(payeeRequests)
    .innerJoin(users, eq(users.id, payeeRequests.requestedById))
    .where(
      and(
        eq(payeeRequests.organizationId, actor.organizationId),
        query.status === "all" ? undefined : OPEN,
        page.beyond(payeeRequests.id),
      ),
    )
    .orderBy(page.order(payeeRequests.id))
    .limit(page.limit);
  return page.cut(rows, ({ request }) => request.id);
}

const unknownLink = () =>
  new AppError(
    "NOT_FOUND",
    "This is not one of our links, or a newer one has taken its place. Please open the newest message.",
  );

/**
 * The request that a link's token belongs to, and who sent it.
 * @throws AppError 404, the same for an unknown token, a replaced one and an organisation that may not act
 */
export async function getRequestByToken(services: Pick<Services, "db" | "secrets">, token: string) {
  const tokenHash = await services.secrets.hashToken(token.length <= MAX_TOKEN_LENGTH ? token : "");
  const [row] = await services.db
    .select({ request: payeeRequests, asker })
    .from(payeeRequests)
    .innerJoin(users, eq(users.id, payeeRequests.requestedById))
    .where(eq(payeeRequests.tokenHash, tokenHash));
  if (!row) throw unknownLink();
  const { name } = await getOrganizationName(services, row.request.organizationId).catch(() => {
    throw unknownLink();
  });
  return { ...row.request, asker: row.asker, organizationName: name };
}

export type FoundRequest = Awaited<ReturnType<typeof getRequestByToken>>;

/** True if a payee who has answered can still go on to its bank: nothing has been compared or decided. */
export async function leadsToBank(
  services: TimedServices,
  request: Pick<PayeeRequest, "organizationId" | "status" | "expiresAt" | "verificationId">,
): Promise<boolean> {
  const { organizationId, verificationId } = request;
  if (verificationId === null || requestState(request, services.clock.now()) !== "answered") return false;
  const [row] = await services.db
    .select({ status: verifications.status, outcome: verifications.outcome })
    .from(verifications)
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId)));
  if (row?.status !== "pending" || row.outcome !== null) return false;
  const running = await findRunningCheck(services, organizationId, verificationId);
  return running === undefined || running.providerUserId !== null;
}

type Recipient = { name: string; email: string | null; phone: string | null };

/** Creates a new link to the payee's form and its message; replacing the row ends the earlier link. */
export async function newRequestLink(services: WriteServices, actor: Actor, payee: Recipient) {
  const { clock, ids, secrets, config } = services;
  const { channel, to } = requirePayeeContact(payee);
  const now = clock.now();
  const token = ids.secret();
  const expiresAt = now + REQUEST_TTL_MS;
  const data = {
    organizationName: actor.organizationName,
    payeeName: payee.name,
    link: `${config.appOrigin}${linkPaths.detailsRequest(token)}`,
    expiresOn: formatDate(expiresAt, actor.timeZone),
  };
  const { conditions, part } = await sendToOutsider(services, actor.organizationId, {
    kind: "payee_link",
    to,
    ...(channel === "email"
      ? { channel, email: { template: "detailsRequest", data: { ...data, askerName: displayName(actor) } } }
      : { channel, body: requestText(data) }),
  });
  return {
    conditions,
    part,
    row: { channel, tokenHash: await secrets.hashToken(token), sentAt: now, expiresAt },
    to,
  };
}

type Found = { id: string; organizationId: string; tokenHash: string };

/** The condition that nobody has answered or cancelled the request, or sent another link, since it was read. */
export function requestIsOpen({ db }: ReadServices, found: Found, now?: number): Condition<"request_closed"> {
  return {
    name: "request_closed",
    found: rowIn(db, payeeRequests).where(
      and(
        isRequest(found),
        eq(payeeRequests.status, "open"),
        eq(payeeRequests.tokenHash, found.tokenHash),
        now === undefined ? undefined : gt(payeeRequests.expiresAt, now),
      ),
    ),
  };
}

export const isRequest = ({ id, organizationId }: Pick<Found, "id" | "organizationId">) =>
  and(eq(payeeRequests.organizationId, organizationId), eq(payeeRequests.id, id));
