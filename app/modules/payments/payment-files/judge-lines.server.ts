import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { AskedPayment, FactsContext } from "~/modules/payments/payment-facts/asked-payment";
import { type FactsReading, gatherFacts } from "~/modules/payments/payment-facts/facts.server";
import { readLineFacts } from "~/modules/payments/payment-facts/line-facts.server";
import { type RuleLevels, runRules } from "~/modules/rules";
import type { PaymentFacts } from "~/modules/rules/facts";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import { findFileSettings } from "./file-settings.server";
import { type FileLine, nameWidthOf } from "./payment-file";
import type { PaymentFileDetail } from "./payment-file.server";
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
  const asked = lines.map((line) => toAsked(line, { ...context.whole.of(line), newDetails: line.newDetails }));
  return toJudged(lines, await gatherFacts(services, context, asked), context.levels);
}

/** A line of a file as it is stored. `facts`: what the rules saw when it was judged again; null: the check of its file. */
type StoredLine = Omit<FileLine, "newDetails"> & { payeeId: string | null; facts: string | null };

/** The same for lines of a file that was checked. What they say of each other was kept with the check. */
export async function judgeStoredLines(
  services: FactsReading,
  organizationId: string,
  { file, lines }: { file: Pick<PaymentFileDetail, "id" | "format" | "uploadedById">; lines: readonly StoredLine[] },
): Promise<JudgedLine[]> {
  const fileId = file.id;
  const [policy, limits, seen] = await Promise.all([
    findPolicy(services, organizationId),
    findFileSettings(services, organizationId),
    readLineFacts(
      services,
      organizationId,
      lines.map((line) => ({ ...line, fileId })),
    ),
  ]);
  const asked = lines.map((line, index) => {
    const { otherTitles, earlierLine, newDetails } = seen[index]?.facts ?? {};
    return toAsked(line, { otherTitles, earlierLine, newDetails });
  });
  const context = {
    ...{ organizationId, fileId, policy, limits, nameWidth: nameWidthOf(file.format) },
    recordedById: file.uploadedById,
  };
  const facts = await gatherFacts(services, context, asked);
  return toJudged(
    lines.map((line, index) => ({ ...line, newDetails: seen[index]?.facts.newDetails ?? false })),
    facts,
    policy.ruleLevels,
  );
}

const toAsked = (
  { accountName, bsb, accountNumber, amount, reference }: Omit<FileLine, "newDetails">,
  further: AskedPayment["further"],
): AskedPayment => ({ to: { accountName, bsb, accountNumber }, amount, reference, further });

const toJudged = (lines: readonly FileLine[], facts: readonly PaymentFacts[], levels: RuleLevels): JudgedLine[] =>
  lines.flatMap((line, index) => {
    const seen = facts[index];
    if (!seen) return [];
    return [{ ...line, payeeId: seen.payee?.id ?? null, facts: seen, reasons: runRules(seen, levels) }];
  });
