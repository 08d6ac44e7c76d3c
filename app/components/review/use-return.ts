import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import { KEEP_MESSAGES } from "~/components/layout/use-toast";

/** Back to the list this long after a decision (specification, section 9). */
export const RETURN_DELAY_MS = 1500;

/** Goes to an address a while after something is done; goes nowhere if the person has left before. */
export function useReturn(isDone: boolean, href: string, delayMs: number): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => navigate(href, { state: KEEP_MESSAGES }), delayMs);
    return () => clearTimeout(timer);
  }, [isDone, href, delayMs, navigate]);
}
