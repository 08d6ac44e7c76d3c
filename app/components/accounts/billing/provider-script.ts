import type { StripeConstructor, Stripe as StripeProvider } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";

export type ProviderPlace = {
  publishableKey: string;
  /** A stand-in on a developer's machine; null: the provider's own script, from the provider. */
  standInScript: string | null;
};

type WithProvider = { Stripe?: StripeConstructor };

/** Brings the provider's script into the page. Rejects when it cannot be loaded. */
export async function loadProvider({ publishableKey, standInScript }: ProviderPlace): Promise<StripeProvider> {
  if (standInScript === null) {
    const provider = await loadStripe(publishableKey);
    if (!provider) throw new Error("the provider's script did not load");
    return provider;
  }
  await loadScript(standInScript);
  const { Stripe } = window as WithProvider;
  if (!Stripe) throw new Error("the stand-in did not load");
  return Stripe(publishableKey);
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = src;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`${src} did not load`)));
    document.head.appendChild(script);
  });
}
