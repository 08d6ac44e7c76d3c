import * as z from "zod";
import { downloadAnswer } from "~/http/responses.server";
import { CALL_OUTCOMES, CALL_SOURCES, CHECK_OUTCOMES, VERIFICATION_METHODS } from "~/kernel/enums";
import { toPdf } from "~/modules/core/printed-documents/pdf-document";
import { recordExport, recordReveal } from "~/modules/core/record-reveal.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { CERTIFICATE_FORMATS, titleOf } from "~/modules/records/certificates/certificate";
import { certificatePdf, issueCertificate } from "~/modules/records/certificates/certificate.server";
import { printedPack, readEvidencePack } from "~/modules/records/evidence-pack.server";
import type { Actor, Services } from "~/services-and-actor";
import { emailSalt, entry } from "./audit.server";
import {
  accountName,
  contactsTold,
  count,
  EXAMPLE,
  endpoint,
  flag,
  grade,
  id,
  idOf,
  maskedAccountNumber,
  sha256,
  text,
  writtenInstant,
} from "./endpoint.server";

const result = z.object({
  outcome: z.enum(CHECK_OUTCOMES).nullable().meta({ description: "Null: no bank gave an answer." }),
  reasonCode: text("provider_unavailable").nullable(),
  score: count(92).nullable(),
  reasons: z.array(text("The legal form differs.")),
  nameAtBank: text("WATTLE CREEK ELECTRICAL").nullable(),
  institution: text("Commonwealth Bank of Australia").nullable(),
  checkedAt: writtenInstant.nullable(),
  beside: z
    .object({
      headline: text("Another payee's former account"),
      why: text("The account was another payee's before."),
    })
    .nullable()
    .optional()
    .meta({
      description:
        "Since format 3: the headline at the time of the decision, if something besides the bank's answer counted against paying.",
    }),
});

const call = z.object({
  at: writtenInstant,
  by: text("Mira Okafor").nullable(),
  number: text("+61293744000"),
  source: z.enum(CALL_SOURCES),
  spokeTo: text("Jo Lindqvist, accounts").nullable(),
  outcome: z.enum(CALL_OUTCOMES),
  note: text("Read the account number back").nullable(),
  countsAsProof: flag(true),
});

const certificate = z.object({
  id: id(EXAMPLE.decidedVerification),
  title: text(
    "Certificate: Wattle Creek Electrical, verified: approved by a person, no bank was asked",
    "The heading of the page and the PDF: it says how the details were verified.",
  ),
  hash: sha256,
  facts: z
    .object({
      format: z.enum(CERTIFICATE_FORMATS),
      id: id(EXAMPLE.decidedVerification),
      issuedAt: writtenInstant,
      organization: z.object({ id: id(EXAMPLE.organization), name: text("Harbour Joinery") }),
      timeZone: text("Australia/Sydney"),
      payee: z.object({
        name: text("Wattle Creek Electrical"),
        accountName,
        bsb: text("062-000"),
        accountNumber: maskedAccountNumber,
      }),
      openedAt: writtenInstant,
      requestedBy: text("Mira Okafor").nullable(),
      method: z.enum(VERIFICATION_METHODS),
      provider: text("Basiq").nullable(),
      result,
      payeeAnswer: z.object({
        confirmedAt: writtenInstant.nullable(),
        disputedAt: writtenInstant.nullable(),
        note: text("We bank elsewhere").nullable(),
      }),
      callBacks: z.array(call),
      formerContact: contactsTold.nullable().optional().meta({
        description:
          "Since format 2, for a change of bank details: whether the payee's former contact had been told by the time of issue.",
      }),
      decision: z.object({
        status: z.enum(["verified", "rejected", "failed"]),
        at: writtenInstant,
        by: text("Mira Okafor").nullable().meta({ description: "Null: PayeeProof itself, by a rule." }),
        reason: text("Called the number in the contract").nullable(),
        grade: grade.optional(),
      }),
    })
    .meta({ description: "The hash is the SHA-256 of these as canonical JSON: keys sorted, no spaces." }),
});

const signedBytes = z.string().meta({ description: "Base64url.", example: "pQECAyYgASFYIA" });

const evidencePack = z.object({
  format: z.literal("payeeproof-evidence-1"),
  madeAt: writtenInstant,
  organization: z.object({ id: id(EXAMPLE.organization), name: text("Harbour Joinery") }),
  timeZone: text("Australia/Sydney"),
  subject: z.object({ type: z.enum(["payee", "payment"]), id: id(EXAMPLE.payee), name: text("Riverbend Timber") }),
  entries: z.array(
    z.object({
      entry: z.object({ ...entry, seq: count(41) }),
      prevHash: sha256,
      hash: sha256,
      isMasked: flag(false),
      emailSalt,
      sentence: text("Mira Okafor added Riverbend Timber."),
    }),
  ),
  isComplete: flag(true),
  certificates: z.array(certificate.omit({ title: true })),
  approvals: z
    .array(
      z.object({
        text: text('{"about":{"id":"0197f5b2-4a10-7000-8000-00000000a001","type":"payment"}}'),
        challenge: signedBytes,
        userId: id(EXAMPLE.person),
        publicKey: signedBytes,
        clientDataJson: signedBytes,
        authenticatorData: signedBytes,
        signature: signedBytes,
      }),
    )
    .meta({
      description:
        "What passkeys signed: `challenge` is the SHA-256 of `text`; everything else is as WebAuthn defines it.",
    }),
  tip: z.object({ count: count(41), hash: sha256 }).nullable(),
  hash: sha256,
});

const ofVerification = { id: idOf("verification", EXAMPLE.verification) };
const decided = { id: EXAMPLE.decidedVerification };

export const CERTIFICATE_CALLS = [
  endpoint({
    id: "readCertificate",
    group: "verifications",
    at: "GET /api/verifications/{id}/certificate",
    needs: "verifications:read",
    title: "Read a certificate",
    text: "The evidence behind a decided verification. It is issued at the first request and never changes.",
    path: ofVerification,
    answers: { 200: { text: "The certificate.", schema: z.object({ certificate }) } },
    refusals: ["NOT_DECIDED"],
    examples: [
      { title: "A decided verification", status: 200, path: decided },
      { title: "One that waits for a decision", status: 409, path: { id: EXAMPLE.verification } },
    ],
    run: async ({ services, actor, path }) => {
      const { id, hash, facts } = await issueCertificate(services, actor, path.id);
      return { certificate: { id, title: titleOf(facts), hash, facts } };
    },
  }),
  endpoint({
    id: "downloadCertificate",
    group: "verifications",
    at: "GET /api/verifications/{id}/certificate.pdf",
    needs: "verifications:read",
    title: "Download a certificate",
    text: "The certificate as a PDF, with the address at which anyone who holds it can check it.",
    path: ofVerification,
    answers: { 200: { text: "A PDF file.", type: "application/pdf" } },
    refusals: ["NOT_DECIDED"],
    examples: [{ title: "A decided verification", status: 200, path: decided }],
    run: async ({ services, actor, path }) => {
      const certificate = await issueCertificate(services, actor, path.id);
      const file = await certificatePdf(services, certificate);
      await recordExport(services, actor, "a certificate");
      return downloadAnswer({ ...file, type: "application/pdf" });
    },
  }),
];

/** The evidence about a payee or a payment. Each entry includes its seal, so unsealed entries are sealed first. */
export function evidenceCalls({
  type,
  path,
  example,
}: {
  type: "payee" | "payment";
  path: "payees" | "payments";
  example: string;
}) {
  const noun = type === "payee" ? "Payee" : "Payment";
  const shared = {
    group: path,
    needs: "audit:read",
    path: { id: idOf(type, example) },
    examples: [{ title: `One ${type}`, status: 200, path: { id: example } }],
  } as const;
  const readPack = async (services: Services, actor: Actor, id: string) => {
    await sealAuditTrail(services);
    const pack = await readEvidencePack(services, actor, { type, id });
    await recordExport(services, actor, "evidence");
    // The signed texts contain full account numbers.
    if (pack.approvals.length > 0) await recordReveal(services, actor, { entityType: type, entityId: id });
    return pack;
  };
  return [
    endpoint({
      ...shared,
      id: `read${noun}Evidence`,
      at: `GET /api/${path}/{id}/evidence`,
      title: `Read the evidence of a ${type}`,
      text: "What the audit trail holds about it, each entry with its seal, the certificates, and what passkeys signed. `scripts/verify-evidence.mjs` checks it without PayeeProof. Up to 1,000 entries. A token needs `audit:read`.",
      answers: { 200: { text: "The evidence pack.", schema: evidencePack } },
      run: ({ services, actor, path: { id } }) => readPack(services, actor, id),
    }),
    endpoint({
      ...shared,
      id: `download${noun}Evidence`,
      at: `GET /api/${path}/{id}/evidence.pdf`,
      title: `Download the evidence of a ${type}`,
      text: "The evidence pack as a PDF, with the JSON inside.",
      answers: { 200: { text: "A PDF file.", type: "application/pdf" } },
      run: async ({ services, actor, path: { id } }) => {
        const pack = await readPack(services, actor, id);
        const bytes = await toPdf(printedPack(pack, JSON.stringify(pack, null, 1)), services.printFonts);
        return downloadAnswer({ name: `evidence-${id}.pdf`, bytes, type: "application/pdf" });
      },
    }),
  ];
}
