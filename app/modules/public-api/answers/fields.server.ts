import * as z from "zod";
import { GRADE_NAMES } from "~/modules/payees/verifications/grade";
import { EXAMPLE_INSTANT, EXAMPLE_SHA256 } from "../example-ids";

/** Fields that many answers share, each with an example. */

/**
 * The schema of an answer, held against the type that the code answers: a field that one of them lacks does not compile.
 *
 * @example const call = describes<ReturnType<typeof toCallJson>>()(z.object({ ... }));
 */
export const describes =
  <T>() =>
  <S extends z.ZodType>(
    schema: S & ([T] extends [z.output<S>] ? ([z.output<S>] extends [T] ? unknown : never) : never),
  ): S =>
    schema;

export const id = (example: string) => z.string().meta({ format: "uuid", examples: [example] });
export const text = (example: string, description?: string) => z.string().meta({ description, examples: [example] });
export const count = (example = 0, description?: string) => z.int().meta({ description, examples: [example] });
export const flag = (example: boolean, description?: string) => z.boolean().meta({ description, examples: [example] });

/** ISO 8601 in UTC. */
export const instant = z.string().meta({ format: "date-time", examples: [EXAMPLE_INSTANT] });

export const cents = count(125_000, "Integer cents of Australian dollars.");

export const sha256 = text(EXAMPLE_SHA256, "64 hexadecimal digits.");

export const bsb = text("062000", "Six digits.");
export const accountNumber = text("12345678", "4 to 9 digits, leading zeros kept.");
export const maskedAccountNumber = text("•••••678", "Masked: only the last digits are shown.");
export const accountName = text("Wattle Creek Electrical Pty Ltd");

/** Facts whose members depend on what happened. */
export const facts = z.record(z.string(), z.unknown());

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "Send it as `cursor` to read on; null at the end.", examples: [null] });

/** Null stands for what is not verified. */
export const grade = z
  .object({
    name: z.enum(GRADE_NAMES).meta({
      description:
        "`bank_consent`, `bank_instant`: the payee's bank confirmed the name, with the payee's consent or at once by Confirmation of Payee. `call_back`: the payee confirmed the details in a call that counts as proof. `vouched`: other organisations vouch for the account. `person`: a person approved it without any of these; `rule`, `unknown`: likewise, by a rule or by nobody on record. Of a payee that is trusted otherwise than by an approved verification: `payments`, after successful payments; `by_hand`; `restored`, its former details and their trust were put back.",
    }),
    text: text("Approved by a person, no bank was asked", "As the pages say it."),
  })
  .nullable()
  .meta({ description: "How it was verified. Null: it is not." });

export const person = z.object({ name: text("Mira Okafor"), email: text("mira.okafor@harbourjoinery.example") });
