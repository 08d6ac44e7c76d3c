import type { Condition } from "@db/precondition";
import { organizationUsers, twoSteps, users } from "@db/schema";
import { and, eq, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { normalizeEmail } from "~/kernel/email";
import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
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
import type { ReadServices } from "~/services";
import { API_TOKEN_LIFETIMES, isApiScope } from "./api-tokens/api-token";
import type { TwoStep } from "./two-step/two-step.server";

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

export type Account = {
  id: string;
  email: string;
  firstName: string;
  /** The stored hash. */
  password: string;
  status: UserStatus;
  role: UserRole;
  organizationId: string | null;
  /** Null while it is off. */
  twoStep: TwoStep | null;
};

/** The account behind an email address, or a username where there is no `@`. */
export async function findAccount(services: ReadServices, login: string): Promise<Account | undefined> {
  const name = normalizeEmail(login);
  return findWhere(services, eq(name.includes("@") ? users.email : users.username, name));
}

export async function findAccountById(services: ReadServices, userId: string): Promise<Account | undefined> {
  return findWhere(services, eq(users.id, userId));
}

async function findWhere({ db }: ReadServices, which: SQL): Promise<Account | undefined> {
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      password: users.password,
      status: users.status,
      role: users.role,
      organizationId: users.organizationId,
      sealedSecret: twoSteps.sealedSecret,
      lastStep: twoSteps.lastStep,
    })
    .from(users)
    .leftJoin(twoSteps, and(eq(twoSteps.userId, users.id), isNotNull(twoSteps.enabledAt)))
    .where(which);
  if (!row) return undefined;
  const { sealedSecret, lastStep, ...account } = row;
  return { ...account, twoStep: sealedSecret === null ? null : { sealedSecret, lastStep } };
}

export type Membership = { role: OrganizationRole; status: UserStatus };

/** What a person is in an organisation; undefined when they do not belong to it, or not any more. */
export async function findMembership(
  services: ReadServices,
  organizationId: string,
  userId: string,
): Promise<Membership | undefined> {
  const [row] = await services.db
    .select({ role: organizationUsers.role, status: organizationUsers.status })
    .from(organizationUsers)
    .where(
      and(
        eq(organizationUsers.organizationId, organizationId),
        eq(organizationUsers.userId, userId),
        ne(organizationUsers.status, "inactive"),
      ),
    );
  return row;
}

/** The account still has the password that was compared, and is not inactive. */
export function accountIsUnchanged(
  { db }: ReadServices,
  account: Pick<Account, "id" | "password">,
): Condition<"account_changed"> {
  const found = db
    .select({ one: sql`1` })
    .from(users)
    .where(and(eq(users.id, account.id), eq(users.password, account.password), ne(users.status, "inactive")));
  return { name: "account_changed", found };
}
