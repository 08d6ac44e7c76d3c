import type { FieldErrors } from "~/kernel/app-error";
import type { ReadServices } from "~/services";
import { stateOf } from "./certificate";
import { findGenuine } from "./certificate.server";
import type { RecordCheck } from "./check";
import { checkSchema } from "./check.server";

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
