import { formatAud } from "~/kernel/money";
import { formatCount } from "~/kernel/text";
import { RULES, type RuleLevels } from "./";
import type { PaymentFacts } from "./facts";

/** What each rule would have found in payments that were already decided, whatever its level was. Pure. */
type RuleImpact = {
  /** How many payments the rule finds something in, and their total in cents. */
  count: number;
  cents: number;
  /** The payments among them that no other rule holds at today's levels, so this rule's level decides about them. */
  onlyCount: number;
  onlyCents: number;
};

const NOTHING: RuleImpact = { count: 0, cents: 0, onlyCount: 0, onlyCents: 0 };

/** Runs every rule on the stored facts. */
export function impactsOf(payments: readonly PaymentFacts[], levels: RuleLevels): Readonly<Record<string, RuleImpact>> {
  const impacts: Record<string, RuleImpact> = Object.fromEntries(RULES.map(({ id }) => [id, NOTHING]));
  for (const facts of payments) {
    const found = RULES.filter((rule) => rule.find(facts) !== undefined);
    const holding = found.filter(({ id, defaultLevel }) => (levels[id] ?? defaultLevel) === "hold");
    for (const rule of found) {
      const before = impacts[rule.id] ?? NOTHING;
      const isOnly = holding.every((other) => other === rule);
      impacts[rule.id] = {
        count: before.count + 1,
        cents: before.cents + facts.amount,
        onlyCount: before.onlyCount + (isOnly ? 1 : 0),
        onlyCents: before.onlyCents + (isOnly ? facts.amount : 0),
      };
    }
  }
  return impacts;
}

/** What the rule would have caught, and what each level would have made of it, in a sentence each. */
export function describeImpact({ count, cents, onlyCount, onlyCents }: RuleImpact): [found: string, levels: string] {
  const found = `Found in ${formatCount(count, "payment")} of the last 90 days (${formatAud(cents)}).`;
  if (onlyCount === 0) {
    const held = count === 1 ? "hold it, so it is held" : "hold all of them, so they are held";
    return [found, `Other rules ${held} at any level.`];
  }
  const only = onlyCount < count ? `${formatCount(onlyCount)} of them` : count === 1 ? "it" : "them";
  const levels =
    onlyCount === 1
      ? "at Hold it is held, at Warn it goes through with a warning"
      : "at Hold they are held, at Warn they go through with a warning";
  return [found, `Nothing else holds ${only} (${formatAud(onlyCents)}): ${levels}, at Off there is no warning.`];
}

/** One such description for every rule that found something, by rule id. */
export function describeImpacts(facts: readonly PaymentFacts[], levels: RuleLevels) {
  const impacts = Object.entries(impactsOf(facts, levels)).filter(([, { count }]) => count > 0);
  return Object.fromEntries(impacts.map(([id, impact]) => [id, describeImpact(impact)]));
}
