import { auditLogs, certificates } from "@db/schema";
import { and, desc, eq, inArray } from "drizzle-orm";
import { sha256Hex } from "~/kernel/sha256";
import { type ReviewFlag, reviewFlagsOf } from "~/modules/payees/verifications/review-flags";
import type { ReadServices } from "~/services";
import type { Certificate, CertificateFacts } from "./certificate";

/** The certificate of a verification as it was issued; undefined before that, or when it is not the organisation's. */
export async function findCertificate(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  id: string,
): Promise<Certificate | undefined> {
  const [row] = await db
    .select({ id: certificates.id, hash: certificates.hash, facts: certificates.facts })
    .from(certificates)
    .where(and(eq(certificates.organizationId, organizationId), eq(certificates.id, id)));
  return row && { ...row, facts: JSON.parse(row.facts) as CertificateFacts };
}

/** What stood against an approval when a person decided, as the trail kept it. A rule decides only where nothing does. */
export async function findFlagsDecidedUnder(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  verificationId: string,
): Promise<ReviewFlag[]> {
  const [decided] = await db
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.entityType, "verification"),
        eq(auditLogs.entityId, verificationId),
        inArray(auditLogs.action, ["verification.approved", "verification.rejected"]),
      ),
    )
    .orderBy(desc(auditLogs.position))
    .limit(1);
  return reviewFlagsOf(decided?.details?.flags);
}

const encoder = new TextEncoder();

/** SHA-256 of a text in UTF-8, lower-case hexadecimal. */
export const hashOfText = (text: string): Promise<string> => sha256Hex(encoder.encode(text));

/**
 * The facts of the certificate that was issued with this id and hash and still has that hash; undefined otherwise: an
 * unknown id, another hash and a record that was changed get the same answer after the same work.
 */
export async function findGenuine(
  { db }: ReadServices,
  { id, hash }: { id: string; hash: string },
): Promise<CertificateFacts | undefined> {
  const [row] = await db
    .select({ hash: certificates.hash, facts: certificates.facts })
    .from(certificates)
    .where(eq(certificates.id, id));
  const computed = await hashOfText(row?.facts ?? "");
  const isGenuine = row !== undefined && computed === row.hash && row.hash === hash;
  return isGenuine ? (JSON.parse(row.facts) as CertificateFacts) : undefined;
}
