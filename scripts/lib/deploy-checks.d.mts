/** A row of `keysInUseSql`. */
type KeyInUse = { variable: string; key: string; where: string; rows: number; digest: string | null };

type Given = {
  config: unknown;
  environment: string;
  secrets: Record<string, string>;
  applied?: readonly string[];
  keysInUse?: readonly KeyInUse[];
};

type AppEnv = Pick<typeof import("@workers/env"), "readEnv" | "variables">;

export declare function parseSecrets(text: string): Record<string, string>;
export declare function loadEnv(): Promise<typeof import("@workers/env")>;
export declare function findProblems(env: AppEnv, given: Given): string[];
