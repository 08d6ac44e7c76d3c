import { RULES, type RuleLevels, runRules } from "./";
import type { PaymentFacts } from "./facts";
import type { PaymentReason } from "./payment-reason";

/** The rules as they stand: the version of each, and what the organisation made of each. */
export type RuleSet = { versions: Record<string, number>; levels: RuleLevels };

/** Today's rules at these levels. */
export const currentRuleSet = (levels: RuleLevels): RuleSet => ({
  versions: Object.fromEntries(RULES.map(({ id, version }) => [id, version])),
  levels,
});

/** The content as one text: equal rule sets have equal texts. */
export function textOfRuleSet({ versions, levels }: RuleSet): string {
  const sorted = (record: Readonly<Record<string, unknown>>) =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted(versions), sorted(levels)]);
}

/** What running a stored decision again shows. */
export type Replay = {
  /** Rules found the same as before, however many reasons that were. */
  isSame: boolean;
  /** Rules whose answer is another today though their version is the same: never, unless a rule or a record is broken. */
  different: string[];
  /** Rules whose version has been raised since: their former answer stands, and is not compared. */
  changed: string[];
};

type Stored = { facts: PaymentFacts; ruleSet: RuleSet; reasons: readonly PaymentReason[] };

/** Runs the rules again on the facts that were seen then, at the levels of then, and compares what they find. */
export function replayDecision({ facts, ruleSet, reasons }: Stored): Replay {
  const { versions, levels } = ruleSet;
  const changed = RULES.filter(({ id, version }) => versions[id] !== undefined && versions[id] !== version);
  const isCompared = (rule: string) => versions[rule] !== undefined && !changed.some(({ id }) => id === rule);
  const again = runRules(facts, levels).filter(({ rule }) => isCompared(rule));
  const before = reasons.filter(({ rule }) => isCompared(rule));
  const textOf = (list: readonly PaymentReason[], rule: string) =>
    JSON.stringify(list.find((reason) => reason.rule === rule) ?? null);
  const rules = new Set([...again, ...before].map(({ rule }) => rule));
  const different = [...rules].filter((rule) => textOf(again, rule) !== textOf(before, rule));
  return { isSame: different.length === 0, different, changed: changed.map(({ id }) => id) };
}
