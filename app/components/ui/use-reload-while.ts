import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

const FIRST_MS = 3_000;
const LONGEST_MS = 60_000;

/** While something runs on the server, reloads the page's data, less and less often, and only while it is visible. */
export function useReloadWhile(isRunning: boolean, firstMs = FIRST_MS): void {
  const { revalidate } = useRevalidator();
  const again = useRef(revalidate);
  again.current = revalidate;
  useEffect(() => {
    if (!isRunning) return;
    let waitMs = firstMs;
    let timer = setTimeout(look, waitMs);
    function look() {
      // Without a connection an error would replace the page.
      if (document.visibilityState === "visible" && navigator.onLine) again.current();
      waitMs = Math.min(LONGEST_MS, waitMs * 1.6);
      timer = setTimeout(look, waitMs);
    }
    return () => clearTimeout(timer);
  }, [isRunning, firstMs]);
}
