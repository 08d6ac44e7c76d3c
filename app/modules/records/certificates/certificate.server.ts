import { auditLogs, certificates } from "@db/database";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { encode, renderSVG } from "uqr";
import * as z from "zod";
import { AppError, type FieldErrors } from "~/kernel/app-error";
import { sha256Hex } from "~/kernel/encodings";
import { isId } from "~/kernel/ids";
import { detailsIn } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { toPdf } from "~/modules/core/printed-documents/pdf-document";
import { listNoticesOfVerification } from "~/modules/messages/notifications/change-notices.statements.server";
import { findNameAt } from "~/modules/payees/payee-page.server";
import { type ReviewFlag, reviewFlagsOf } from "~/modules/payees/verifications/review-flags";
import { getVerification, type VerificationDetail } from "~/modules/payees/verifications/verification.server";
import { listCalls } from "~/modules/verifying/call-backs/call-back.server";
import type { Actor, ReadServices, Services, WriteServices } from "~/services-and-actor";
import {
  type Certificate,
  type CertificateFacts,
  certificateFacts,
  certificateText,
  sealOf,
  showSeal,
  stateOf,
  toCertificateView,
} from "./certificate";

/** The certificate issued for a verification; undefined before that, or when it is not the organisation's. */
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

/** The flags against an approval when a person decided, from the audit trail. A rule decides only without flags. */
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
  return reviewFlagsOf(decided && detailsIn<"verification.approved" | "verification.rejected">(decided).flags);
}

const encoder = new TextEncoder();

/** SHA-256 of a text in UTF-8, lower-case hexadecimal. */
export const hashOfText = (text: string): Promise<string> => sha256Hex(encoder.encode(text));

/**
 * The facts of the certificate with this id and hash, if its contents still have that hash; undefined otherwise. An
 * unknown id, a wrong hash and an altered record get the same answer after the same work.
 */
export async function findGenuine({ db }: ReadServices, { id, hash }: { id: string; hash: string }) {
  const [row] = await db
    .select({ hash: certificates.hash, facts: certificates.facts })
    .from(certificates)
    .where(eq(certificates.id, id));
  const computed = await hashOfText(row?.facts ?? "");
  const isGenuine = row !== undefined && computed === row.hash && row.hash === hash;
  return isGenuine ? (JSON.parse(row.facts) as CertificateFacts) : undefined;
}

/**
 * The certificate of a decided verification: the issued one, or a new one from the present facts. It is issued once and
 * never changes, even if the payee or organisation is renamed.
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
    audit: [{ action: "verification.certificate_issued", entityId: verificationId, details: { hash } }],
    answer: { id: verificationId, hash, facts },
  });
  // Another page that was opened at the same time issued it.
  const first = result.ok ? result.answer : await findCertificate(services, actor, verificationId);
  if (!first) throw new Error(`certificate of ${verificationId} was neither issued nor found`);
  return first;
}

/** The payee under its name when the verification was decided, because a later name was not verified. */
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
    "This verification has not been decided yet, so there is nothing to certify. Decide it first.",
  );

const HASH = /^[0-9a-f]{64}$/;

const typed = (what: RegExp | ((text: string) => boolean), message: string) =>
  z
    .string()
    .transform((text) => text.replace(/\s/g, "").toLowerCase())
    .refine((text) => (what instanceof RegExp ? what.test(text) : what(text)), message);

/** The form for checking whether a record is genuine. Blanks and case are ignored. */
const checkSchema = z.object({
  id: typed(isId, "Enter the record id as shown on the certificate: 36 characters with four hyphens"),
  hash: typed(HASH, "Enter the hash as shown on the certificate: 64 digits and letters from a to f"),
});

/** Checks whether a record is genuine, for people with its id and hash. `status`: 400 malformed, 404 no match. */
export async function checkRecord(
  services: ReadServices,
  given: { id: string | null; hash: string | null },
): Promise<{ check: RecordCheck; status: 200 | 400 | 404 }> {
  const asked = { id: given.id ?? "", hash: given.hash ?? "" };
  const nothing = { stated: null, seal: null };
  if (given.hash === null) return { check: { state: "asking", ...asked, ...nothing, errors: {} }, status: 200 };
  const read = checkSchema.safeParse(asked);
  if (!read.success) {
    const errors: FieldErrors = {};
    for (const { path, message } of read.error.issues) errors[path.join(".")] = [message];
    return { check: { state: "asking", ...asked, ...nothing, errors }, status: 400 };
  }
  const facts = await findGenuine(services, read.data);
  if (!facts) return { check: { state: "unknown", ...read.data, ...nothing, errors: {} }, status: 404 };
  const shown = { stated: stateOf(facts), seal: showSeal({ hash: read.data.hash, facts }) };
  return { check: { state: "genuine", ...read.data, ...shown, errors: {} }, status: 200 };
}

/** The public page's answer for a record id and a hash. */
export type RecordCheck = {
  /** `asking`: nothing was entered yet, or it is not an id and hash. */
  state: "asking" | "genuine" | "unknown";
  id: string;
  hash: string;
  /** How a genuine verification ended, without saying whom it is about; null: not known to be genuine. */
  stated: string | null;
  /** The seal of a genuine certificate. */
  seal: ReturnType<typeof showSeal> | null;
  errors: FieldErrors;
};

/** The certificate's page, with its seal, and the address of its public check as a QR code. */
export function showCertificate(certificate: Certificate, appOrigin: string) {
  const view = toCertificateView(certificate, appOrigin);
  const svg = renderSVG(view.checkAddress, { border: 2 });
  return { ...view, seal: showSeal(certificate), codeImage: `data:image/svg+xml;base64,${btoa(svg)}` };
}

/** The name of the facts file inside the PDF. */
const FACTS_FILE = "certificate.json";

/** The certificate as a PDF file that contains `certificate.json`, the text from which the hash is computed. */
export async function certificatePdf(
  { printFonts, config }: Pick<Services, "printFonts" | "config">,
  certificate: Certificate,
) {
  const view = toCertificateView(certificate, config.appOrigin);
  const bytes = await toPdf(
    {
      title: view.title,
      heading: view.heading,
      summary: view.summary,
      sections: view.sections,
      seal: sealOf(certificate),
      code: encode(view.checkAddress, { border: 0 }).data,
      notes: [
        `To check this record, open ${view.checkAddress}`,
        `The file ${FACTS_FILE} inside this document holds these facts; its SHA-256 is the hash above.`,
      ],
      footer: `${certificate.facts.organization.name}, from PayeeProof`,
      createdAt: Date.parse(certificate.facts.issuedAt),
      attachments: [
        {
          name: FACTS_FILE,
          text: certificateText(certificate.facts),
          type: "application/json",
          description: "The facts of the certificate: the text that the hash is computed from",
        },
      ],
    },
    printFonts,
  );
  return { name: `certificate-${certificate.id}.pdf`, bytes };
}
