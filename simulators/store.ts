export type SimulatorState = Record<string, unknown>;

export interface SimulatorStore {
  load(): Promise<SimulatorState | undefined>;
  /** Called after every change; may write later, and may be given the same object again. */
  save(state: SimulatorState): void;
}

/** For tests: nothing outlives the object itself. */
export function createMemoryStore(initial?: SimulatorState): SimulatorStore {
  return { load: async () => initial, save: () => {} };
}
