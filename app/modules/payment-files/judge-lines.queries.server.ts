import type { FactsContext } from "~/modules/payment-facts/asked-payment";
import { type FactsReading, gatherFacts } from "~/modules/payment-facts/facts.queries.server";
import { type RuleLevels, runRules } from "~/modules/payment-rules";
import type { PaymentFacts } from "~/modules/payment-rules/facts";
import type { PaymentReason } from "~/modules/payment-rules/payment-reason";
import type { FileLine } from "./payment-file";
import type { WholeFile } from "./whole-file";

/** A line with what the rules saw and found. */
export type JudgedLine = FileLine & {
  payeeId: string | null;
  facts: PaymentFacts;
  reasons: PaymentReason[];
};

/** What is the same for every line of a file. */
export type FileContext = FactsContext & {
  fileId: string;
  /** What the lines say of each other. */
  whole: WholeFile;
  levels: RuleLevels;
};

/** Runs every rule on every line, on the facts as they are now. */
export async function judgeLines(
  services: FactsReading,
  context: FileContext,
  lines: readonly FileLine[],
): Promise<JudgedLine[]> {
  const facts = await gatherFacts(
    services,
    context,
    lines.map((line) => toAsked(context.whole, line)),
  );
  return lines.flatMap((line, index) => {
    const seen = facts[index];
    if (!seen) return [];
    return [{ ...line, payeeId: seen.payee?.id ?? null, facts: seen, reasons: runRules(seen, context.levels) }];
  });
}

function toAsked(whole: WholeFile, line: FileLine) {
  const { accountName, bsb, accountNumber, amount, reference, newDetails } = line;
  const further = { ...whole.of(line), newDetails };
  return { to: { accountName, bsb, accountNumber }, amount, reference, further };
}
