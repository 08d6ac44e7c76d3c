/** The demo has four steps and starts at the third (specification sections 2 and 9). */
export const DEMO_STEPS = ["Enter details", "Check details", "Verify payee", "Authorise"] as const;
const DEMO_START = 3;

export type DemoStep = 1 | 2 | 3 | 4;

/** Reads `?step=`; anything else is the start. */
export function parseDemoStep(text: string | null): DemoStep {
  const step = Number(text);
  return step === 1 || step === 2 || step === 4 ? step : DEMO_START;
}
