import { decisionRecords, paymentFileLines, paymentRecords, ruleSets } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { type LineDecision, listLineDecisions } from "~/modules/payments/payment-facts/line-facts.server";
import { replayDecision } from "~/modules/rules/rule-set";
import { readFacts } from "~/modules/rules/stored-facts";
import type { ReadServices } from "~/services";
import type { Asking } from "./payment.server";

export type PaymentReplay = {
  /** False: the payment was recorded before decisions kept what their rules saw. */
  isKept: boolean;
  /** Rules that find something else on the same facts. None, unless a record or a rule is broken. */
  different: string[];
  /** Rules whose version was raised since: what they found then stands, and is not compared. */
  changedRules: string[];
};

type Kept = Pick<LineDecision, "facts" | "ruleSet" | "reasons">;

/** Runs the stored decision of a payment again: the facts that were seen, with the levels of then. */
export async function replayPayment(services: ReadServices, asking: Asking, paymentId: string): Promise<PaymentReplay> {
  const kept = (await findOwnRecord(services, asking, paymentId)) ?? (await findLine(services, asking, paymentId));
  if (!kept) return { isKept: false, different: [], changedRules: [] };
  const replay = replayDecision(kept);
  return { isKept: true, different: replay.different, changedRules: replay.changed };
}

async function findOwnRecord(
  { db }: ReadServices,
  { organizationId }: Asking,
  paymentId: string,
): Promise<Kept | undefined> {
  const [row] = await db
    .select({
      facts: decisionRecords.facts,
      reasons: paymentRecords.reasons,
      ruleSet: { versions: ruleSets.versions, levels: ruleSets.levels },
    })
    .from(decisionRecords)
    .innerJoin(
      paymentRecords,
      and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, decisionRecords.paymentId)),
    )
    .innerJoin(ruleSets, and(eq(ruleSets.organizationId, organizationId), eq(ruleSets.id, decisionRecords.ruleSetId)))
    .where(and(eq(decisionRecords.organizationId, organizationId), eq(decisionRecords.paymentId, paymentId)));
  return row && { ...row, facts: readFacts(row.facts) };
}

/** The payment of a cleared file was decided as a line of it. */
async function findLine(
  services: ReadServices,
  { organizationId }: Asking,
  paymentId: string,
): Promise<Kept | undefined> {
  const [row] = await services.db
    .select({ fileId: paymentFileLines.fileId, line: paymentFileLines.line })
    .from(paymentFileLines)
    .where(and(eq(paymentFileLines.organizationId, organizationId), eq(paymentFileLines.paymentId, paymentId)));
  if (!row) return undefined;
  const { fileId, line } = row;
  const [decision] = await listLineDecisions(services, { organizationId, fileId }, { firstLine: line, lastLine: line });
  return decision;
}
