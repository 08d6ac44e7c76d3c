import type { Statement } from "@db/client";
import { decisionRecords, ruleSets } from "@db/schema";
import type { Services } from "~/services";
import type { RuleLevels } from "./";
import type { PaymentFacts } from "./facts";
import { currentRuleSet, textOfRuleSet } from "./rule-set";
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
