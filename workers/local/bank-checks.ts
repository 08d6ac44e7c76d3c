import { bankChecks, payees, verifications } from "@db/schema";
import { and, desc, eq } from "drizzle-orm";
import { json } from "~/http/api.server";
import type { Services } from "~/services";

/** Tells the bank simulator what the wire does not carry: which verification a provider user belongs to. */
export async function tellBankCheck(_request: Request, url: URL, { db }: Services): Promise<Response> {
  const verificationId = url.pathname.split("/")[3];
  const providerUserId = url.searchParams.get("providerUserId");
  if (!verificationId && !providerUserId)
    return json({ message: "Say which verification or provider user." }, { status: 400 });
  const [row] = await db
    .select({
      verificationId: verifications.id,
      providerUserId: bankChecks.providerUserId,
      submitted: {
        accountName: verifications.accountName,
        bsb: verifications.bsb,
        accountNumber: verifications.accountNumber,
      },
      payee: { name: payees.name, abn: payees.abn },
    })
    .from(verifications)
    .innerJoin(payees, eq(payees.id, verifications.payeeId))
    .leftJoin(bankChecks, eq(bankChecks.verificationId, verifications.id))
    .where(
      and(
        verificationId ? eq(verifications.id, verificationId) : undefined,
        providerUserId ? eq(bankChecks.providerUserId, providerUserId) : undefined,
      ),
    )
    .orderBy(desc(bankChecks.id))
    .limit(1);
  return row ? json({ ...row, state: null }) : json({ message: "Not found" }, { status: 404 });
}
