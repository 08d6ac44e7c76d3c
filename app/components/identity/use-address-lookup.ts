import { useFetcher } from "@remix-run/react";
import type { FormAnswer } from "~/kernel/form-answer";
import { type AddressLookup, type AuthView, authHref } from "./auth-view";

const LOOKS_LIKE_EMAIL = /.@.+\../;

/**
 * What the address leads to: as typed where scripts run, else as posted, else as the page was opened with.
 * @returns what is known now, and what to call with an address that was typed
 */
export function useAddressLookup(view: AuthView, answer: FormAnswer | undefined) {
  const lookup = useFetcher<AuthView>();
  const posted = answer?.extra as AddressLookup | undefined;
  const { organizations, suggestedName } = lookup.data ?? (posted?.organizations ? posted : view);
  const lookUp = (email: string) => {
    const isNews = email !== (lookup.data?.email ?? answer?.values.email ?? view.email);
    if (LOOKS_LIKE_EMAIL.test(email) && isNews) lookup.load(authHref(view.tab, { email }));
  };
  return { found: { organizations, suggestedName }, lookUp };
}
