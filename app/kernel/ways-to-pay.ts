/**
 * Each kind of way to pay besides a bank account, and of what else is known by an accepted invoice, as people call it: its
 * field in the payee's history.
 */
export const WAY_LABELS = {
  pay_id: "PayID",
  biller: "BPAY biller code",
  qr_code_leads_elsewhere: "QR code",
  payment_link: "Payment link",
  cheque_payee: "Name for cheques",
  collector: "Collector",
  iban_or_swift: "Account abroad",
  debited: "Account to be debited",
  account_beside: "Second account",
  reply_to: "Address for answers",
  picture: "Picture",
} as const;

export type WayKind = keyof typeof WAY_LABELS;
export const WAY_KINDS = Object.keys(WAY_LABELS) as [WayKind, ...WayKind[]];
export const WAY_FIELDS: string[] = Object.values(WAY_LABELS);
