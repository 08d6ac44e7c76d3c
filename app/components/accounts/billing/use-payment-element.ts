import type { Stripe, StripeElements } from "@stripe/stripe-js";
import { type RefObject, useEffect, useRef, useState } from "react";
import { loadProvider, type ProviderPlace } from "./provider-script";

type State = "loading" | "ready" | "unavailable";
type Problem = { title: string; message: string };

/** Long enough for a slow line; then the person is shown the other way. */
const LOAD_TIMEOUT_MS = 15_000;

/**
 * The provider's payment element in a place of ours: its state, and `confirm`, which leads away when it succeeds.
 *
 * @param returnUrl where the provider sends the person back to
 */
export function usePaymentElement(
  place: RefObject<HTMLElement>,
  { publishableKey, standInScript }: ProviderPlace,
  clientSecret: string,
) {
  const provider = useRef<{ stripe: Stripe; elements: StripeElements }>();
  const [state, setState] = useState<State>("loading");
  const [isPaying, setIsPaying] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  useEffect(() => {
    let isGone = false;
    let unmount = () => {};
    const giveUp = () => !isGone && setState((now) => (now === "loading" ? "unavailable" : now));
    const timer = setTimeout(giveUp, LOAD_TIMEOUT_MS);
    loadProvider({ publishableKey, standInScript }).then((stripe) => {
      if (isGone || !place.current) return;
      const isDark = getComputedStyle(document.documentElement).colorScheme === "dark" || prefersDark();
      const elements = stripe.elements({ clientSecret, appearance: { theme: isDark ? "night" : "stripe" } });
      const element = elements.create("payment");
      element.on("ready", () => setState("ready"));
      element.on("loaderror", giveUp);
      element.mount(place.current);
      unmount = () => element.destroy();
      provider.current = { stripe, elements };
    }, giveUp);
    return () => {
      isGone = true;
      clearTimeout(timer);
      unmount();
    };
  }, [place, publishableKey, standInScript, clientSecret]);

  async function confirm(returnUrl: string): Promise<void> {
    if (!provider.current || isPaying) return;
    setIsPaying(true);
    setProblem(undefined);
    const { stripe, elements } = provider.current;
    // Comes back only with an error: otherwise the browser is on its way to the return address.
    const { error } = await stripe.confirmPayment({ elements, confirmParams: { return_url: returnUrl } });
    const isAboutCard = error.type === "card_error" || error.type === "validation_error";
    setProblem({
      title: isAboutCard ? "Payment Failed" : "Payment Error",
      message: error.message ?? "An unexpected error occurred.",
    });
    setIsPaying(false);
  }

  return { state, isPaying, problem, confirm };
}

function prefersDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined && matchMedia("(prefers-color-scheme: dark)").matches;
}
