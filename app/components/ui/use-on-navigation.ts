import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** Runs `act` after each completed navigation, but not on the first render. */
export function useOnNavigation(act: () => void): void {
  const { key } = useLocation();
  const seen = useRef(key);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (seen.current !== key) latest.current();
    seen.current = key;
  }, [key]);
}
