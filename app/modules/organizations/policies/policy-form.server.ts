import { parseWithZod } from "@conform-to/zod/v4";
import { type FieldErrors, invalidInput } from "~/kernel/app-error";
import { sayPlainly } from "~/kernel/plain-issues";
import type { Policy } from "./policy";
import { policyFormSchema } from "./policy.schema.server";

/** What the form of policies asks for. @throws AppError 400 with the sentences beside their fields */
export function parsePolicyForm(form: FormData): { version: number; policy: Policy } {
  const submission = parseWithZod(form, { schema: policyFormSchema, error: sayPlainly });
  if (submission.status === "success") return submission.value;
  const errors: FieldErrors = {};
  for (const [field, messages] of Object.entries(submission.error ?? {})) if (messages) errors[field] = messages;
  throw invalidInput(errors);
}
