import { FlashBanner } from "~/components/layout/flash-banner";
import type { FlashMessage } from "~/components/layout/toast-store";
import { Toaster } from "~/components/layout/toaster";
import { useToast } from "~/components/layout/use-toast";
import { useHydrated } from "~/components/use-hydrated";

/**
 * The one place messages appear. The server draws the flash as a banner; once scripts run, a toast takes it over.
 * Each new flash object from the root loader is shown once.
 */
export function Messages({ flash }: { flash: FlashMessage | null | undefined }) {
  const hydrated = useHydrated();
  useToast(flash, flash);
  if (hydrated) return <Toaster />;
  return flash ? <FlashBanner flash={flash} /> : null;
}
