import type { SimulatorContext } from "../party";

/**
 * The possible failures of the next calls to a party.
 *
 * With timeout, 429, 500, 503 and 401 the party does nothing. With the other failures the call takes effect, and only
 * its response is broken (or late, for slow).
 */
export const FAULT_KINDS = [
  "timeout",
  "429",
  "500",
  "503",
  "401",
  "malformed",
  "truncated",
  "empty",
  "slow",
  "lost_acknowledgement",
  "wrong_tenant",
] as const;

export type Fault = {
  party: string;
  fault: (typeof FAULT_KINDS)[number];
  /** How many more calls it affects. */
  times: number;
  /** Only calls whose path contains this. */
  path?: string;
  /** Only calls whose body contains this, e.g. the id of one user. */
  body?: string;
  /** Seconds, for 429 and 503. */
  retryAfter?: number;
};

export interface Faults {
  list(): readonly Fault[];
  add(fault: Fault): void;
  clear(): void;
  /** The oldest fault that affects a call, used up once. */
  take(party: string, call: { path: string; body: string }): Fault | undefined;
}

export function createFaults(context: Pick<SimulatorContext, "slice" | "save">): Faults {
  const faults = context.slice<Fault[]>("faults", () => []);
  return {
    list: () => faults,
    add(fault) {
      faults.push(fault);
      context.save();
    },
    clear() {
      faults.length = 0;
      context.save();
    },
    take(party, { path, body }) {
      const index = faults.findIndex(
        (fault) => fault.party === party && path.includes(fault.path ?? "") && body.includes(fault.body ?? ""),
      );
      const fault = faults[index];
      if (!fault) return undefined;
      const taken = { ...fault };
      fault.times -= 1;
      if (fault.times <= 0) faults.splice(index, 1);
      context.save();
      return taken;
    },
  };
}
