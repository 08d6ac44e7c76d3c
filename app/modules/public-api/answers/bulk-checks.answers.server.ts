import * as z from "zod";
import { BULK_CHECK_STATUSES, CHECK_OUTCOMES, VERIFICATION_STATUSES } from "~/kernel/enums";
import { BULK_FILTERS, PAID_CHOICES, VERIFIED_CHOICES } from "~/modules/verifying/bulk-checks/bulk-check";
import type { toAskedJson, toBulkCheckJson, toNotAskedJson } from "~/modules/verifying/bulk-checks/bulk-check.json";
import { EXAMPLE } from "../example-ids";
import { count, describes, flag, grade, id, instant, text } from "./fields.server";

/** Answers about bank checks of many payees. */

export const bulkCheck = describes<ReturnType<typeof toBulkCheckJson>>()(
  z.object({
    id: id(EXAMPLE.bulkCheck),
    status: z.enum(BULK_CHECK_STATUSES),
    choice: z.object({
      q: text("joinery").nullable(),
      status: z.enum(BULK_FILTERS),
      verified: z.enum(VERIFIED_CHOICES),
      paid: z.enum(PAID_CHOICES),
      payeeIds: z.array(id(EXAMPLE.payee)).nullable(),
    }),
    payeeCount: count(120, "Payees to ask, as they were counted."),
    noContactCount: count(3, "Chosen, without an email address and a mobile number."),
    underWayCount: count(5, "Chosen, and asked already or waiting for a decision."),
    askedCount: count(40),
    centsPerCheck: count(55, "What the bank data provider charges for a payee whose bank was asked, in cents."),
    costCents: count(6_600, "If every payee answers, in cents."),
    expectedMinutes: count(
      2,
      "How long asking those that are left takes; null while counting and at the end.",
    ).nullable(),
    waitsUntil: instant.nullable().meta({ description: "The day's messages are used up: it goes on then." }),
    problem: text("Your organisation's trial or subscription has ended.").nullable(),
    createdAt: instant,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
  }),
);

export const askedPayee = describes<ReturnType<typeof toAskedJson>>()(
  z.object({
    position: count(1, "From 1, in the order in which they were asked."),
    payeeId: id(EXAMPLE.payee),
    name: text("Wattle Creek Electrical"),
    verificationId: id(EXAMPLE.verification),
    status: z.enum(VERIFICATION_STATUSES),
    outcome: z.enum(CHECK_OUTCOMES).nullable(),
    reasonCode: text("account_closed").nullable(),
    grade,
    confirmedByPayee: flag(false, "The payee said that these are its details."),
    linkSentAt: instant.nullable(),
  }),
);

export const notAskedPayee = describes<ReturnType<typeof toNotAskedJson>>()(
  z.object({
    payeeId: id(EXAMPLE.payee),
    name: text("Wattle Creek Electrical"),
    why: z.enum(["can_be_asked", "no_contact", "under_way", "archived"]),
  }),
);
