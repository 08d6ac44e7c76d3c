import * as z from "zod";
import {
  codeField,
  confirmationField,
  currentPasswordField,
  emailField,
  firstNameField,
  INSTITUTION_NAME,
  isPersonName,
  lastNameField,
  nameField,
  newPasswordField,
} from "~/kernel/fields.schema.server";
import { API_TOKEN_LIFETIMES, isApiScope } from "./api-tokens/api-token";

/** Forms and calls about a person's own account. */

export const forgotPasswordSchema = z.object({ email: emailField });

const token = z.string().min(1).max(200);

/** POST /api/reset-password. */
export const resetPasswordCallSchema = z.object({ token, password: newPasswordField });

const twice = (form: FormData) => ({
  password: newPasswordField,
  confirmPassword: confirmationField(form.get("password")),
});

/** A new password, typed twice. */
export const newPasswordFormSchema = (form: FormData) => z.object(twice(form));

/** The password of the account that a link is about. */
export const accountPasswordSchema = z.object({ password: currentPasswordField });

export const changePasswordFormSchema = (form: FormData) =>
  z.object({ currentPassword: currentPasswordField, ...twice(form) });

export const namesSchema = z
  .object({ firstName: firstNameField, lastName: lastNameField })
  .refine(isPersonName, { path: ["firstName"], error: INSTITUTION_NAME });

export const emailChangeSchema = z.object({ email: emailField, currentPassword: currentPasswordField });

export const passwordProofSchema = z.object({ currentPassword: currentPasswordField });

export const codeProofSchema = z.object({ currentPassword: currentPasswordField, code: codeField });

export const codeSchema = z.object({ code: codeField });

const NO_SCOPE = "Choose at least one";

export const apiTokenSchema = z.object({
  name: nameField(2, "Give the token a name of at least 2 characters", 60),
  scopes: z
    .array(z.string().refine(isApiScope, { error: NO_SCOPE }), { error: NO_SCOPE })
    .min(1, { error: NO_SCOPE })
    .max(20, { error: NO_SCOPE }),
  lifetimeDays: z.coerce
    .number({ error: "Choose how long" })
    .refine((days) => (API_TOKEN_LIFETIMES as readonly number[]).includes(days), { error: "Choose how long" }),
  currentPassword: currentPasswordField,
});
