import type { OrganizationByDomain } from "~/modules/organizations/organization";

/** What the sign-in page knows before anything was posted. */
export type AuthView = {
  tab: "login" | "register";
  /** Prefilled from the address. */
  email: string;
  /** The email domain that was looked up; null for none. */
  domain: string | null;
  organizations: OrganizationByDomain[];
  /** A name for a new organisation; empty for none. */
  suggestedName: string;
  /** Where to go afterwards. */
  next: string | null;
  submissionId: string;
};

/** What it answers to a post that did not succeed. */
export type AuthAnswer = {
  tab: AuthView["tab"];
  title: string;
  errors: Record<string, string[]>;
  formErrors: string[];
  accountExists: boolean;
  /** What was typed, without the passwords. */
  values: Record<string, string>;
  organizations: OrganizationByDomain[];
  suggestedName: string;
};

/** The address of a tab, with what is already known carried along. */
export function authHref(tab: AuthView["tab"], known: { email?: string; next?: string | null }): string {
  const query = new URLSearchParams({ tab });
  if (known.email) query.set("email", known.email);
  if (known.next) query.set("next", known.next);
  return `/auth?${query}`;
}
