import type { Log } from "~/services-and-actor";

/** A log that keeps its lines for the test and prints nothing. */
export type TestLog = Log & { lines: { level: string; event: string; fields?: Record<string, unknown> }[] };

export function aLog(): TestLog {
  const lines: TestLog["lines"] = [];
  const write = (level: string) => (event: string, fields?: Record<string, unknown>) => {
    lines.push({ level, event, fields });
  };
  return { lines, info: write("info"), warn: write("warn"), error: write("error") };
}
