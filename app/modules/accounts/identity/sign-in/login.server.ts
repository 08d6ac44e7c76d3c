import * as z from "zod";
import { emailField, optionalId } from "~/kernel/fields.schema.server";
import { INVALID_EMAIL, SHORT_PASSWORD } from "~/kernel/messages";
import { MIN_PASSWORD_LENGTH, passwordLength } from "~/kernel/password-rules";
import type { Credentials } from "./sign-in";

const passwordField = z
  .string({ error: SHORT_PASSWORD })
  .refine((password) => passwordLength(password) >= MIN_PASSWORD_LENGTH, { error: SHORT_PASSWORD });

/** The sign-in form. */
export const loginFormSchema = z.object({
  email: emailField,
  password: passwordField,
  organisationId: optionalId,
  next: z.string().optional(),
});

/** POST /api/login: an email or a username, and both spellings of the organisation. */
export const loginCallSchema: z.ZodType<Credentials> = z
  .object({
    email: emailField.optional(),
    username: z
      .string({ error: "Enter the username as text" })
      .max(254, { error: "This username is too long" })
      .optional(),
    password: passwordField,
    organisationId: optionalId,
    organizationId: optionalId,
    totp: z.string({ error: "Enter the code as text" }).max(100, { error: "This code is too long" }).nullish(),
  })
  .refine(({ email, username }) => Boolean(email ?? username), { path: ["email"], error: INVALID_EMAIL })
  .transform(({ email, username, password, organisationId, organizationId, totp }) => ({
    login: email ?? username ?? "",
    password,
    organizationId: organisationId ?? organizationId,
    totp: totp || undefined,
  }));
