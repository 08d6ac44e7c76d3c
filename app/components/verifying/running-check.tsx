import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { WatchView } from "~/modules/verifying/review/watch.view";

const FIRST_MS = 3_000;
const LONGEST_MS = 60_000;

/** While a bank check runs, asks for the page's data again, less and less often, and not while nobody looks. */
function useRunningCheck(isRunning: boolean): void {
  const { revalidate } = useRevalidator();
  const again = useRef(revalidate);
  again.current = revalidate;
  useEffect(() => {
    if (!isRunning) return;
    let waitMs = FIRST_MS;
    let timer = setTimeout(look, waitMs);
    function look() {
      if (document.visibilityState === "visible") again.current();
      waitMs = Math.min(LONGEST_MS, waitMs * 1.6);
      timer = setTimeout(look, waitMs);
    }
    return () => clearTimeout(timer);
  }, [isRunning]);
}

/**
 * Keeps the page up to date while a bank check runs, and says politely what the check says. Without a script only a page
 * that holds no form loads itself again, so that nothing that is typed is lost.
 */
export function RunningCheck({ watch, said }: { watch: WatchView | null; said: string }) {
  useRunningCheck(watch !== null);
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      {watch && (
        <noscript>
          {watch.refreshSeconds !== null && <meta httpEquiv="refresh" content={String(watch.refreshSeconds)} />}
          <p className="mb-4 text-base">
            {watch.text}{" "}
            {watch.link && (
              <a href={watch.link.href} className="font-medium text-accent-text underline underline-offset-2">
                {watch.link.label}
              </a>
            )}
          </p>
        </noscript>
      )}
    </>
  );
}
