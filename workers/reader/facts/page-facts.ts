import type { Line } from "../layout/lines";
import { type AccountSearch, findAccounts } from "./accounts";
import { findLabels, type Label } from "./labels";
import { findNumbers, type NumberRun } from "./numbers";

export type PageFacts = AccountSearch & { labels: Label[]; numbers: NumberRun[] };

/** The accounts and findings in some lines. */
export function readPageFacts(lines: readonly Line[]): PageFacts {
  const labels = findLabels(lines);
  const numbers = findNumbers(lines);
  return { ...findAccounts(lines, labels, numbers), labels, numbers };
}
