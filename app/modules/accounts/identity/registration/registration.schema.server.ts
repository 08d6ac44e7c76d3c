import { parseWithZod } from "@conform-to/zod/v4";
import * as z from "zod";
import { invalidInput } from "~/kernel/app-error";
import {
  abnField,
  confirmationField,
  emailField,
  firstNameField,
  INSTITUTION_NAME,
  isPersonName,
  lastNameField,
  newPasswordField,
  optionalId,
  organizationNameField,
} from "~/kernel/fields.schema.server";
import { sayPlainly } from "~/kernel/plain-issues";
import type { Registration } from "./registration";

/** A new organisation: part of a registration, and a form of its own for people who belong to none. */
export const newOrganizationField = z.object({
  name: organizationNameField,
  abn: abnField,
});

const NOT_A_PERSON = { path: ["firstName"], error: INSTITUTION_NAME };

const NOT_CHOSEN = "Choose an organisation";
const chosenId = z.string({ error: NOT_CHOSEN }).min(1, { error: NOT_CHOSEN }).max(100, { error: NOT_CHOSEN });

const personFields = {
  email: emailField,
  firstName: firstNameField,
  lastName: lastNameField,
  password: newPasswordField,
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
  .refine(isPersonName, NOT_A_PERSON)
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
  const choice = form.get("createOrganisation");
  const joins = choice === "false" || (choice !== "true" && Boolean(form.get("organisationId")));
  const fields = z.object({
    ...personFields,
    confirmPassword: confirmationField(form.get("password")),
    organisationId: joins ? chosenId : z.undefined().catch(undefined),
    newOrganisation: joins
      ? z.undefined().catch(undefined)
      : z.preprocess((fields) => fields ?? {}, newOrganizationField),
    acceptTerms: z.enum(["on", "true"], { error: "You must accept the Terms and Conditions to register" }),
    submissionId: z.uuid().optional(),
  });
  return fields.refine(isPersonName, NOT_A_PERSON);
}

/** What a posted registration form asks for. @throws AppError 400 with the sentences beside their fields */
export function parseRegistrationForm(form: FormData): Registration & { submissionId?: string } {
  const submission = parseWithZod(form, { schema: registrationFormSchema(form), error: sayPlainly });
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
