import type { ChildProcess } from "node:child_process";

export type Ports = { port: number; simulatorsPort: number };

export type Copy = {
  supervisor: ChildProcess;
  ended: Promise<void>;
  ports: Ports;
  stateDir: string;
  origin: string;
  simulators: string;
  stop(): Promise<void>;
};

export declare function newStateDir(): string;
export declare function removeStateDir(stateDir: string): void;
export declare function freePort(): Promise<number>;
export declare function startCopy(
  stateDir: string,
  options?: { ports?: Ports; env?: Record<string, string> },
): Promise<Copy>;
