import { type RuleLevels, runRules } from "~/modules/payment-rules";
import type { PaymentFacts } from "~/modules/payment-rules/facts";
import type { PaymentReason } from "~/modules/payment-rules/payment-reason";
import { type FactsReading, type FileContext, gatherLineFacts } from "./line-facts.queries.server";
import type { FileLine } from "./payment-file";

/** A line with what the rules saw and found. */
export type JudgedLine = FileLine & {
  payeeId: string | null;
  facts: PaymentFacts;
  reasons: PaymentReason[];
};

/** Runs every rule on every line, on the facts as they are now. */
export async function judgeLines(
  services: FactsReading,
  context: FileContext & { levels: RuleLevels },
  lines: readonly FileLine[],
): Promise<JudgedLine[]> {
  const facts = await gatherLineFacts(services, context, lines);
  return lines.flatMap((line, index) => {
    const seen = facts[index];
    if (!seen) return [];
    return [{ ...line, payeeId: seen.payee?.id ?? null, facts: seen, reasons: runRules(seen, context.levels) }];
  });
}
