import { decisionRecords, ruleSets, type Statement } from "@db/database";
import type { Services } from "~/services-and-actor";
import type { PaymentFacts } from "./facts";
import { RULES, type RuleLevels, runRules } from "./index";
import type { PaymentReason } from "./payment-holds";
import { writeFacts } from "./stored-facts";

type Keeping = Pick<Services, "db" | "clock" | "secrets">;

/** Stores the current rule set once, for every decision that refers to it. */
export async function saveRuleSet(
  { db, clock, secrets }: Keeping,
  organizationId: string,
  levels: RuleLevels,
): Promise<{ ruleSetId: string; statement: Statement }> {
  const ruleSet = currentRuleSet(levels);
  const ruleSetId = await secrets.hashToken(textOfRuleSet(ruleSet));
  const row = { organizationId, id: ruleSetId, versions: ruleSet.versions, levels: { ...levels } };
  const statement = db
    .insert(ruleSets)
    .values({ ...row, createdAt: clock.now() })
    .onConflictDoNothing();
  return { ruleSetId, statement };
}

/** Stores the facts that the rules saw of a payment, and the rule set, in the batch that records the payment. */
export async function saveDecisionRecord(
  services: Keeping,
  organizationId: string,
  { paymentId, facts, levels }: { paymentId: string; facts: PaymentFacts; levels: RuleLevels },
): Promise<Statement[]> {
  const { ruleSetId, statement } = await saveRuleSet(services, organizationId, levels);
  const row = { organizationId, paymentId, facts: writeFacts(facts), ruleSetId };
  return [statement, services.db.insert(decisionRecords).values(row)];
}

/** The rules at one moment: each rule's version and the level that the organisation chose. */
export type RuleSet = { versions: Record<string, number>; levels: RuleLevels };

/** Today's rules at these levels. */
export const currentRuleSet = (levels: RuleLevels): RuleSet => ({
  versions: Object.fromEntries(RULES.map(({ id, version }) => [id, version])),
  levels,
});

/** The rule set as one string: equal rule sets give equal strings. */
export function textOfRuleSet({ versions, levels }: RuleSet): string {
  const sorted = (record: Readonly<Record<string, unknown>>) =>
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted(versions), sorted(levels)]);
}

/** The result of running a stored decision again. */
export type Replay = {
  /** The rules found the same reasons as before. */
  isSame: boolean;
  /** Rules that now find something else in the same version: only if a rule or a record is broken. */
  different: string[];
  /** Rules whose version has been raised since: their stored result stands and is not compared. */
  changed: string[];
};

type Stored = { facts: PaymentFacts; ruleSet: RuleSet; reasons: readonly PaymentReason[] };

/** Runs the rules again on the stored facts at the stored levels, and compares the findings. */
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
