import * as z from "zod";
import { CALL_OUTCOMES, CALL_SOURCES, CHECK_OUTCOMES, VERIFICATION_METHODS } from "~/kernel/enums";
import { CERTIFICATE_FORMATS, type toCertificateJson } from "~/modules/records/certificates/certificate";
import { EXAMPLE } from "../example-ids";
import {
  accountName,
  count,
  describes,
  flag,
  grade,
  id,
  instant,
  maskedAccountNumber,
  sha256,
  text,
} from "./fields.server";
import { contactsTold } from "./payees.answers.server";

const result = z.object({
  outcome: z.enum(CHECK_OUTCOMES).nullable().meta({ description: "Null: no bank gave an answer." }),
  reasonCode: text("provider_unavailable").nullable(),
  score: count(92).nullable(),
  reasons: z.array(text("The legal form differs.")),
  nameAtBank: text("WATTLE CREEK ELECTRICAL").nullable(),
  institution: text("Commonwealth Bank of Australia").nullable(),
  checkedAt: instant.nullable(),
  beside: z
    .object({
      headline: text("Another payee's former account"),
      why: text("The account was another payee's before."),
    })
    .nullable()
    .optional()
    .meta({
      description:
        "Since format 3: under which headline it was decided, where something spoke against paying about which the bank's answer says nothing.",
    }),
});

const call = z.object({
  at: instant,
  by: text("Mira Okafor").nullable(),
  number: text("+61293744000"),
  source: z.enum(CALL_SOURCES),
  spokeTo: text("Jo Lindqvist, accounts").nullable(),
  outcome: z.enum(CALL_OUTCOMES),
  note: text("Read the account number back").nullable(),
  countsAsProof: flag(true),
});

export const certificate = describes<ReturnType<typeof toCertificateJson>>()(
  z.object({
    id: id(EXAMPLE.decidedVerification),
    title: text(
      "Certificate: Wattle Creek Electrical, verified: approved by a person, no bank was asked",
      "As the page and the PDF are headed: it says how the details were verified.",
    ),
    hash: sha256,
    facts: z
      .object({
        format: z.enum(CERTIFICATE_FORMATS),
        id: id(EXAMPLE.decidedVerification),
        issuedAt: instant,
        organization: z.object({ id: id(EXAMPLE.organization), name: text("Harbour Joinery") }),
        timeZone: text("Australia/Sydney"),
        payee: z.object({
          name: text("Wattle Creek Electrical"),
          accountName,
          bsb: text("062-000"),
          accountNumber: maskedAccountNumber,
        }),
        openedAt: instant,
        requestedBy: text("Mira Okafor").nullable(),
        method: z.enum(VERIFICATION_METHODS),
        provider: text("Basiq").nullable(),
        result,
        payeeAnswer: z.object({
          confirmedAt: instant.nullable(),
          disputedAt: instant.nullable(),
          note: text("We bank elsewhere").nullable(),
        }),
        callBacks: z.array(call),
        formerContact: contactsTold.nullable().optional().meta({
          description:
            "Since format 2, of a change of bank details: whether whoever was the payee's contact before was told, as it stood at issue.",
        }),
        decision: z.object({
          status: z.enum(["verified", "rejected", "failed"]),
          at: instant,
          by: text("Mira Okafor").nullable().meta({ description: "Null: PayeeProof itself, by a rule." }),
          reason: text("Called the number in the contract").nullable(),
          grade: grade.optional(),
        }),
      })
      .meta({ description: "The hash is the SHA-256 of these as canonical JSON: keys sorted, no spaces." }),
  }),
);
