import { parseWithZod } from "@conform-to/zod/v4";
import * as z from "zod";
import { hasElevenDigits, parseAbn } from "~/kernel/abn";
import { invalidInput } from "~/kernel/app-error";
import { emailField, nameField, optionalId } from "./fields.schema.server";
import { brokenPasswordRules } from "./password-rules";
import type { Registration } from "./registration";

const MAX_ORGANIZATION_NAME_LENGTH = 120;
const MISMATCH = "Passwords do not match";
const SHORT_ABN = "ABN must be at least 11 characters";

const passwordField = z
  .string({ error: "Password must be at least 8 characters long" })
  .superRefine((password, ctx) => {
    for (const message of brokenPasswordRules(password)) ctx.addIssue({ code: "custom", message });
  });

const lastNameField = nameField(0, "Please enter a name")
  .nullish()
  .transform((name) => name ?? "");

const abnField = z
  .string({ error: SHORT_ABN })
  .nullish()
  .transform((text) => text?.trim() || undefined)
  .refine((text) => text === undefined || hasElevenDigits(text), { error: SHORT_ABN })
  .refine((text) => text === undefined || !hasElevenDigits(text) || parseAbn(text) !== undefined, {
    error: "This ABN is not valid. Please check each digit",
  })
  .transform((text) => (text === undefined ? undefined : parseAbn(text)));

const newOrganizationField = z.object({
  name: nameField(2, "Organisation name must be at least 2 characters", MAX_ORGANIZATION_NAME_LENGTH),
  abn: abnField,
});

const personFields = {
  email: emailField,
  firstName: nameField(2, "First name must be at least 2 characters"),
  lastName: lastNameField,
  password: passwordField,
};

/** POST /api/register, in both spellings. */
export const registrationCallSchema: z.ZodType<Registration> = z
  .object({
    ...personFields,
    organisationId: optionalId,
    organizationId: optionalId,
    newOrganisation: newOrganizationField.nullish(),
    newOrganization: newOrganizationField.nullish(),
  })
  .transform(({ organisationId, organizationId, newOrganisation, newOrganization, ...person }) => ({
    ...person,
    organizationId: organisationId ?? organizationId,
    newOrganization: newOrganisation ?? newOrganization ?? undefined,
  }))
  .refine(({ organizationId, newOrganization }) => !(organizationId && newOrganization), {
    path: ["organisationId"],
    error: "Join an organisation or create one, not both",
  });

/**
 * The registration form: what the call takes, and what only a form asks. `createOrganisation` tells which of the two ways
 * was chosen where the page offered both; without it, whatever was filled in is meant. Made for one posted form, so that
 * every field's sentence is shown at once.
 */
export function registrationFormSchema(form: FormData) {
  const joins = form.get("createOrganisation") !== "true" && Boolean(form.get("organisationId"));
  return z.object({
    ...personFields,
    confirmPassword: z
      .string({ error: MISMATCH })
      .refine((confirmation) => confirmation === form.get("password"), { error: MISMATCH }),
    organisationId: joins ? z.string().max(100) : z.undefined().catch(undefined),
    newOrganisation: joins
      ? z.undefined().catch(undefined)
      : z.preprocess((fields) => fields ?? {}, newOrganizationField),
    acceptTerms: z.enum(["on", "true"], { error: "You must accept the Terms and Conditions to register" }),
    submissionId: z.uuid().optional(),
  });
}

/** What a posted registration form asks for. @throws AppError 400 with the sentences beside their fields */
export function parseRegistrationForm(form: FormData): Registration & { submissionId?: string } {
  const submission = parseWithZod(form, { schema: registrationFormSchema(form) });
  if (submission.status !== "success") {
    const errors = Object.entries(submission.error ?? {}).filter((entry): entry is [string, string[]] => !!entry[1]);
    throw invalidInput(Object.fromEntries(errors));
  }
  const { email, firstName, lastName, password, organisationId, newOrganisation, submissionId } = submission.value;
  return {
    email,
    firstName,
    lastName,
    password,
    submissionId,
    organizationId: organisationId,
    newOrganization: newOrganisation,
  };
}
