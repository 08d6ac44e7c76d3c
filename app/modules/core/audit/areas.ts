/** The areas of audit actions, for the filter: there are too many actions for one list. */
export const AUDIT_AREAS = {
  payees: { label: "Payees", nouns: ["payee", "payee_request", "payee_health", "import", "bulk_check"] },
  verifications: { label: "Verifications", nouns: ["verification"] },
  payments: { label: "Payments", nouns: ["payment", "payment_file", "remittance", "invoice"] },
  people: { label: "People and sign-in", nouns: ["member", "user", "session", "api_token", "approval"] },
  organization: {
    label: "The organisation",
    nouns: [
      "organization",
      "integration",
      "webhook",
      "subscription",
      "message",
      "job",
      "contact",
      "report",
      "records",
      "bsb_directory",
      "audit",
      "platform",
      "restore",
    ],
  },
} as const;

export type AuditArea = keyof typeof AUDIT_AREAS;

export const isAuditArea = (text: string): text is AuditArea => Object.hasOwn(AUDIT_AREAS, text);

/** The noun of an action: the part before the full stop. */
const nounOf = (action: string): string => action.split(".", 1)[0] ?? "";

export const areaOf = (action: string): AuditArea | undefined =>
  (Object.keys(AUDIT_AREAS) as AuditArea[]).find((area) =>
    (AUDIT_AREAS[area].nouns as readonly string[]).includes(nounOf(action)),
  );
