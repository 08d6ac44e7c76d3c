import { verifications } from "@db/schema";
import { and, desc, eq } from "drizzle-orm";
import { holdsInstantAnswer } from "~/modules/payees/verifications/verification";
import { storedInstantAnswer } from "~/modules/verifying/bank-answers/compare-with-instant-answer";
import type { InstantAnswer } from "~/ports/instant-bank-data";
import type { ReadServices } from "~/services";

/** More verifications of one payee than a day can bring. */
const LOOKED_AT = 20;

type Submitted = {
  id: string;
  payee: { id: string };
  accountName: string;
  bsb: string;
  accountNumber: string;
};

/** An answer that the bank gave at once, and the verification that holds it. */
export type EarlierAnswer = { verificationId: string; checkedAt: number; answer: InstantAnswer };

/**
 * What the bank said of the same account and name a short while ago. An account is one payee's in an organisation, so only
 * that payee's verifications can hold it.
 */
export async function findEarlierAnswer(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  submitted: Submitted,
  now: number,
): Promise<EarlierAnswer | undefined> {
  const { accountName, bsb, accountNumber, payee } = submitted;
  const rows = await db
    .select({ id: verifications.id, resultData: verifications.resultData })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        eq(verifications.payeeId, payee.id),
        eq(verifications.accountName, accountName),
        eq(verifications.bsb, bsb),
        eq(verifications.accountNumber, accountNumber),
      ),
    )
    .orderBy(desc(verifications.id))
    .limit(LOOKED_AT);
  for (const { id: verificationId, resultData } of rows) {
    const answer = storedInstantAnswer(resultData);
    if (answer && resultData && holdsInstantAnswer(resultData, now)) {
      return { verificationId, checkedAt: resultData.checkedAt, answer };
    }
  }
  return undefined;
}
