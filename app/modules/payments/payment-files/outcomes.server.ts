import * as z from "zod";
import { invalidInput } from "~/kernel/app-error";
import { sayPlainly } from "~/kernel/plain-issues";
import { cleanText } from "~/kernel/text";
import { decodeBytes } from "~/kernel/text-decoding";
import { noonOf } from "~/modules/payments/outcome";
import { readReturns } from "./aba/read-returns";
import { MAX_LINES } from "./payment-file";
import { unreadableFile } from "./payment-file.server";
import type { OutcomesInput } from "./record-outcomes.server";

const MAX_REASON_LENGTH = 500;
const MAX_LINE = 10_000_000;

const reason = z
  .string()
  .nullish()
  .transform((text) => (text ? cleanText(text) || null : null))
  .refine((text) => (text ?? "").length <= MAX_REASON_LENGTH, `Keep the reason to ${MAX_REASON_LENGTH} characters`);

const status = z.enum(["successful", "failed"], { error: "The outcome is successful or failed" });

/** The body of the call: an outcome for every payment, and the other one for the lines of `except`. */
export const outcomesSchema = z.object({
  status,
  except: z
    .array(z.number().int().min(1).max(MAX_LINE))
    .max(MAX_LINES)
    .default([])
    .meta({ description: "Lines of the uploaded file with the other outcome." }),
  reason,
  processedAt: z.iso
    .datetime({ offset: true, error: "The time is ISO 8601, such as 2026-11-20T05:31:00Z" })
    .nullish()
    .transform((value) => (value ? Date.parse(value) : null)),
});

const INVALID_LINES = "Enter line numbers, such as 3, 17-19";
const RANGE = /^(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?$/;

/** `3, 17-19` as the numbers it names; undefined for text that names none. */
export function parseLineList(text: string): number[] | undefined {
  const lines = new Set<number>();
  for (const part of text.split(/[,;\n]+/).filter((each) => each.trim() !== "")) {
    const found = RANGE.exec(part.trim());
    const from = Number(found?.[1]);
    const to = Number(found?.[2] ?? found?.[1]);
    if (!found || to < from || to - from > MAX_LINES) return undefined;
    for (let line = from; line <= to; line++) lines.add(line);
  }
  return [...lines];
}

const formSchema = z.object({
  except: z
    .string()
    .optional()
    .transform((text, context) => {
      const lines = parseLineList(text ?? "");
      if (lines) return lines;
      context.addIssue({ code: "custom", message: INVALID_LINES });
      return z.NEVER;
    }),
  reason,
  processedOn: z
    .string()
    .optional()
    .transform((text, context) => {
      if (!text?.trim()) return null;
      const noon = noonOf(text);
      if (noon !== undefined) return noon;
      context.addIssue({ code: "custom", message: "Enter the day on which the bank processed the payments" });
      return z.NEVER;
    }),
});

type Outcome = Pick<OutcomesInput, "outcome" | "processedAt">;

/** "All successful but these", as the page's form says it. @throws AppError 400 */
export function parseOutcomes(form: FormData): Outcome {
  const posted = formSchema.safeParse(Object.fromEntries(form), { error: sayPlainly });
  if (!posted.success) throw invalidInput(z.flattenError(posted.error).fieldErrors);
  const { except, reason: why, processedOn } = posted.data;
  return { outcome: { status: "successful", except, reason: why }, processedAt: processedOn };
}

/** The payments that a bank's return file names. @throws AppError 400 INVALID_FILE with the lines */
export function parseReturns(bytes: Uint8Array): Outcome {
  const reading = readReturns(decodeBytes(bytes));
  if (!reading.ok) throw unreadableFile(reading.problems);
  return { outcome: { returned: reading.returned }, processedAt: null };
}
