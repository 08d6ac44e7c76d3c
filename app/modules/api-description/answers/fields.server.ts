import * as z from "zod";
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

export const person = z.object({ name: text("Mira Okafor"), email: text("mira.okafor@harbourjoinery.example") });
