import { parseWithZod } from "@conform-to/zod/v4";
import { type FieldErrors, invalidInput } from "~/kernel/app-error";
import { sayPlainly } from "~/kernel/plain-issues";
import type { OrganizationDetails } from "./details";
import { detailsSchema } from "./details.server";
import { readLogo } from "./logo";

/** What the form of details asks for. @throws AppError 400 with the sentences beside their fields */
export async function parseDetailsForm(
  form: FormData,
): Promise<{ details: OrganizationDetails; logo?: string | null }> {
  const submission = parseWithZod(form, { schema: detailsSchema, error: sayPlainly });
  const { logo, problem } = await logoOf(form);
  const errors: FieldErrors = {};
  if (submission.status !== "success") {
    for (const [field, messages] of Object.entries(submission.error ?? {})) if (messages) errors[field] = messages;
  }
  if (problem) errors.logo = [problem];
  if (submission.status !== "success" || problem) throw invalidInput(errors);
  return { details: submission.value, logo };
}

/** A new picture; null when it is to go; neither when the field was left alone. */
async function logoOf(form: FormData): Promise<{ logo?: string | null; problem?: string }> {
  const file = form.get("logo");
  if (file instanceof File && file.size > 0) return readLogo(new Uint8Array(await file.arrayBuffer()));
  return form.get("removeLogo") === "on" ? { logo: null } : {};
}
