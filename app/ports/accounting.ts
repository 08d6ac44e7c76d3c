/** The accounting system as PayeeProof uses it; each system is an adapter of this port. */

/** The tokens of a person's consent. Secret; instants in epoch milliseconds. */
export type Credentials = {
  accessToken: string;
  /** When the access token expires. */
  accessUntil: number;
  /** Valid once: each use returns a new one. */
  refreshToken: string;
};

/** One set of books there: an organisation of Xero, a company file of MYOB. */
export type Ledger = {
  id: string;
  name: string;
  /** The id to delete when disconnecting this company file; null if only the whole consent can be revoked. */
  connectionId: string | null;
};

/** A supplier in the accounting system. Texts are as typed there; null if there is none. */
export type AccountingContact = {
  id: string;
  name: string;
  email: string | null;
  phone: string | null;
  address: string | null;
  abn: string | null;
  /** The account name, if the system stores one separately from the contact's name. */
  accountName: string | null;
  /** `text` is one free text with both numbers, as somebody typed it. */
  account: { bsb: string; accountNumber: string } | { text: string } | null;
  /** Archived there, or merged into another contact. */
  isArchived: boolean;
};

export type ContactsPage = {
  contacts: AccountingContact[];
  /** Where the next page begins; null after the last. */
  next: string | null;
};

/** A bill that was approved there; "open": not fully paid. Amounts in integer cents of its currency (ISO 4217). */
export type AccountingBill = {
  id: string;
  contactId: string;
  supplier: string;
  /** The supplier's own number on the bill, if the system stores it. */
  number: string | null;
  status: "open" | "paid" | "void";
  amountDue: number;
  amountPaid: number;
  currency: string;
};

export type BillsPage = {
  bills: AccountingBill[];
  next: string | null;
  /** Open bills are always listed completely, page by page: a bill that is missing is no longer open. */
  isWhole: boolean;
  /** The page's ETag; null if the system has none. */
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
  /** The account that was paid, as one free text; null if the system does not provide it. */
  accountText: string | null;
  billNumber: string | null;
  /** Found in the bank's statement. */
  isReconciled: boolean;
  isDeleted: boolean;
};

export type PaymentsPage = { payments: AccountingPayment[]; next: string | null };

/** The company file, and the token that opens it. */
export type Access = { accessToken: string; ledgerId: string };

/** An edit of a contact: by whom, if known, and when in epoch milliseconds. */
export type ContactEdit = { by: string | null; at: number };

export type ConsentReturn = {
  code: string;
  codeVerifier: string;
  returnUrl: string;
  /** The full address with which the person returned, for parameters that only some systems add. */
  query: URLSearchParams;
};

export interface AccountingSystem {
  /** If the system limits calls across all our customers: the time between the starts of two calls. */
  callEveryMs?: number;
  /** The address of the consent page. */
  consentUrl(request: {
    /** Also requests access to write notes into suppliers' histories. */
    writesNotes: boolean;
    /** Returned with the person: proves that the consent was started by this browser. */
    state: string;
    /** SHA-256 of the verifier, base64url (RFC 7636). Not sent to a system that does not support it. */
    codeChallenge: string;
    /** Our address to which the person returns. */
    returnUrl: string;
  }): string;
  /** Exchanges the code from the consent page. @throws AccessLost for an invalid code */
  acceptConsent(returned: ConsentReturn): Promise<{ credentials: Credentials; ledgers: Ledger[] }>;
  /** @throws AccessLost if the consent has ended */
  refresh(refreshToken: string): Promise<Credentials>;
  /**
   * One page of suppliers, including archived ones, in an order that edits there do not change.
   * @param since epoch milliseconds: only what changed since then
   * @throws AccessLost, AccessExpired, UpstreamError
   */
  listContacts(access: Access, asked: { page: string | null; since: number | null }): Promise<ContactsPage>;
  /** Every edit of a contact. Absent if the system has no history. @throws AccessLost, AccessExpired, UpstreamError */
  listEdits?(access: Access, contactId: string): Promise<ContactEdit[]>;
  /**
   * One page of approved bills, in an order that changes there do not move.
   * @param since epoch milliseconds: also those paid, voided or deleted since then; null: the open ones
   * @param tag the ETag of a list of one page; if the list has not changed, the answer is undefined
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
   * Writes a note into a supplier's history. Absent if the system does not let apps do so.
   * @param key the same for each attempt: the system writes the note once
   * @throws AccessLost, AccessExpired, UpstreamError
   */
  addNote?(access: Access, note: { contactId: string; text: string; key: string }): Promise<void>;
  /**
   * Ends our access to these connections and, once none is left, to the system. If it has already ended, that is a
   * success. Absent if the system has no such call.
   * @throws AccessExpired, UpstreamError
   */
  revoke?(credentials: Credentials, connectionIds: readonly string[]): Promise<void>;
}

/** Why we lost access until a person reconnects the system. */
export type LostReason = "consent_ended" | "ledger_removed" | "not_permitted";

/** Only a person can fix this, by connecting again. */
export class AccessLost extends Error {
  override readonly name = "AccessLost";

  constructor(
    readonly reason: LostReason,
    detail: string,
  ) {
    super(`${reason}: ${detail}`);
  }
}

/** The access token is no longer accepted; a new one may be. */
export class AccessExpired extends Error {
  override readonly name = "AccessExpired";
}
