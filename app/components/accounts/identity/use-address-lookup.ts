import { useRef, useState } from "react";
import type { FormAnswer } from "~/kernel/form-answer";
import { sitePaths } from "~/kernel/paths/site";
import { withQuery } from "~/kernel/paths/with-query";
import type { AddressLookup, AuthView } from "./auth-view";

const LOOKS_LIKE_EMAIL = /.@.+\../;

/**
 * What the address leads to: as typed where scripts run, else as posted, else as the page was opened with.
 * @returns what is known now, and what to call with an address that was typed
 */
export function useAddressLookup(view: AuthView, answer: FormAnswer | undefined) {
  const [looked, setLooked] = useState<AddressLookup>();
  const asked = useRef(answer?.values.email ?? view.email);
  const posted = answer?.extra as AddressLookup | undefined;
  const { organizations, suggestedName } = looked ?? (posted?.organizations ? posted : view);
  const lookUp = async (email: string) => {
    if (!LOOKS_LIKE_EMAIL.test(email) || email === asked.current) return;
    asked.current = email;
    const found = await fetchLookup(email);
    if (found && asked.current === email) setLooked(found);
  };
  return { found: { organizations, suggestedName }, lookUp };
}

/** Undefined when it cannot be had: the form works without it. Not a loader, whose failure would replace the page. */
async function fetchLookup(email: string): Promise<AddressLookup | undefined> {
  try {
    const response = await fetch(withQuery(sitePaths.addressLookup, { email }));
    return response.ok ? ((await response.json()) as AddressLookup) : undefined;
  } catch {
    return undefined;
  }
}
