import { auditLogs, certificates } from "@db/schema";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { sha256Hex } from "~/kernel/sha256";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { listNoticesOfVerification } from "~/modules/messages/notifications/change-notices.statements.server";
import { findNameAt } from "~/modules/payees/payee-page.server";
import { type ReviewFlag, reviewFlagsOf } from "~/modules/payees/verifications/review-flags";
import { getVerification, type VerificationDetail } from "~/modules/payees/verifications/verification.server";
import { listCalls } from "~/modules/verifying/call-backs/call-back.server";
import type { ReadServices, Services, WriteServices } from "~/services";
import { type Certificate, type CertificateFacts, certificateFacts, certificateText } from "./certificate";

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

/**
 * The certificate of a decided verification: the one that was issued, or a new one from the facts as they are now. It is
 * issued once and never changes, however payee and organisation are called later.
 * @throws AppError 404; 409 NOT_DECIDED
 */
export async function issueCertificate(
  services: WriteServices & Pick<Services, "bankData">,
  actor: Actor,
  verificationId: string,
): Promise<Certificate> {
  const issued = await findCertificate(services, actor, verificationId);
  if (issued) return issued;
  const [verification, calls, flags] = await Promise.all([
    getVerification(services, actor, verificationId),
    listCalls(services, actor, verificationId),
    findFlagsDecidedUnder(services, actor, verificationId),
  ]);
  const change = { id: verificationId, payeeId: verification.payee.id };
  const notices = await listNoticesOfVerification(services, actor, change);
  const { organizationId, organizationName, timeZone } = actor;
  const organization = { id: organizationId, name: organizationName };
  const { providerName } = services.bankData;
  const issuedAt = services.clock.now();
  const certified = await underItsName(services, actor, verification);
  const facts = certificateFacts(
    { verification: certified, flags, calls, notices, organization, timeZone, providerName },
    issuedAt,
  );
  if (!facts) throw notDecided();
  const text = certificateText(facts);
  const hash = await hashOfText(text);
  const row = { id: verificationId, organizationId, facts: text, hash, issuedAt };
  const result = await runCommand(services, actor, {
    conditions: [{ name: "issued_already", found: isNotIssued(organizationId, verificationId) }],
    statements: [services.db.insert(certificates).values(row)],
    audit: [
      {
        action: "verification.certificate_issued",
        entityType: "verification",
        entityId: verificationId,
        details: { hash },
      },
    ],
    answer: { id: verificationId, hash, facts },
  });
  // Another page that was opened at the same time has issued it.
  const first = result.ok ? result.answer : await findCertificate(services, actor, verificationId);
  if (!first) throw new Error(`certificate of ${verificationId} was neither issued nor found`);
  return first;
}

/** The payee as it was called when the verification was decided: a name that it was given since was not verified. */
async function underItsName(services: WriteServices, actor: Actor, verification: VerificationDetail) {
  const { payee, decision } = verification;
  if (!decision) return verification;
  return { ...verification, payee: { ...payee, name: await findNameAt(services, actor, payee, decision.createdAt) } };
}

const isNotIssued = (organizationId: string, id: string) => sql`SELECT 1 WHERE NOT EXISTS
  (SELECT 1 FROM ${certificates} WHERE "organizationId" = ${organizationId} AND "id" = ${id})`;

const notDecided = () =>
  new AppError(
    "NOT_DECIDED",
    409,
    "This verification has not been decided yet, so there is nothing to certify. Decide it first.",
  );
