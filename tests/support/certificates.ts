import type { CertificateFacts } from "~/modules/records/certificates/certificate";

/** The facts of a certificate, with something in every field. */
export const FACTS: CertificateFacts = {
  format: "payeeproof-certificate-1",
  id: "01a1f7a1-d6dc-7eef-947d-78ff5c9506b9",
  issuedAt: "2026-11-20T03:00:00.000Z",
  organization: { id: "01a1f7a1-0000-7eef-947d-78ff5c9506b9", name: "Harbour Joinery Pty Ltd" },
  timeZone: "Australia/Sydney",
  payee: { name: "Acme Timber", accountName: "Acme Timber Pty Ltd", bsb: "062-000", accountNumber: "•••••678" },
  openedAt: "2026-11-19T22:10:00.000Z",
  requestedBy: "Mira Okafor",
  method: "basiq",
  provider: "Basiq",
  result: {
    outcome: "close_match",
    reasonCode: null,
    score: 86,
    reasons: ["The legal form differs."],
    nameAtBank: "ACME TIMBERS",
    institution: "Commonwealth Bank of Australia",
    checkedAt: "2026-11-19T23:00:00.000Z",
  },
  payeeAnswer: { confirmedAt: "2026-11-19T22:50:00.000Z", disputedAt: null, note: null },
  callBacks: [
    {
      at: "2026-11-19T23:30:00.000Z",
      by: "Jo Wills",
      number: "+61293744000",
      source: "on_file",
      spokeTo: "Ana Silva",
      outcome: "confirmed",
      note: "Read the number back",
      countsAsProof: true,
    },
  ],
  decision: { status: "verified", at: "2026-11-20T02:00:00.000Z", by: null, reason: "Trading name" },
};

/** The same of a verification that a change of bank details opened, in the format that certificates are issued in now. */
export const FACTS_OF_CHANGE: CertificateFacts = {
  ...FACTS,
  format: "payeeproof-certificate-2",
  formerContact: {
    state: "not_told",
    message: "The former contact was NOT told at every address: the mailbox did not take the email.",
    contacts: [
      {
        channel: "sms",
        address: "+61412345678",
        changed: "bank_details",
        state: "told",
        reason: null,
        toldAt: "2026-11-19T22:11:00.000Z",
      },
      {
        channel: "email",
        address: "accounts@acme.example",
        changed: "bank_details",
        state: "not_told",
        reason: { code: "bounced", message: "the mailbox did not take the email" },
        toldAt: null,
      },
    ],
  },
};
