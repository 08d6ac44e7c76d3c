import * as z from "zod";
import { isEmail, normalizeEmail } from "~/kernel/email";
import { cleanLine, isStorable } from "~/kernel/text";
import { INVALID_EMAIL } from "./messages";

/** Fields that several forms and calls of this room share. */

const WEB_ADDRESS = /:\/\/|www\./i;
const MAX_NAME_LENGTH = 100;

/** An address, normalised. */
export const emailField = z
  .string({ error: INVALID_EMAIL })
  .transform(normalizeEmail)
  .refine(isEmail, { error: INVALID_EMAIL });

/**
 * A name that mails and pages will show, cleaned. Web addresses are refused: a mail that we send to somebody's address
 * must not carry a stranger's link in the place of a name.
 */
export function nameField(min: number, shortMessage: string, maxLength = MAX_NAME_LENGTH) {
  return z
    .string({ error: shortMessage })
    .transform(cleanLine)
    .refine((name) => [...name].length >= min, { error: shortMessage })
    .refine((name) => name.length <= maxLength, { error: `Please use at most ${maxLength} characters` })
    .refine(isStorable, { error: "Please use letters that can be stored" })
    .refine((name) => !WEB_ADDRESS.test(name), { error: "A name cannot contain a web address" });
}

/** An id that may be left out; empty and null are left out too. Whether it is anybody's is for the command to find. */
export const optionalId = z
  .string()
  .max(100)
  .nullish()
  .transform((id) => id || undefined);
