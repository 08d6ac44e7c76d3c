import * as z from "zod";
import { fieldConstraints } from "~/kernel/field-constraints.server";
import { isId } from "~/kernel/ids";
import { resemblesInstitution } from "~/kernel/institution-names";
import { NAME_LENGTH } from "~/kernel/payee";
import { isMobile } from "~/kernel/phone";
import { cleanLine, isStorable } from "~/kernel/text";
import { holdsWebAddress } from "~/kernel/web-address";
import { newPayeeSchema, payeeFields } from "~/modules/payees/payee.schema.server";
import { MAX_REQUEST_NOTE } from "./payee-request";

/** What people type to ask a payee for its details, and what the payee types. */

const MAX_INPUT = 2_000;
const NAME_PROBLEM = `The name must have ${NAME_LENGTH.min} to ${NAME_LENGTH.max} characters`;

/** A message of ours carries it to a stranger: it holds no link and passes for no bank. */
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

/** The payee's page shows it under our name: no link, and no bank. */
const note = z
  .string("The note is a text")
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

/** Asking a payee: from the form and from `POST /api/payee-requests`. */
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

/** What the list of requests posts besides. */
export const requestActSchema = z.object({
  intent: z.enum(["resend", "cancel"], "Choose what to do with the request"),
  requestId: z.string(UNKNOWN_ID).refine(isId, UNKNOWN_ID),
});

/** The details as the payee types them: those of any payee. */
export const sentDetailsSchema = newPayeeSchema;

const key = z.string().refine(isId).optional().catch(undefined);
const addressSchema = z.object({
  status: z.enum(["open", "all"]).default("open").catch("open"),
  cursor: key,
  after: key,
  before: key,
});

/** The address of the list. What it does not understand it leaves out: a link never fails. */
export function readRequestsQuery(params: URLSearchParams) {
  const { cursor, after, ...rest } = addressSchema.parse(Object.fromEntries(params));
  return { ...rest, after: after ?? cursor };
}
