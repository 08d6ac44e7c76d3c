import type { OrganizationRole, UserRole, UserStatus } from "~/kernel/enums";
import type { ErrorCode } from "./app-error";

/** Who may do what, for both pages and API calls. Pure. */

/**
 * What a page or call requires of the person, each more than the one before it except the last two.
 *
 * - `look`: view an organisation's data (people without an organisation see empty lists)
 * - `change`: change that data
 * - `administer`: members, domains, policies, integrations
 * - `people`: the list of people, one's own organisation's or, for super admins, everyone's
 * - `platform`: the list of organisations
 */
export type Need = "look" | "change" | "administer" | "people" | "platform";

export type Standing = {
  status: UserStatus;
  role: UserRole;
  organizationId: string | null;
  /** The role in the current organisation; a super admin may have one in addition to their own. */
  organizationRole: OrganizationRole | null;
  isSuspended: boolean;
  /** The organisation requires two-step sign-in, and the person has not turned it on. */
  needsTwoStep: boolean;
  /** The organisation already requires passkeys, and the person did not sign in with one. */
  needsPasskey?: boolean | undefined;
};

export type Refusal = { code: ErrorCode; message: string };

/** The refusals that follow from an account's status alone. */
export const REFUSALS: Readonly<Partial<Record<UserStatus, Refusal>>> = {
  pending: { code: "ACCOUNT_PENDING", message: "Your account is waiting for approval by your organisation." },
  rejected: { code: "ACCOUNT_REJECTED", message: "Your organisation did not approve your account." },
  inactive: { code: "ACCOUNT_INACTIVE", message: "Your account is no longer active." },
};

const SUSPENDED: Refusal = {
  code: "ORGANIZATION_SUSPENDED",
  message: "Your organisation is suspended: no one can view or change anything until PayeeProof ends the suspension.",
};
const NO_ORGANIZATION: Refusal = {
  code: "ORGANIZATION_REQUIRED",
  message: "Join or create an organisation first.",
};
const READ_ONLY: Refusal = {
  code: "READ_ONLY",
  message: "You can view everything here, but your role does not let you change it.",
};
const ADMIN_ONLY: Refusal = {
  code: "ADMIN_REQUIRED",
  message: "Only an administrator of your organisation can do this.",
};
const TWO_STEP: Refusal = {
  code: "TWO_STEP_REQUIRED",
  message: "Your organisation requires two-step sign-in before you change anything. Turn it on in your profile.",
};
const PASSKEY: Refusal = {
  code: "PASSKEY_REQUIRED",
  message:
    "Your organisation requires passkeys. Add one in your profile and sign in with it before you change anything. A new one is accepted a day after it was added.",
};
const SUPER_ADMIN_ONLY: Refusal = { code: "SUPER_ADMIN_REQUIRED", message: "Only PayeeProof's own staff can do this." };

/** Why a person may not do this; undefined when they may. */
export function refusalOf(person: Standing, need: Need): Refusal | undefined {
  const closed = REFUSALS[person.status];
  if (closed) return closed;
  if (person.role === "super_admin" && (need === "people" || need === "platform")) return undefined;
  if (need === "platform") return SUPER_ADMIN_ONLY;
  if (person.isSuspended) return SUSPENDED;
  if (need === "look") return undefined;
  if (person.organizationId === null) return NO_ORGANIZATION;
  // In an organisation, a super admin may do only what the role given by its admin allows.
  const role = person.role === "super_admin" ? person.organizationRole : person.role;
  const allowed = need === "change" ? ["admin", "member"] : ["admin"];
  if (!role || !allowed.includes(role)) return need === "change" ? READ_ONLY : ADMIN_ONLY;
  if (person.needsTwoStep) return TWO_STEP;
  return person.needsPasskey ? PASSKEY : undefined;
}

/** Roles whose menu has the list of people, and that may open its page (specification, section 6). */
export const PEOPLE_ROLES: readonly UserRole[] = ["admin", "super_admin"];

/** The same for the list of organisations. */
export const PLATFORM_ROLES: readonly UserRole[] = ["super_admin"];
