import { sitePaths, withQuery } from "~/kernel/paths/site";
import type { OrganizationByDomain } from "~/modules/accounts/organizations/organization";

export type AuthTab = "login" | "register";

/** What an email address leads to: the organisations of its domain, and a name for a new one. */
export type AddressLookup = {
  organizations: OrganizationByDomain[];
  /** Empty for none. */
  suggestedName: string;
  /** The organisation asks people with this address to sign in with their company. */
  asksForProvider?: string;
};

/** What the sign-in page knows before anything was posted. */
export type AuthView = AddressLookup & {
  tab: AuthTab;
  /** Prefilled from the address. */
  email: string;
  /** The email domain that was looked up; null for none. */
  domain: string | null;
  /** Where to go afterwards. */
  next: string | null;
  /** Browsers use passkeys at this address. */
  takesPasskeys: boolean;
  submissionId: string;
};

/** The address of a tab, with what is already known carried along. */
export function authHref(tab: AuthTab, known: { email?: string; next?: string | null }): string {
  return withQuery(sitePaths.signIn, { tab, email: known.email, next: known.next });
}
