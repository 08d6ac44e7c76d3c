/** What PayeeProof needs of an accounting system; each system is an adapter behind this port. */

/** What proves to the system that a person allowed us in. Secret; instants in epoch milliseconds. */
export type Credentials = {
  accessToken: string;
  /** When the access token ends. */
  accessUntil: number;
  /** Good for one use: each use gives another. */
  refreshToken: string;
};

/** One set of books there: an organisation of Xero, a company file of MYOB. */
export type Ledger = {
  id: string;
  name: string;
  /** What is deleted there to disconnect this one set of books; null where consent is withdrawn as a whole. */
  connectionId: string | null;
};

/** A supplier as the system holds it. Texts are as people typed them there; null where there is none. */
export type AccountingContact = {
  id: string;
  name: string;
  email: string | null;
  phone: string | null;
  address: string | null;
  abn: string | null;
  /** The name on the bank account, where the system keeps one apart from the contact's. */
  accountName: string | null;
  /** `text` is one free text that holds both, as a person typed it. */
  account: { bsb: string; accountNumber: string } | { text: string } | null;
  /** Out of use there, also because it was merged into another contact. */
  isArchived: boolean;
};

export type ContactsPage = {
  contacts: AccountingContact[];
  /** Where the next page begins; null after the last. */
  next: string | null;
};

/** A bill that was approved there; "open": something is still to be paid. Amounts in integer cents of its currency (ISO 4217). */
export type AccountingBill = {
  id: string;
  contactId: string;
  supplier: string;
  /** As the supplier wrote it on the bill, where the system keeps that. */
  number: string | null;
  status: "open" | "paid" | "void";
  amountDue: number;
  amountPaid: number;
  currency: string;
};

export type BillsPage = {
  bills: AccountingBill[];
  next: string | null;
  /** All open bills are listed, page by page: one that is not among them is open no more. */
  isWhole: boolean;
  /** What the system calls this page, where it does; null: it does not. */
  tag: string | null;
};

/** A payment of a supplier's bill, as the system holds it. */
export type AccountingPayment = {
  id: string;
  contactId: string;
  /** Integer cents, Australian dollars. */
  amount: number;
  /** Noon UTC of the day, epoch milliseconds. */
  paidAt: number;
  /** The account that was paid, as one free text; null where the system does not say. */
  accountText: string | null;
  billNumber: string | null;
  /** Found in the bank's statement. */
  isReconciled: boolean;
  isDeleted: boolean;
};

export type PaymentsPage = { payments: AccountingPayment[]; next: string | null };

/** Which books, and the token that opens them. */
export type Access = { accessToken: string; ledgerId: string };

/** An edit of a contact there: by whom, as far as its history says, and when in epoch milliseconds. */
export type ContactEdit = { by: string | null; at: number };

type ConsentRequest = {
  /** Also asks to write notes into the history of suppliers. */
  writesNotes: boolean;
  /** Comes back with the person: proves that this browser began. */
  state: string;
  /** SHA-256 of the verifier, base64url (RFC 7636). Not sent to a system that does not know it. */
  codeChallenge: string;
  /** The address of ours that the person comes back to. */
  returnUrl: string;
};

export type ConsentReturn = {
  code: string;
  codeVerifier: string;
  returnUrl: string;
  /** The address the person came back with, for what a system adds to it. */
  query: URLSearchParams;
};

export interface AccountingSystem {
  /** Where the system limits the calls of all our customers together: how long one call sets out after another. */
  callEveryMs?: number;
  /** Where a person allows us in. */
  consentUrl(request: ConsentRequest): string;
  /** Exchanges the code that the person came back with. @throws AccessLost for a code that is not good */
  acceptConsent(returned: ConsentReturn): Promise<{ credentials: Credentials; ledgers: Ledger[] }>;
  /** @throws AccessLost when the consent has ended */
  refresh(refreshToken: string): Promise<Credentials>;
  /**
   * One page of suppliers, also those out of use there, in an order that changes there do not move.
   * @param since epoch milliseconds: only what changed there since then
   * @throws AccessLost, AccessExpired, UpstreamError
   */
  listContacts(access: Access, asked: { page: string | null; since: number | null }): Promise<ContactsPage>;
  /** Every edit of a contact. Absent where the system keeps no history. @throws AccessLost, AccessExpired, UpstreamError */
  listEdits?(access: Access, contactId: string): Promise<ContactEdit[]>;
  /**
   * One page of approved bills, in an order that changes there do not move.
   * @param since epoch milliseconds: also those paid, voided or deleted since then; null: the open ones
   * @param tag of the list when it was one page: undefined answers that it is the same still
   * @throws AccessLost, AccessExpired, UpstreamError
   */
  listBills(
    access: Access,
    asked: { page: string | null; since: number | null; tag: string | null },
  ): Promise<BillsPage | undefined>;
  /**
   * One page of payments to suppliers that changed there since. Absent where the system does not say to which account a
   * payment went. @throws AccessLost, AccessExpired, UpstreamError
   */
  listPayments?(access: Access, asked: { page: string | null; since: number }): Promise<PaymentsPage>;
  /**
   * Writes a note into the history of a supplier. Absent where the system has none that an app can write.
   * @param key the same for each try: the system writes the note once
   * @throws AccessLost, AccessExpired, UpstreamError
   */
  addNote?(access: Access, note: { contactId: string; text: string; key: string }): Promise<void>;
  /**
   * Ends our access there: to these connections, and to everything once none is left. What is gone already is a success.
   * Absent where the system has no such call.
   * @throws AccessExpired, UpstreamError
   */
  revoke?(credentials: Credentials, connectionIds: readonly string[]): Promise<void>;
}

/** Why the system will not let us in again before a person connects it anew. */
export type LostReason = "consent_ended" | "ledger_removed" | "not_permitted";

/** Only a person can mend this, by connecting again. */
export class AccessLost extends Error {
  override readonly name = "AccessLost";

  constructor(
    readonly reason: LostReason,
    detail: string,
  ) {
    super(`${reason}: ${detail}`);
  }
}

/** The access token is not taken any more; a new one may be. */
export class AccessExpired extends Error {
  override readonly name = "AccessExpired";
}
