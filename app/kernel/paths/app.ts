import { folders, sitePaths } from "./site";

/** Paths of the signed-in app. */

const { subscription } = sitePaths;
const payees = "/payees";
const imports = `${payees}/import`;
const bulkChecks = `${payees}/checks`;
const verifications = "/verifications";
const payments = "/payments";
const paymentFiles = `${payments}/files`;
const invoices = "/invoices";
const profile = "/profile";
const settings = "/settings";
const integrations = "/integrations";
const webhooks = `${settings}/webhooks`;

/** The page of one row, or a page below it. */
const pageOf =
  (list: string, below = "") =>
  (id: string) =>
    `${list}/${id}${below}`;

export const appPaths = {
  dashboard: "/dashboard",
  sampleData: "/sample-data",
  alerts: "/alerts",
  search: "/search",
  audit: "/audit",
  auditOf: (type: "payee" | "payment", id: string) => `/audit?thing=${type}:${id}`,
  auditCsv: "/audit/export.csv",
  auditSeals: "/audit/seals",
  auditExport: `${folders.api}/audit/export.ndjson`,
  reports: "/reports",
  reportCsv: "/reports/export.csv",
  users: `${folders.admin}/users`,
  organizations: `${folders.admin}/organizations`,
  operations: `${folders.admin}/operations`,
  bsbDirectory: `${folders.admin}/bsb-directory`,
  restores: `${folders.admin}/restores`,
  dataRequests: `${folders.admin}/data-requests`,

  payees,
  newPayee: `${payees}/verify`,
  bulkChecks,
  bulkCheck: pageOf(bulkChecks),
  payeeRequests: `${payees}/requests`,
  trustedNext: `${payees}/trusted-next`,
  institution: `${payees}/institution`,
  knownPayees: `${payees}/known`,
  payee: pageOf(payees),
  editPayee: pageOf(payees, "/edit"),
  payeeAccounting: pageOf(payees, "/accounting"),
  payeeEvidence: pageOf(`${folders.api}${payees}`, "/evidence"),
  payeeEvidencePdf: pageOf(`${folders.api}${payees}`, "/evidence.pdf"),
  payeesExport: `${payees}/export`,
  payeeHealth: `${payees}/health`,
  payeeHealthExport: `${payees}/health/export`,

  imports,
  import: pageOf(imports),
  importResult: pageOf(imports, "/result"),

  verifications,
  pendingVerifications: `${verifications}/pending`,
  /** All verifications, including decided ones with their certificates. */
  allVerifications: `${verifications}/all`,
  verification: pageOf(verifications),
  verificationNotes: pageOf(verifications, "/notes"),
  certificate: pageOf(verifications, "/certificate"),
  certificatePdf: pageOf(`${folders.api}${verifications}`, "/certificate.pdf"),
  certificateJson: pageOf(`${folders.api}${verifications}`, "/certificate"),
  verificationsCsv: `${verifications}/export.csv`,

  payments,
  newPayment: `${payments}/new`,
  paymentsTable: `${payments}.csv`,
  payment: pageOf(payments),
  paymentEvidence: pageOf(`${folders.api}${payments}`, "/evidence"),
  paymentEvidencePdf: pageOf(`${folders.api}${payments}`, "/evidence.pdf"),
  paymentReplay: pageOf(payments, "/replay"),

  paymentFiles,
  proveFile: `${paymentFiles}/prove`,
  fileSettings: `${paymentFiles}/settings`,
  paymentFile: pageOf(paymentFiles),
  fileCertificate: pageOf(paymentFiles, "/certificate"),
  fileCleared: pageOf(paymentFiles, "/cleared"),
  fileOriginal: pageOf(paymentFiles, "/original"),
  fileOutcomes: pageOf(paymentFiles, "/outcomes"),
  fileReplay: pageOf(paymentFiles, "/replay"),

  invoices,
  invoiceSettings: `${invoices}/settings`,
  supplierInvoice: pageOf(invoices),
  supplierInvoiceOriginal: pageOf(invoices, "/original"),
  supplierInvoiceReplay: pageOf(invoices, "/replay"),

  profile,
  alertSettings: `${profile}/alerts`,
  passkeys: `${profile}/passkeys`,
  password: `${profile}/password`,
  reviewing: `${profile}/reviewing`,
  sessions: `${profile}/sessions`,
  tokens: `${profile}/tokens`,
  twoStep: `${profile}/two-step`,

  integrations,
  integration: pageOf(integrations),
  connectIntegration: pageOf(integrations, "/connect"),
  /** The same, requesting the consent that notes need. */
  connectIntegrationWithNotes: pageOf(integrations, "/connect?notes=on"),
  integrationReturn: pageOf(integrations, "/return"),

  settings,
  domains: `${settings}/domains`,
  members: `${settings}/members`,
  policies: `${settings}/policies`,
  singleSignOn: `${settings}/single-sign-on`,
  organizationExport: `${settings}/export.ndjson`,
  staffAccounts: `${settings}/staff-accounts`,
  stoppedAddresses: `${settings}/stopped-addresses`,
  webhooks,
  webhook: pageOf(webhooks),

  subscription,
  cancelSubscription: `${subscription}/cancel`,
  invoice: pageOf(`${subscription}/invoices`),
  stripeRedirect: (to: "payment" | "card" | "portal") => `${subscription}/stripe-redirect?to=${to}`,
} as const;

const PAGES: Readonly<Record<string, (id: string) => string>> = {
  payee: appPaths.payee,
  verification: appPaths.verification,
  payment: appPaths.payment,
  payment_file: appPaths.paymentFile,
  invoice: appPaths.supplierInvoice,
};

/** The page for the subject of an audit entry; null if it has no page. */
export function findEntityPath({ entityType, entityId }: { entityType: string | null; entityId: string | null }) {
  const toPath = PAGES[entityType ?? ""];
  return toPath && entityId ? toPath(entityId) : null;
}
