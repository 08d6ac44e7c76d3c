import { formatDateTime } from "~/kernel/dates";
import { type AuditRow, canonicalJson, toExportedEntry } from "~/modules/core/audit/entry";
import type { Printed } from "~/modules/core/printed-documents/pdf-document";
import { type Certificate, titleOf } from "~/modules/records/certificates/certificate";

/**
 * Everything that the audit trail holds of a payee or a payment, with the seals, to be checked without us: see
 * docs/decisions, evidence packs, and `scripts/verify-evidence.mjs`. Pure.
 */

export type SealedEntry = {
  /** As the trail's export has it: what `hash` is computed from. */
  entry: ReturnType<typeof toExportedEntry>;
  prevHash: string;
  /** SHA-256 of `prevHash`, a line end and the canonical JSON of `entry`, hex. */
  hash: string;
  /** Email addresses are masked for readers who are no administrators: the hash is that of the whole entry. */
  isMasked: boolean;
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
  /** False: there are more entries than a pack holds, and the newest are left out. */
  isComplete: boolean;
  certificates: Certificate[];
  /** The newest seal of the organisation's trail when the pack was made; null before the first. */
  tip: { count: number; hash: string } | null;
  /** SHA-256 of the canonical JSON of everything above, hex. */
  hash: string;
};

/** The text whose SHA-256 is the pack's hash. */
export const packText = (pack: Omit<EvidencePack, "hash">): string => canonicalJson(pack);

type Read = { row: AuditRow; seal: { seq: number; prevHash: string; hash: string }; sentence: string };

/** @param mask hides email addresses, and returns the same object where there are none */
export function toSealedEntry(
  { row, seal, sentence }: Read,
  mask: (details: AuditRow["details"]) => AuditRow["details"],
) {
  const details = mask(row.details);
  const { seq, prevHash, hash } = seal;
  return {
    entry: toExportedEntry({ ...row, details }, seq),
    prevHash,
    hash,
    isMasked: details !== row.details,
    sentence,
  };
}

/** The pack as a document, which carries the JSON inside. */
export function printedPack(pack: EvidencePack, json: string): Printed {
  const at = (iso: string) => formatDateTime(Date.parse(iso), pack.timeZone);
  const { organization, subject, entries, certificates, tip, isComplete } = pack;
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
