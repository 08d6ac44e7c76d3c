import { useRunningCheck } from "~/components/verifying/use-running-check";
import type { WatchView } from "~/modules/verifying/review/watch.view";

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
