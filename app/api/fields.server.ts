import * as z from "zod";
import { displayName } from "~/kernel/actor";
import { toIso } from "~/kernel/dates";
import { NOTICE_DELAYS, NOTICE_FAILURES, NOTICE_SUBJECTS, NOTIFICATION_CHANNELS } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { GRADE_NAMES } from "~/modules/payees/verifications/grade";
import { EXAMPLE, EXAMPLE_INSTANT, EXAMPLE_SHA256 } from "./examples";

/** Fields and parameters that several calls share, each with an example. */

/** Schemas with a name in the document. */
export const NAMES = z.registry<{ id: string }>();

export const id = (example: string) => z.string().meta({ format: "uuid", examples: [example] });
export const text = (example: string, description?: string) => z.string().meta({ description, examples: [example] });
export const count = (example = 0, description?: string) => z.int().meta({ description, examples: [example] });
export const flag = (example: boolean, description?: string) => z.boolean().meta({ description, examples: [example] });

/** An instant that is already an ISO 8601 string. */
export const writtenInstant = z.string().meta({ format: "date-time", examples: [EXAMPLE_INSTANT] });

/** Milliseconds internally, ISO 8601 in UTC in the answer. */
export const instant = z.codec(writtenInstant, z.number(), { decode: (text) => Date.parse(text), encode: toIso });

export const cents = count(125_000, "Integer cents of Australian dollars.");

export const sha256 = text(EXAMPLE_SHA256, "64 hexadecimal digits.");

export const bsb = text("062000", "Six digits.");
export const accountNumber = text("12345678", "4 to 9 digits, leading zeros kept.");
export const maskedAccountNumber = text("•••••678", "Masked: only the last digits are shown.");
export const accountName = text("Wattle Creek Electrical Pty Ltd");

/** Details whose members vary by action. */
export const facts = z.record(z.string(), z.unknown());

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "Send it as `cursor` to read on; null at the end.", examples: [null] });

/** Null when it is not verified. */
export const grade = z
  .object({
    name: z.enum(GRADE_NAMES).meta({
      description:
        "`bank_consent`, `bank_instant`: the payee's bank confirmed the name, with the payee's consent or at once by Confirmation of Payee. `call_back`: the payee confirmed the details in a call that counts as proof. `vouched`: other organisations vouch for the account. `person`: a person approved it without any of these; `rule`, `unknown`: likewise, by a rule or by nobody on record. For a payee that is trusted without an approved verification: `payments`, after successful payments; `by_hand`; `restored`, its former details and their trust were put back.",
    }),
    text: text("Approved by a person, no bank was asked", "As the pages say it."),
  })
  .nullable()
  .meta({ description: "How it was verified. Null: it is not." });

export const person = z.object({ name: text("Mira Okafor"), email: text("mira.okafor@harbourjoinery.example") });

/** A person in a row, as the member `person`. */
export const named = (row: { firstName: string; lastName: string; email: string } | null) =>
  row && { name: displayName(row), email: row.email };

/** The `formerContact` of several answers. */
export const contactsTold = z
  .object({
    state: z.enum(["told", "not_told_yet", "not_told"]).meta({
      description:
        "The worst state of all contacts. `told`: the provider has accepted every message. `not_told_yet`: one waits or is tried again. `not_told`: one could not be sent, or there was nobody to tell.",
    }),
    message: text("The former contact was NOT told yet: the message is on its way."),
    contacts: z.array(
      z.object({
        channel: z.enum(NOTIFICATION_CHANNELS),
        address: text("accounts@wattlecreek.example", "An email address, or a number in E.164."),
        changed: z.enum(NOTICE_SUBJECTS).meta({ description: "What the contact is told of." }),
        state: z.enum(["told", "not_told_yet", "not_told"]),
        reason: z
          .object({
            code: z
              .enum([...NOTICE_DELAYS, ...NOTICE_FAILURES])
              .nullable()
              .meta({
                description:
                  "Null: on its way, or collected with later changes of the day. The first four can end: the notice is tried again for 30 days; the others are final.",
              }),
            message: text("the message is on its way"),
          })
          .nullable(),
        toldAt: writtenInstant.nullable().meta({ description: "When the provider accepted the message." }),
      }),
    ),
  })
  .meta({
    description:
      "Whether the payee's former contact was told of its last change. Null: neither bank details nor a contact were ever changed.",
  });

/** The id in a path. */
export const idOf = (noun: string, example: string) =>
  z
    .string()
    .refine(isId)
    .meta({ description: `The id of the ${noun}.`, format: "uuid", examples: [example] });

/** A text query parameter. */
export const word = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });

/** One of several words; any other value is ignored. */
export const choice = <const T extends readonly string[]>(description: string, values: T) =>
  z.enum(values).optional().catch(undefined).meta({ description });

export const cursor = word("The `nextCursor` of the previous answer. Leave it out to begin.", EXAMPLE.entry);

/** A whole number in the query. */
export const number = (description: string, schema: z.ZodType<number>, example: number) =>
  schema
    .optional()
    .catch(undefined)
    .meta({ description, examples: [example] });

export const limit = (description = "How many, up to 1,000.") =>
  number(description, z.coerce.number().int().min(1).max(1000), 50);

const day = (description: string) =>
  z
    .string()
    .optional()
    .meta({ description, format: "date", examples: ["2026-11-01"] });

/** Days in the organisation's time zone, both inclusive. */
export const days = {
  from: day("The first day, in the organisation's time zone."),
  to: day("The last day, in the organisation's time zone."),
};

export const fileName = word("The file's name, where the bytes are sent as they are.", "suppliers.aba");

/** An empty body. */
export const nothing = z.object({});

export const FILES = ["text/plain", "text/csv", "application/octet-stream", "multipart/form-data"] as const;
