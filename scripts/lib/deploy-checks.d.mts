type Given = {
  config: unknown;
  environment: string;
  secrets: Record<string, string>;
  applied?: readonly string[];
  keysInUse?: readonly { variable: string; key: string; rows: number }[];
};

export declare const ENVIRONMENTS: readonly string[];
export declare function parseSecrets(text: string): Record<string, string>;
export declare function loadEnv(): Promise<typeof import("@workers/env")>;
export declare function findProblems(readEnv: (raw: Record<string, unknown>) => unknown, given: Given): string[];
