/** Which rules fired on the lines of a file, and how often. Pure. */

/** `count` is 1 unless told. */
export type FiredRule = { rule: string; level: string; count?: number };

/** One entry for each rule and level, those that fired most often first. */
export function sumRules(fired: readonly FiredRule[]): Required<FiredRule>[] {
  const sums = new Map<string, Required<FiredRule>>();
  for (const { rule, level, count = 1 } of fired) {
    const sum = sums.get(`${rule}:${level}`) ?? { rule, level, count: 0 };
    sums.set(`${rule}:${level}`, { ...sum, count: sum.count + count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || a.rule.localeCompare(b.rule));
}
