import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

const FIRST_MS = 3_000;
const LONGEST_MS = 60_000;

/** While a bank check runs, asks for the page's data again, less and less often, and not while nobody looks. */
export function useRunningCheck(isRunning: boolean): void {
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
