import { useNavigate, useNavigation } from "@remix-run/react";
import { useEffect } from "react";
import { KEEP_MESSAGES } from "~/components/layout/use-toast";

/** Back to the list this long after a decision (specification, section 9). */
export const RETURN_DELAY_MS = 1500;

/** Goes to an address a while after something is done; goes nowhere once the person has pressed something that leads away. */
export function useReturn(isDone: boolean, href: string, delayMs: number): void {
  const navigate = useNavigate();
  const isStill = useNavigation().state === "idle";
  useEffect(() => {
    if (!isDone || !isStill) return;
    const timer = setTimeout(() => navigate(href, { state: KEEP_MESSAGES }), delayMs);
    return () => clearTimeout(timer);
  }, [isDone, isStill, href, delayMs, navigate]);
}
