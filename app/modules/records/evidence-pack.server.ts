import {
  auditLogs,
  auditSeals,
  certificates,
  invoices,
  paymentFileLines,
  paymentRecords,
  users,
  verifications,
} from "@db/database";
import { and, asc, desc, eq, inArray, ne, or, sql } from "drizzle-orm";
import { notFound } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import { maskEmails } from "~/kernel/email";
import { canonicalJson, sha256Hex } from "~/kernel/encodings";
import { displayName } from "~/kernel/text";
import { type Approvable, listSigned } from "~/modules/accounts/identity/signed-approval.server";
import { sealedColumns } from "~/modules/core/audit/audit.server";
import { forReader, seesEmails, toExportedEntry } from "~/modules/core/audit/entry";
import { findTip } from "~/modules/core/audit/seals.server";
import type { Printed } from "~/modules/core/printed-documents/pdf-document";
import { getPayee } from "~/modules/payees/payee.server";
import { auditSentence } from "~/modules/records/audit-trail/audit-sentence";
import { readAuditNames } from "~/modules/records/audit-trail/names.server";
import { type Certificate, type CertificateFacts, titleOf } from "~/modules/records/certificates/certificate";
import type { Actor, ReadServices, TimedServices } from "~/services-and-actor";

/** The most verifications, invoices and entries in one pack; more are left out, and the pack says so. */
const MAX_VERIFICATIONS = 200;
const MAX_INVOICES = 200;
const MAX_ENTRIES = 1_000;

export type PackSubject = { type: "payee" | "payment"; id: string };

/** The sealed audit entries about a payee, its verifications and invoices, or also a payment. @throws AppError 404 */
export async function readEvidencePack(services: TimedServices, actor: Actor, subject: PackSubject) {
  const { organizationId, organizationName, timeZone } = actor;
  const found = await findSubject(services, actor, subject);
  const [verificationIds, invoiceIds] = found.payeeId
    ? await Promise.all([
        listVerificationIds(services, organizationId, found.payeeId),
        listInvoiceIds(services, organizationId, found.payeeId),
      ])
    : [[], []];
  const isOf = subject.type === "payment" ? await findFileOf(services, organizationId, subject.id) : undefined;
  const decided = [
    ...(subject.type === "payment" ? [{ type: "payment", id: subject.id }] : []),
    ...(isOf ? [{ type: "payment_file", id: isOf }] : []),
  ];
  const things = [
    ...decided.map(({ type, id }) => `${type} ${id}`),
    ...(found.payeeId ? [`payee ${found.payeeId}`] : []),
    ...verificationIds.map((id) => `verification ${id}`),
    ...invoiceIds.map((id) => `invoice ${id}`),
  ];
  const [entries, issued, approvals, tip] = await Promise.all([
    readSealed(services, organizationId, things),
    readCertificates(services, organizationId, verificationIds),
    listSigned(services, organizationId, decided),
    findTip(services, organizationId),
  ]);
  const names = await readAuditNames(services, organizationId, entries);
  const whole = seesEmails(actor);
  const shown = await Promise.all(
    entries.slice(0, MAX_ENTRIES).map(async ({ seal, user: _, ...sealed }): Promise<SealedEntry> => {
      const { row, salt, isMasked } = await forReader(sealed, seal, { whole });
      const details = whole ? sealed.details : maskEmails(sealed.details);
      return {
        ...{ entry: toExportedEntry(row, seal.seq), prevHash: seal.prevHash, hash: seal.hash, isMasked },
        ...(salt !== null && { emailSalt: salt }),
        sentence: auditSentence({ ...row, details }, names),
      };
    }),
  );
  const pack: Omit<EvidencePack, "hash"> = {
    format: "payeeproof-evidence-1",
    madeAt: toIso(services.clock.now()),
    organization: { id: organizationId, name: organizationName },
    timeZone,
    subject: { ...subject, name: found.name },
    entries: shown,
    isComplete:
      entries.length <= MAX_ENTRIES && verificationIds.length < MAX_VERIFICATIONS && invoiceIds.length < MAX_INVOICES,
    certificates: issued,
    approvals,
    tip: tip ?? null,
  };
  return { ...pack, hash: await sha256Hex(new TextEncoder().encode(packText(pack))) };
}

async function findSubject(services: ReadServices, actor: Actor, { type, id }: PackSubject) {
  if (type === "payee") return { payeeId: id, name: (await getPayee(services, actor, id)).name };
  const [payment] = await services.db
    .select({ payeeId: paymentRecords.payeeId, accountName: paymentRecords.accountName })
    .from(paymentRecords)
    .where(and(eq(paymentRecords.organizationId, actor.organizationId), eq(paymentRecords.id, id)));
  if (!payment) throw notFound();
  return { payeeId: payment.payeeId, name: `a payment to ${payment.accountName}` };
}

async function findFileOf({ db }: ReadServices, organizationId: string, paymentId: string) {
  const [line] = await db
    .select({ fileId: paymentFileLines.fileId })
    .from(paymentFileLines)
    .where(and(eq(paymentFileLines.organizationId, organizationId), eq(paymentFileLines.paymentId, paymentId)));
  return line?.fileId;
}

/** Entries about a file that concern all of its payments: that it was cleared, and what passkeys signed. */
const OF_FILE = ["approval.signed", "payment_file.cleared"];

/** The payee's newest invoices. */
async function listInvoiceIds({ db }: ReadServices, organizationId: string, payeeId: string): Promise<string[]> {
  const rows = await db
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(eq(invoices.organizationId, organizationId), eq(invoices.payeeId, payeeId)))
    .orderBy(desc(invoices.id))
    .limit(MAX_INVOICES);
  return rows.map(({ id }) => id);
}

/** The payee's newest verifications. */
async function listVerificationIds({ db }: ReadServices, organizationId: string, payeeId: string): Promise<string[]> {
  const rows = await db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.payeeId, payeeId)))
    .orderBy(desc(verifications.id))
    .limit(MAX_VERIFICATIONS);
  return rows.map(({ id }) => id);
}

/** @param things `payee ID`, `verification ID`, `payment ID` */
async function readSealed({ db }: ReadServices, organizationId: string, things: readonly string[]) {
  const asked = JSON.stringify(things.map((thing) => thing.split(" ")));
  const rows = await db
    .select({
      ...sealedColumns,
      seal: { seq: auditSeals.seq, prevHash: auditSeals.prevHash, hash: auditSeals.hash },
      user: { firstName: users.firstName, lastName: users.lastName, email: users.email },
    })
    .from(sql`json_each(${asked})`)
    .innerJoin(
      auditLogs,
      and(
        eq(auditLogs.organizationId, organizationId),
        sql`${auditLogs.entityType} = json_each.value ->> 0`,
        sql`${auditLogs.entityId} = json_each.value ->> 1`,
        or(ne(auditLogs.entityType, "payment_file"), inArray(auditLogs.action, OF_FILE)),
      ),
    )
    .innerJoin(auditSeals, eq(auditSeals.position, auditLogs.position))
    .leftJoin(users, eq(users.id, auditLogs.userId))
    .orderBy(asc(auditSeals.seq))
    .limit(MAX_ENTRIES + 1);
  return rows.map(({ user, ...row }) => ({ ...row, user: user && { name: displayName(user), email: user.email } }));
}

async function readCertificates({ db }: ReadServices, organizationId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: certificates.id, hash: certificates.hash, facts: certificates.facts })
    .from(certificates)
    .where(
      and(
        eq(certificates.organizationId, organizationId),
        sql`${certificates.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    )
    .orderBy(asc(certificates.id));
  return rows.map(({ facts, ...row }) => ({ ...row, facts: JSON.parse(facts) as CertificateFacts }));
}

/**
 * All audit entries about a payee or a payment with their seals, which can be verified without us: see docs/decisions,
 * evidence packs, and `scripts/verify-evidence.mjs`. Pure.
 */

export type SealedEntry = {
  /** As in the trail's export: `hash` is computed from it. */
  entry: ReturnType<typeof toExportedEntry>;
  prevHash: string;
  /**
   * Hexadecimal SHA-256 of `prevHash`, a line end and the canonical JSON of `entry`; with an `emailSalt`, of the entry
   * with digests in place of its email addresses.
   */
  hash: string;
  /** Email addresses are masked because the reader is not an administrator; the hash is that of the full entry. */
  isMasked: boolean;
  emailSalt?: string;
  sentence: string;
};

export type EvidencePack = {
  format: "payeeproof-evidence-1";
  madeAt: string;
  organization: { id: string; name: string };
  timeZone: string;
  subject: { type: "payee" | "payment"; id: string; name: string };
  /** Oldest first. */
  entries: SealedEntry[];
  /** False: there are more entries than a pack holds, and the newest were left out. */
  isComplete: boolean;
  certificates: Certificate[];
  /** The texts that passkeys signed, with their proofs. The sealed `approval.signed` entries name the keys. */
  approvals: Awaited<ReturnType<typeof listSigned>>;
  /** The newest seal of the organisation's trail when the pack was created; null before the first. */
  tip: { count: number; hash: string } | null;
  /** Hexadecimal SHA-256 of the canonical JSON of everything above. */
  hash: string;
};

/** The text whose SHA-256 is the pack's hash. */
export const packText = (pack: Omit<EvidencePack, "hash">): string => canonicalJson(pack);

/** The pack as a document with the JSON embedded. */
export function printedPack(pack: EvidencePack, json: string): Printed {
  const at = (iso: string) => formatDateTime(Date.parse(iso), pack.timeZone);
  const { organization, subject, entries, certificates, approvals, tip, isComplete } = pack;
  return {
    title: `Evidence: ${subject.name}`,
    summary: `${organization.name}, made ${at(pack.madeAt)} (${pack.timeZone}). ${entries.length} entries of the audit trail.`,
    sections: [
      {
        title: "What happened",
        rows: entries.map(({ entry, sentence }) => ({
          term: `${at(entry.createdAt)}, #${entry.seq}`,
          value: sentence,
        })),
      },
      {
        title: "Certificates",
        rows:
          certificates.length === 0
            ? [{ term: "Issued", value: "No certificate of these verifications was issued." }]
            : certificates.flatMap(({ id, hash, facts }) => [
                { term: "Certificate", value: titleOf(facts) },
                { term: "Record id and hash", value: `${id} ${hash}`, isCode: true as const },
              ]),
      },
      ...(approvals.length === 0
        ? []
        : [
            {
              title: "Signed with a passkey",
              rows: approvals.flatMap(({ text, challenge }) => [
                ...(JSON.parse(text) as { shows: Approvable["shows"] }).shows.map((shown) => ({ ...shown })),
                { term: "SHA-256, as it was signed", value: challenge, isCode: true as const },
              ]),
            },
          ]),
      {
        title: "Seals",
        rows: [
          ...entries.map(({ entry, hash }) => ({ term: `Entry #${entry.seq}`, value: hash, isCode: true as const })),
          ...(tip ? [{ term: `Newest seal, #${tip.count}`, value: tip.hash, isCode: true as const }] : []),
          { term: "Hash of this pack", value: pack.hash, isCode: true },
        ],
      },
    ],
    notes: [
      ...(isComplete
        ? []
        : [
            "There are more entries than a pack holds: the newest are left out. Export the audit trail for all of them.",
          ]),
      "The file evidence.json inside this document has every entry in full. The script verify-evidence.mjs checks it without PayeeProof.",
    ],
    footer: `${organization.name}, from PayeeProof`,
    createdAt: Date.parse(pack.madeAt),
    attachments: [
      {
        name: "evidence.json",
        text: json,
        type: "application/json",
        description: "The evidence pack, to be checked by a program",
      },
    ],
  };
}
