import { useRunningCheck } from "~/components/review/use-running-check";

const REFRESH_SECONDS = 30;

/** Keeps the page up to date while a bank check runs, and says politely what the check says. */
export function RunningCheck({ isRunning, said }: { isRunning: boolean; said: string }) {
  useRunningCheck(isRunning);
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      {isRunning && (
        <noscript>
          <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
        </noscript>
      )}
    </>
  );
}
