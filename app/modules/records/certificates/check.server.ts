import * as z from "zod";
import { isId } from "~/kernel/ids";

const HASH = /^[0-9a-f]{64}$/;

const typed = (what: RegExp | ((text: string) => boolean), message: string) =>
  z
    .string()
    .transform((text) => text.replace(/\s/g, "").toLowerCase())
    .refine((text) => (what instanceof RegExp ? what.test(text) : what(text)), message);

/** What a person types who wants to know whether a record is genuine. Blanks and capitals do not matter. */
export const checkSchema = z.object({
  id: typed(isId, "Enter the record id as it stands on the certificate: 36 characters with four hyphens"),
  hash: typed(HASH, "Enter the hash as it stands on the certificate: 64 digits and letters from a to f"),
});
