export type Test = {
  /** Of a test; a check has none. */
  file?: string;
  where: string;
  outcome: "passed" | "failed" | "skipped";
  /** The first lines of its failure. */
  why: string[];
};

export type Lane = { name: string; tests: Test[]; passedOnce: (Test & { isOfAgain: boolean })[]; isOver: boolean };

export declare function testsOf(testResults: object[]): Test[];
export declare function mergeRuns(first: Lane, again: Lane): Lane;
export declare function listToRunAgain(lane: Pick<Lane, "tests" | "isOver">): (string | undefined)[] | undefined;
export declare function countOf(
  lane: Lane,
): Record<"passed" | "failed" | "skipped", number> & { failures: Pick<Test, "where" | "why">[] };

export declare function run(
  args: string[],
  how: { onText: (text: string) => void; limitMs?: number },
): Promise<{ code: number; seconds: number; worked?: number }>;
