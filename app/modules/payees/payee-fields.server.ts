import * as z from "zod";
import { hasElevenDigits, parseAbn } from "~/kernel/abn";
import { parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { isEmail, normalizeEmail } from "~/kernel/email";
import { isId } from "~/kernel/ids";
import { MAX_ADDRESS_LENGTH, NAME_LENGTH, type PayeeDetails, REASON_LENGTH } from "~/kernel/payee";
import { parsePhone } from "~/kernel/phone";
import { cleanLine, cleanText, isStorable } from "~/kernel/text";
import { WAY_KINDS } from "~/kernel/ways-to-pay";

/** Schemas for what people and programs send about payees: each field has its error sentence and is normalised. */

/** Longer than any field; such input is refused without further checks. */
const MAX_INPUT = 2_000;
const ABN_DIGITS = 11;

const text = (missing: string) => z.string(missing).max(MAX_INPUT, "This is far too long");

const nameField = (label: string) => {
  const sentence = `The ${label} must have ${NAME_LENGTH.min} to ${NAME_LENGTH.max} characters`;
  return text(`Enter the ${label}`)
    .refine(isStorable, `The ${label} contains characters that cannot be stored`)
    .transform(cleanLine)
    .pipe(
      z
        .string()
        .min(NAME_LENGTH.min, { error: ({ input }) => (input ? sentence : `Enter the ${label}`) })
        .max(NAME_LENGTH.max, sentence),
    );
};

type Field = {
  missing: string;
  /** The longest typed input, including separators. */
  maxLength: number;
  /** Returns the stored form, or undefined for invalid input. */
  read: (input: string) => string | undefined;
  problem: (input: string) => string;
};

/** Zod checks the length of anything that has one, so `input` may not be a string at all. */
const typed = ({ missing, maxLength, problem }: Omit<Field, "read">) =>
  z.string(missing).max(maxLength, { error: ({ input }) => (typeof input === "string" ? problem(input) : missing) });

/** A required field with a kernel parser: the parsed value, or the error sentence. */
const needed = ({ read, ...field }: Field) =>
  typed(field).transform((input, context) => {
    const value = read(input);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: input.trim() === "" ? field.missing : field.problem(input) });
    return z.NEVER;
  });

/** An optional field: null or an empty string removes the value, absent keeps it. */
const optional = ({ read, ...field }: Omit<Field, "missing">) =>
  typed({ ...field, missing: "This must be text" })
    .nullish()
    .transform((input, context) => {
      if (input === undefined) return undefined;
      if (input === null || input.trim() === "") return null;
      const value = read(input);
      if (value !== undefined) return value;
      context.addIssue({ code: "custom", message: field.problem(input) });
      return z.NEVER;
    });

function abnProblem(input: string): string {
  const digits = input.replace(/\D/g, "").length;
  if (digits < ABN_DIGITS) return "ABN must be at least 11 characters";
  return hasElevenDigits(input)
    ? "This is not a valid ABN: its check digits do not match. Look for a mistyped digit."
    : "An ABN has exactly 11 digits";
}

function readEmail(input: string): string | undefined {
  const address = normalizeEmail(input);
  return isEmail(address) ? address : undefined;
}

const ADDRESS_PROBLEM = `The address has at most ${MAX_ADDRESS_LENGTH} characters, and no control characters`;

/** The payee's bank details, with the error sentences for the person who types them. */
export const bankDetailsFields = {
  accountName: nameField("account name"),
  bsb: needed({
    missing: "Enter the BSB",
    maxLength: 12,
    read: parseBsb,
    problem: () => "A BSB has 6 digits, such as 062-000",
  }).meta({ description: "Six digits, with or without a hyphen." }),
  accountNumber: needed({
    missing: "Enter the account number",
    maxLength: 20,
    read: parseAccountNumber,
    problem: () => "An account number has 4 to 9 digits, and they are not all zeros",
  }).meta({ description: "4 to 9 digits; blanks and hyphens are left out." }),
};

const required = { name: nameField("payee name"), ...bankDetailsFields };

const contact = {
  abn: optional({ maxLength: 20, read: parseAbn, problem: abnProblem }).meta({ description: "11 digits." }),
  email: optional({ maxLength: 254, read: readEmail, problem: () => "Please enter a valid email address" }),
  phone: optional({
    maxLength: 30,
    read: parsePhone,
    problem: () => "Enter a phone number that exists, such as 0412 345 678 or +64 21 123 4567",
  }),
  address: text("This must be text")
    .refine(isStorable, ADDRESS_PROBLEM)
    .transform(cleanText)
    .pipe(z.string().max(MAX_ADDRESS_LENGTH, ADDRESS_PROBLEM))
    .transform((address) => address || null)
    .nullish(),
};

/** The fields of a payee. The forms also carry these rules as HTML attributes. */
export const payeeFields = z.object({ ...required, ...contact });

/** A new payee, from the form and from `POST /api/payees`. */
export const newPayeeSchema = payeeFields.transform(
  ({ abn = null, email = null, phone = null, address = null, ...rest }): PayeeDetails => ({
    ...rest,
    abn,
    email,
    phone,
    address,
  }),
);

const NO_VERSION = "The version must be a whole number from 1";
const version = z.coerce
  .number(NO_VERSION)
  .int(NO_VERSION)
  .positive(NO_VERSION)
  .meta({ description: "The `version` you read: refused when another edit came first." });

/** An edit through the API: absent fields keep their value. `version` is the version it is based on. */
export const payeePatchSchema = payeeFields.partial().extend({ version: version.optional() });

/** The edit form also sends the version it is based on. */
export const versionSchema = z.object({ version });

const reason = text("Give a reason")
  .transform(cleanText)
  .refine((value) => value.length >= REASON_LENGTH.min, "Give a reason that another person will understand")
  .refine((value) => value.length <= REASON_LENGTH.max, `The reason is longer than ${REASON_LENGTH.max} characters`)
  .refine(isStorable, "The reason contains characters that cannot be stored");

/** Putting a payee on the whitelist manually, or taking it off. */
export const whitelistSchema = z.object({ reason, version: version.optional() });

const WHICH_WAY = "Say which way to pay";

export const wayToForgetSchema = z.object({
  kind: z.enum(WAY_KINDS, WHICH_WAY),
  value: text(WHICH_WAY).min(1, WHICH_WAY).max(300, WHICH_WAY),
});

export const payeePostSchema = z.discriminatedUnion(
  "intent",
  [
    z.object({ intent: z.literal("verify") }),
    z.object({ intent: z.literal("archive") }),
    z.object({ intent: z.literal("restore") }),
    whitelistSchema.extend({ intent: z.literal("whitelist") }),
    whitelistSchema.extend({ intent: z.literal("unwhitelist") }),
    wayToForgetSchema.extend({ intent: z.literal("forget-way") }),
  ],
  "Choose what to do with this payee",
);
export type PayeePost = z.infer<typeof payeePostSchema>;

export const MAX_CHOSEN = 100;
const CHOOSE = "Tick the payees first";

/** Ids of ticked payees, or those in an API call. */
export const chosenPayees = z.preprocess(
  (value) => (typeof value === "string" ? [value] : value),
  z
    .array(z.string(CHOOSE).refine(isId, CHOOSE), CHOOSE)
    .min(1, CHOOSE)
    .max(MAX_CHOSEN, `Choose at most ${MAX_CHOSEN} payees`),
);

export const listPostSchema = z.object({
  intent: z.enum(["archive", "restore", "check", "ask_banks"], "Choose what to do with the payees"),
  payeeId: chosenPayees,
});
