import * as z from "zod";
import { isId } from "~/kernel/ids";
import { readEndpointUrl } from "./endpoint-address";
import { WEBHOOK_EVENT_NAMES } from "./webhook-event";

const NO_URL = "Enter the address";
const NO_EVENT = "Choose at least one event";

const url = z.string({ error: NO_URL }).transform((text, context) => {
  const read = readEndpointUrl(text);
  if ("url" in read) return read.url;
  context.addIssue({ code: "custom", message: text.trim() === "" ? NO_URL : read.problem });
  return z.NEVER;
});

const events = z
  .array(z.enum(WEBHOOK_EVENT_NAMES, { error: NO_EVENT }), { error: NO_EVENT })
  .min(1, { error: NO_EVENT })
  .max(WEBHOOK_EVENT_NAMES.length, { error: NO_EVENT })
  .transform((names) => [...new Set(names)]);

export const newEndpointSchema = z.object({ url, events });
export const endpointEventsSchema = z.object({ events });

/** What a call changes of an endpoint: what it is told of, and whether it is told at all. */
export const endpointChangeSchema = z
  .object({ events: events.optional(), active: z.boolean("Send true or false").optional() })
  .refine((change) => change.events !== undefined || change.active !== undefined, {
    error: "Send events, active, or both",
    path: ["events"],
  });

const deliveriesSchema = z.object({
  cursor: z.string().refine(isId, "Send the nextCursor of the answer before, or leave it out").optional(),
});

/** `?cursor=` of the API. @throws ZodError for one that is none of ours */
export const readDeliveriesQuery = (params: URLSearchParams): string | undefined =>
  deliveriesSchema.parse(Object.fromEntries(params)).cursor;

/** `?after=` of the log; anything that is no id is the beginning. */
export const readLogCursor = (params: URLSearchParams): string | undefined => {
  const after = params.get("after") ?? "";
  return isId(after) ? after : undefined;
};
