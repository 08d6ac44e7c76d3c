import * as z from "zod";
import { ORGANIZATION_ROLES } from "~/kernel/enums";
import {
  emailField,
  firstNameField,
  INSTITUTION_NAME,
  isPersonName,
  lastNameField,
  newPasswordField,
} from "~/kernel/fields.schema.server";
import { isId } from "~/kernel/ids";
import { MEMBER_ACTS, type MemberChange } from "~/modules/accounts/members/members";

const id = z.string().refine(isId, { error: "Not found" });
const role = z.enum(ORGANIZATION_ROLES, { error: "Choose a role" });

/** What a list of people posts about one of them. */
export const memberPostSchema: z.ZodType<{ userId: string; change: MemberChange }> = z
  .discriminatedUnion("intent", [
    z.object({ intent: z.enum(MEMBER_ACTS), userId: id }),
    z.object({ intent: z.literal("change_role"), userId: id, role }),
  ])
  .transform((post) => ({
    userId: post.userId,
    change: post.intent === "change_role" ? { act: post.intent, role: post.role } : { act: post.intent },
  }));

export const invitationSchema = z.object({ email: emailField, role });

/** What the list of invitations posts about one of them. */
export const invitationPostSchema = z.object({ intent: z.enum(["resend", "revoke"]), invitationId: id });

/** A new person who accepts an invitation. Made for one posted form, so that every sentence is shown at once. */
export function newcomerSchema(form: FormData) {
  const mismatch = "Passwords do not match";
  const fields = z.object({
    firstName: firstNameField,
    lastName: lastNameField,
    password: newPasswordField,
    confirmPassword: z.string({ error: mismatch }).refine((text) => text === form.get("password"), { error: mismatch }),
    acceptTerms: z.enum(["on", "true"], { error: "You must accept the Terms and Conditions to register" }),
  });
  return fields.refine(isPersonName, { path: ["firstName"], error: INSTITUTION_NAME });
}

/** What the list of organisations posts about one of them. */
export const suspensionPostSchema = z.object({ intent: z.enum(["suspend", "resume"]), organizationId: id });

/** What the page of domains posts. */
export const domainPostSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("claim") }),
  z.object({ intent: z.enum(["make_primary", "remove", "trust", "distrust"]), id }),
]);
