import * as z from "zod";
import type { FieldErrors } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import type { ReadServices } from "~/services";
import { stateOf } from "./certificate";
import { findGenuine } from "./certificate.server";
import type { RecordCheck } from "./check";

const HASH = /^[0-9a-f]{64}$/;

const typed = (what: RegExp | ((text: string) => boolean), message: string) =>
  z
    .string()
    .transform((text) => text.replace(/\s/g, "").toLowerCase())
    .refine((text) => (what instanceof RegExp ? what.test(text) : what(text)), message);

/** What a person types who wants to know whether a record is genuine. Blanks and capitals do not matter. */
const checkSchema = z.object({
  id: typed(isId, "Enter the record id as it stands on the certificate: 36 characters with four hyphens"),
  hash: typed(HASH, "Enter the hash as it stands on the certificate: 64 digits and letters from a to f"),
});

type Given = { id: string | null; hash: string | null };

/** Whether a record is genuine, for people who hold its id and hash. `status`: 400 for text that is neither, 404 for anything else. */
export async function checkRecord(
  services: ReadServices,
  given: Given,
): Promise<{ check: RecordCheck; status: 200 | 400 | 404 }> {
  const asked = { id: given.id ?? "", hash: given.hash ?? "" };
  if (given.hash === null) return { check: { state: "asking", ...asked, stated: null, errors: {} }, status: 200 };
  const read = checkSchema.safeParse(asked);
  if (!read.success) {
    const errors: FieldErrors = {};
    for (const { path, message } of read.error.issues) errors[path.join(".")] = [message];
    return { check: { state: "asking", ...asked, stated: null, errors }, status: 400 };
  }
  const facts = await findGenuine(services, read.data);
  const stated = facts ? stateOf(facts) : null;
  return {
    check: { state: facts ? "genuine" : "unknown", ...read.data, stated, errors: {} },
    status: facts ? 200 : 404,
  };
}
