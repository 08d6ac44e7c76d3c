import { getZodConstraint } from "@conform-to/zod/v4";
import * as z from "zod";
import { hasElevenDigits, parseAbn } from "./abn";
import { isEmail, normalizeEmail } from "./email";
import { isId } from "./ids";
import { resemblesInstitution, resemblesUs } from "./institution-names";
import { INVALID_EMAIL } from "./messages";
import { cleanLine, isStorable, normalizeText } from "./text";

/** Suffixes that people recognise as a web address after a dot. Not all that exist, only those used in fraud. */
const ENDINGS =
  "com|net|org|info|biz|xyz|online|site|shop|store|app|dev|link|click|top|live|icu|io|co|au|uk|nz|us|me|ru|cn|tk|ly";
/** With blanks around the dot, only these count: "Smith & Co. Au" is not an address. */
const PLAIN_ENDINGS = "com|net|org|info|biz|xyz|online";

const ADDRESS = new RegExp(
  [
    "://",
    "www\\.",
    `[\\p{L}\\p{N}]\\.(?:${ENDINGS})(?![\\p{L}\\p{N}])`,
    `[\\p{L}\\p{N}]\\s?[.,]\\s?(?:${PLAIN_ENDINGS})(?![\\p{L}\\p{N}])`,
    `[(\\[\\s]dot[)\\]\\s]\\s?(?:${ENDINGS})(?![\\p{L}\\p{N}])`,
  ].join("|"),
  "iu",
);
const OTHER_DOTS = /[．。｡․]/gu;

/**
 * True if a name contains something that looks like a web address, even a disguised one: `visit commbank-safe.com`,
 * `commbank-safe . com`, `commbank-safe (dot) com`.
 */
export const holdsWebAddress = (name: string): boolean => ADDRESS.test(name.replace(OTHER_DOTS, "."));

/** The rules for passwords (specification, section 5). Checked in the form that is hashed: NFKC, by code point. */

export const MIN_PASSWORD_LENGTH = 8;

/** Longer passwords cost time and add nothing. */
const MAX_PASSWORD_LENGTH = 200;

export const passwordLength = (password: string): number => [...normalizeText(password, "NFKC")].length;

const PASSWORD_RULES: readonly { message: string; holds: (password: string) => boolean }[] = [
  {
    message: "Password must be at least 8 characters long",
    holds: (password) => passwordLength(password) >= MIN_PASSWORD_LENGTH,
  },
  {
    message: "Password must be at most 200 characters long",
    holds: (password) => passwordLength(password) <= MAX_PASSWORD_LENGTH,
  },
  { message: "Password must contain at least one uppercase letter", holds: has(/\p{Lu}/u) },
  { message: "Password must contain at least one lowercase letter", holds: has(/\p{Ll}/u) },
  { message: "Password must contain at least one number", holds: has(/\p{Nd}/u) },
  { message: "Password must contain at least one special character", holds: has(/[^\p{L}\p{N}]/u) },
];

/** The sentences of all rules that a new password breaks, in display order. */
export function brokenPasswordRules(password: string): string[] {
  return PASSWORD_RULES.filter((rule) => !rule.holds(password)).map((rule) => rule.message);
}

function has(pattern: RegExp) {
  return (password: string) => pattern.test(password.normalize("NFKC"));
}

/** Fields that several forms and API calls share. */

const MAX_NAME_LENGTH = 100;
const MAX_ORGANIZATION_NAME_LENGTH = 120;
const SHORT_ABN = "ABN must be at least 11 characters";

/** An email address, normalised. */
export const emailField = z
  .string({ error: INVALID_EMAIL })
  .transform(normalizeEmail)
  .refine(isEmail, { error: INVALID_EMAIL });

/**
 * A name that emails and pages will show, normalised. Web addresses are refused: an email that we send must not contain
 * a stranger's link in place of a name.
 */
export function nameField(min: number, shortMessage: string, maxLength = MAX_NAME_LENGTH) {
  return z
    .string({ error: shortMessage })
    .transform(cleanLine)
    .refine((name) => [...name].length >= min, { error: shortMessage })
    .refine((name) => name.length <= maxLength, { error: `Please use at most ${maxLength} characters` })
    .refine(isStorable, { error: "Please remove the characters that cannot be stored" })
    .refine((name) => !holdsWebAddress(name), { error: "A name cannot contain a web address" });
}

const NOT_AN_ID = "This is not the id of an organisation";

/** An optional id; empty and null count as absent. The command checks whether the row exists. */
export const optionalId = z
  .string({ error: NOT_AN_ID })
  .max(100, { error: NOT_AN_ID })
  .nullish()
  .transform((id) => id || undefined);

export const firstNameField = nameField(2, "First name must be at least 2 characters");

/** Optional; empty when it is absent. */
export const lastNameField = nameField(0, "Please enter a name")
  .nullish()
  .transform((name) => name ?? "");

/** A new password, with a sentence for every rule that it breaks. */
export const newPasswordField = z
  .string({ error: "Password must be at least 8 characters long" })
  .superRefine((password, ctx) => {
    for (const message of brokenPasswordRules(password)) ctx.addIssue({ code: "custom", message });
  });

/** Our emails show people's names to strangers, so a name must not imitate a bank or us. */
export const INSTITUTION_NAME =
  "This is, or looks like, the name of a financial institution or of our own service. If it is your name, contact us and we will set it up with you";

const passesForOthers = (name: string) => resemblesInstitution(name) || resemblesUs(name);

/** A name that resembles another organisation's is accepted, but waits for an operator (`name-requests.server.ts`). */
export const organizationNameField = nameField(
  2,
  "Organisation name must be at least 2 characters",
  MAX_ORGANIZATION_NAME_LENGTH,
);

/** For a form with both parts of a person's name: together they must not imitate an institution or us. */
export const isPersonName = ({ firstName, lastName }: { firstName: string; lastName: string }): boolean =>
  !passesForOthers(`${firstName} ${lastName}`);

/** An ABN that may be left out. */
export const abnField = z
  .string({ error: SHORT_ABN })
  .nullish()
  .transform((text) => text?.trim() || undefined)
  .refine((text) => text === undefined || hasElevenDigits(text), { error: SHORT_ABN })
  .refine((text) => text === undefined || !hasElevenDigits(text) || parseAbn(text) !== undefined, {
    error: "This ABN is not valid. Please check each digit",
  })
  .transform((text) => (text === undefined ? undefined : parseAbn(text)));
const MISMATCH = "Passwords do not match";

/** The same password, entered again. */
export const confirmationField = (password: unknown) =>
  z.string({ error: MISMATCH }).refine((confirmation) => confirmation === password, { error: MISMATCH });

/** A person's present password: only required to be non-empty. */
export const currentPasswordField = z
  .string({ error: "Enter your password" })
  .min(1, { error: "Enter your password" })
  .max(1000, { error: "This password is too long" });

/** A two-step sign-in code, from the app or a recovery code. */
export const codeField = z
  .string({ error: "Enter the code" })
  .transform((text) => text.trim())
  .refine((text) => text !== "", { error: "Enter the code" })
  .refine((text) => text.length <= 100, { error: "Enter the code" });

/** The row that a posted form is about. */
export const idField = z.string().refine(isId, { error: "Not found" });

/** The string schema of a field, inside the schemas that parse and normalise it. */
function stringOf(schema: unknown): z.ZodString | undefined {
  if (schema instanceof z.ZodString) return schema;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return stringOf(schema.unwrap());
  if (!(schema instanceof z.ZodPipe)) return undefined;
  return stringOf(schema.out instanceof z.ZodTransform ? schema.in : schema.out);
}

/**
 * The HTML attributes of a form's fields by name, from the schema that checks its post. `getZodConstraint` finds what
 * is required, but no longer the lengths, because zod stores them elsewhere since 4.6.
 */
export function fieldConstraints(fields: z.ZodObject) {
  const required = getZodConstraint(fields);
  const constraints = Object.entries(fields.shape).map(([name, schema]) => {
    const { minLength, maxLength } = stringOf(schema) ?? {};
    return [name, { ...required[name], minLength: minLength ?? undefined, maxLength: maxLength ?? undefined }] as const;
  });
  return Object.fromEntries(constraints);
}

/** An optional id in a list's address. Invalid values are ignored, so no address causes an error. */
export const addressId = z.string().refine(isId).optional().catch(undefined);

/** An optional calendar day in such an address, `2026-02-28`. */
export const addressDay = z.iso.date().optional().catch(undefined);
