import * as z from "zod";
import { CHECK_OUTCOMES, VERIFICATION_METHODS, VERIFICATION_STATUSES } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import type { VerificationFilter } from "./verification-list";

const id = z.string().refine(isId).optional().catch(undefined);
const day = z.iso.date().optional().catch(undefined);

const schema = z.object({
  status: z.enum(VERIFICATION_STATUSES).optional().catch(undefined),
  outcome: z
    .enum([...CHECK_OUTCOMES, "none"])
    .optional()
    .catch(undefined),
  method: z.enum(VERIFICATION_METHODS).optional().catch(undefined),
  person: id,
  from: day,
  to: day,
  after: id,
});

/** The list's address as a filter; what it does not understand it leaves out, so an old link still leads somewhere. */
export function readVerificationFilter(params: URLSearchParams): { filter: VerificationFilter; after?: string } {
  const cursor = params.get("cursor");
  const { after, ...filter } = schema.parse({ ...Object.fromEntries(params), ...(cursor ? { after: cursor } : {}) });
  return { filter, after };
}
