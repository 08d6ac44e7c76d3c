import { sitePaths, withQuery } from "~/kernel/paths/site";
import type { OrganizationByDomain } from "~/modules/accounts/organizations/organization";

export type AuthTab = "login" | "register";

/** What is known for an email address: the organisations of its domain, and a suggested name for a new one. */
export type AddressLookup = {
  organizations: OrganizationByDomain[];
  /** Empty for none. */
  suggestedName: string;
  /** The organisation whose people at this domain have to use single sign-on. */
  asksForProvider?: string;
};

/** The data of the sign-in page before anything is posted. */
export type AuthView = AddressLookup & {
  tab: AuthTab;
  /** Prefilled from the address. */
  email: string;
  /** The email domain that was looked up; null: none. */
  domain: string | null;
  /** The page to go to afterwards. */
  next: string | null;
  takesPasskeys: boolean;
  /** Why the person has to log in; null: they came by themselves. */
  why: { title: string; text: string } | null;
  submissionId: string;
};

/** The address of a tab, keeping what is already known. */
export function authHref(tab: AuthTab, known: { email?: string; next?: string | null }): string {
  return withQuery(sitePaths.signIn, { tab, email: known.email, next: known.next });
}
