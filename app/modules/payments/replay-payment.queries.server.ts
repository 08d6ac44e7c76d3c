import { decisionRecords, paymentFileLines, paymentRecords, ruleSets } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { PaymentReason } from "~/modules/payment-rules/payment-reason";
import { replayDecision } from "~/modules/payment-rules/rule-set";
import { readFacts } from "~/modules/payment-rules/stored-facts";
import type { ReadServices } from "~/services";
import type { Asking } from "./payment.queries.server";

export type PaymentReplay = {
  /** False: the payment was recorded before decisions kept what their rules saw. */
  isKept: boolean;
  /** Rules that find something else on the same facts. None, unless a record or a rule is broken. */
  different: string[];
  /** Rules whose version was raised since: what they found then stands, and is not compared. */
  changedRules: string[];
};

type Kept = {
  facts: string;
  reasons: PaymentReason[];
  versions: Record<string, number>;
  levels: Record<string, "hold" | "warn" | "off">;
};

/** Runs the stored decision of a payment again: the facts that were seen, with the levels of then. */
export async function replayPayment(services: ReadServices, asking: Asking, paymentId: string): Promise<PaymentReplay> {
  const kept = (await findOwnRecord(services, asking, paymentId)) ?? (await findLine(services, asking, paymentId));
  if (!kept) return { isKept: false, different: [], changedRules: [] };
  const { facts, reasons, versions, levels } = kept;
  const replay = replayDecision({ facts: readFacts(facts), ruleSet: { versions, levels }, reasons });
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
      versions: ruleSets.versions,
      levels: ruleSets.levels,
    })
    .from(decisionRecords)
    .innerJoin(
      paymentRecords,
      and(eq(paymentRecords.organizationId, organizationId), eq(paymentRecords.id, decisionRecords.paymentId)),
    )
    .innerJoin(ruleSets, and(eq(ruleSets.organizationId, organizationId), eq(ruleSets.id, decisionRecords.ruleSetId)))
    .where(and(eq(decisionRecords.organizationId, organizationId), eq(decisionRecords.paymentId, paymentId)));
  return row;
}

/** The payment of a cleared file was decided as a line of it. */
async function findLine(
  { db }: ReadServices,
  { organizationId }: Asking,
  paymentId: string,
): Promise<Kept | undefined> {
  const [row] = await db
    .select({
      facts: paymentFileLines.facts,
      reasons: paymentFileLines.reasons,
      versions: ruleSets.versions,
      levels: ruleSets.levels,
    })
    .from(paymentFileLines)
    .innerJoin(ruleSets, and(eq(ruleSets.organizationId, organizationId), eq(ruleSets.id, paymentFileLines.ruleSetId)))
    .where(and(eq(paymentFileLines.organizationId, organizationId), eq(paymentFileLines.paymentId, paymentId)));
  return row;
}
