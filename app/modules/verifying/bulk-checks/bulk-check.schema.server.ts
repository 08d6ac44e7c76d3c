import * as z from "zod";
import { cleanLine } from "~/kernel/text";
import { chosenPayees } from "~/modules/payees/payee.schema.server";
import { BULK_FILTERS, type BulkChoice, PAID_CHOICES, VERIFIED_CHOICES } from "./bulk-check";

const MAX_QUERY = 200;

/** Which payees, from an address or a form. What it does not understand it leaves out: a link never fails. */
const choiceSchema = z.object({
  q: z
    .string()
    .transform((text) => cleanLine(text.slice(0, MAX_QUERY)) || undefined)
    .optional()
    .catch(undefined),
  status: z.enum(BULK_FILTERS).default("all").catch("all"),
  verified: z.enum(VERIFIED_CHOICES).default("never").catch("never"),
  paid: z.enum(PAID_CHOICES).default("any").catch("any"),
});

export function readChoice(values: URLSearchParams | FormData): BulkChoice {
  const { status: filter, ...choice } = choiceSchema.parse(Object.fromEntries(values));
  return { ...choice, filter };
}

const NO_CHOICE = "Choose one of the values that the documentation lists";

/** Which payees, from a program: what it does not understand is refused, because a wrong choice asks the wrong payees. */
export const newBulkCheckSchema = z
  .strictObject({
    q: z
      .string("Words are text")
      .max(MAX_QUERY, `Words have at most ${MAX_QUERY} characters`)
      .transform(cleanLine)
      .optional()
      .meta({ description: "Any part of a name, a BSB or an account number, as in the list of payees." }),
    status: z.enum(BULK_FILTERS, NO_CHOICE).default("all"),
    verified: z.enum(VERIFIED_CHOICES, NO_CHOICE).default("any").meta({
      description: "`never`: not for the details they have. `stale`: longer ago than the policy allows.",
    }),
    paid: z.enum(PAID_CHOICES, NO_CHOICE).default("any").meta({ description: "`year`: within the last 365 days." }),
    payeeIds: chosenPayees.optional().meta({ description: "These payees and no others. The rest is left out then." }),
  })
  .transform(({ status: filter, q, payeeIds, ...choice }, context): BulkChoice => {
    if (!payeeIds) return { ...choice, filter, ...(q ? { q } : {}) };
    if (q || filter !== "all" || choice.verified !== "any" || choice.paid !== "any") {
      context.addIssue({ code: "custom", path: ["payeeIds"], message: "Send either payeeIds or a choice, not both" });
    }
    return choiceOf(payeeIds);
  });

/** Payees that were chosen one by one. */
export const choiceOf = (payeeIds: readonly string[]): BulkChoice => ({
  ...{ filter: "all", verified: "any", paid: "any" },
  payeeIds: [...new Set(payeeIds)],
});

const afterSchema = z.coerce
  .number("A position is a whole number")
  .int("A position is a whole number")
  .positive("A position is a whole number")
  .optional()
  .catch(undefined);

/** `after=POSITION` of the list of asked payees; `cursor=POSITION` in calls. */
export const readPosition = (params: URLSearchParams): number | undefined =>
  afterSchema.parse(params.get("after") ?? params.get("cursor") ?? undefined);
