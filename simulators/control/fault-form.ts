import * as z from "zod";
import { FAULT_KINDS, type Fault } from "./faults";

const emptyAsMissing = (value: unknown) => (value === "" ? undefined : value);

const faultSchema = z.object({
  party: z.string(),
  fault: z.preprocess((value) => String(value), z.enum(FAULT_KINDS)),
  times: z.preprocess(emptyAsMissing, z.coerce.number().int().min(1).max(1000).default(1)),
  path: z.preprocess(emptyAsMissing, z.string().optional()),
  body: z.preprocess(emptyAsMissing, z.string().optional()),
  retryAfter: z.preprocess(emptyAsMissing, z.coerce.number().int().min(0).optional()),
});

/** Reads a fault from JSON or from the form on the page. */
export function parseFault(
  contentType: string | null,
  body: string,
  parties: readonly string[],
): { fault: Fault } | { problem: string } {
  const parsed = faultSchema.safeParse(toObject(contentType, body));
  if (!parsed.success) {
    return { problem: `Give {party, fault, times, path?, body?, retryAfter?}. Faults: ${FAULT_KINDS.join(", ")}.` };
  }
  if (!parties.includes(parsed.data.party)) return { problem: `Unknown party. Parties: ${parties.join(", ")}.` };
  return { fault: parsed.data };
}

function toObject(contentType: string | null, body: string): unknown {
  if (!contentType?.includes("json")) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
