import * as z from "zod";
import { hasElevenDigits, parseAbn } from "~/kernel/abn";
import { parseAccountNumber } from "~/kernel/account-number";
import { parseBsb } from "~/kernel/bsb";
import { isEmail, normalizeEmail } from "~/kernel/email";
import { parsePhone } from "~/kernel/phone";
import { cleanLine, cleanText, isStorable } from "~/kernel/text";
import { MAX_ADDRESS_LENGTH, NAME_LENGTH, type PayeeDetails, REASON_LENGTH } from "./payee";

/** What people and programs send about payees: each field with its sentence, normalised as `design` says. */

/** More than any field holds; longer input is refused before it is looked at. */
const MAX_INPUT = 2_000;
const ABN_DIGITS = 11;

const text = (missing: string) => z.string(missing).max(MAX_INPUT, "This is far too long");

const nameField = (label: string) =>
  text(`Enter the ${label}`)
    .refine(isStorable, `The ${label} contains characters that cannot be stored`)
    .transform(cleanLine)
    .refine((name) => name !== "", `Enter the ${label}`)
    .refine(
      (name) => name === "" || (name.length >= NAME_LENGTH.min && name.length <= NAME_LENGTH.max),
      `The ${label} must have ${NAME_LENGTH.min} to ${NAME_LENGTH.max} characters`,
    );

type Field = {
  missing: string;
  /** The stored form, or undefined when the input is none. */
  read: (input: string) => string | undefined;
  problem: (input: string) => string;
};

/** A field read by a kernel parser: its result, or the sentence. */
const needed = ({ missing, read, problem }: Field) =>
  text(missing).transform((input, context) => {
    const value = read(input);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: input.trim() === "" ? missing : problem(input) });
    return z.NEVER;
  });

/** The same for a field that may stay empty: null or an empty text takes the value away, absent leaves it alone. */
const optional = ({ read, problem }: Omit<Field, "missing">) =>
  text("This must be text")
    .nullish()
    .transform((input, context) => {
      if (input === undefined) return undefined;
      if (input === null || input.trim() === "") return null;
      const value = read(input);
      if (value !== undefined) return value;
      context.addIssue({ code: "custom", message: problem(input) });
      return z.NEVER;
    });

function abnProblem(input: string): string {
  const digits = input.replace(/\D/g, "").length;
  if (digits < ABN_DIGITS) return "ABN must be at least 11 characters";
  return hasElevenDigits(input)
    ? "This is not a valid ABN: its check digits do not fit. Look for a mistyped digit."
    : "An ABN has exactly 11 digits";
}

function readEmail(input: string): string | undefined {
  const address = normalizeEmail(input);
  return isEmail(address) ? address : undefined;
}

function readAddress(input: string): string | undefined {
  const address = cleanText(input);
  return isStorable(input) && address.length <= MAX_ADDRESS_LENGTH ? address : undefined;
}

const required = {
  name: nameField("payee name"),
  accountName: nameField("account name"),
  bsb: needed({ missing: "Enter the BSB", read: parseBsb, problem: () => "A BSB has 6 digits, such as 062-000" }),
  accountNumber: needed({
    missing: "Enter the account number",
    read: parseAccountNumber,
    problem: () => "An account number has 4 to 9 digits, and they are not all zeros",
  }),
};

const contact = {
  abn: optional({ read: parseAbn, problem: abnProblem }),
  email: optional({ read: readEmail, problem: () => "Please enter a valid email address" }),
  phone: optional({
    read: parsePhone,
    problem: () => "Enter a phone number that exists, such as 0412 345 678 or +64 21 123 4567",
  }),
  address: optional({
    read: readAddress,
    problem: () => `The address has at most ${MAX_ADDRESS_LENGTH} characters, and no control characters`,
  }),
};

/** A new payee, from the form and from `POST /api/payees`. */
export const newPayeeSchema = z.object({ ...required, ...contact }).transform(
  ({ abn = null, email = null, phone = null, address = null, ...rest }): PayeeDetails => ({
    ...rest,
    abn,
    email,
    phone,
    address,
  }),
);

const version = z.coerce.number("The version is a whole number").int().positive();

/** An edit through the API: absent fields stay as they are. `version` names what it was made from. */
export const payeePatchSchema = z
  .object({ ...required, ...contact })
  .partial()
  .extend({ version: version.optional() });

/** An edit from the form also says which version it was made from. */
export const versionSchema = z.object({ version });

const reason = text("Give a reason")
  .transform(cleanText)
  .refine((value) => value.length >= REASON_LENGTH.min, "Give a reason that another person will understand")
  .refine((value) => value.length <= REASON_LENGTH.max, `The reason is longer than ${REASON_LENGTH.max} characters`)
  .refine(isStorable, "The reason contains characters that cannot be stored");

/** Putting a payee on the whitelist by hand, or taking it off. */
export const whitelistSchema = z.object({ reason, version: version.optional() });

/** What the payee's page posts. */
export const payeePostSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("verify") }),
  whitelistSchema.extend({ intent: z.literal("whitelist") }),
  whitelistSchema.extend({ intent: z.literal("unwhitelist") }),
]);
export type PayeePost = z.infer<typeof payeePostSchema>;
