/** Who the payee is to the bank-data provider. At least one of `email` and `mobile` (E.164) is given. */
export type BankDataPerson = {
  email?: string;
  mobile?: string;
  /** Set for an organisation: the provider stores it with its ABN. */
  businessName?: string;
  /** 11 digits. */
  abn?: string;
};

/** The state of the payee's consent and of collecting the data. */
export type ConsentProgress =
  /** The payee has not been at the bank yet. */
  | { state: "waiting" }
  | { state: "running"; jobId: string }
  /** The payee consented, but revoked the consent, or it expired. */
  | { state: "withdrawn"; hasExpired?: boolean }
  | { state: "succeeded"; jobId: string; connectionId?: string }
  /** `code` is the provider's step code, e.g. "authorization-failed". `retryable` is false if the payee refused. */
  | { state: "failed"; jobId: string; code: string; retryable: boolean };

/** One account the payee shared, in our terms. Numbers are digit strings. */
export type SharedAccount = {
  id: string;
  connectionId: string;
  /** Undefined when the provider gave none and it cannot be split off the account number. */
  bsb?: string;
  accountNumber?: string;
  /** The provider's concatenation of BSB and account number, digits only, when not masked. */
  combinedNumber?: string;
  /** Last visible digits when the number is masked. */
  visibleDigits?: string;
  /** The name the bank holds; undefined when the bank withheld it. */
  accountHolder?: string;
  /** `unknown`: the provider gave an undocumented value. */
  status: "available" | "closed" | "unknown";
  /** False if the bank says that the consenting person does not own it. */
  isOwned?: boolean;
  ownership: "one" | "two" | "many" | "unknown";
  /** The provider's name of the institution that holds the account; undefined when it gives none. */
  institutionName?: string;
};

/** The identity the bank holds for the consenting person or organisation. */
export type SharedIdentity = {
  connectionId: string;
  fullName?: string;
  businessName?: string;
  legalName?: string;
  /** 11 digits. */
  abn?: string;
};

export type SharedBankData = { accounts: SharedAccount[]; identities: SharedIdentity[] };

/**
 * A provider's event as we use it: something about this provider user changed, so its state is fetched. `eventType`
 * says what, e.g. "consent.revoked".
 */
export type BankDataEvent = { eventId: string; eventType: string; providerUserId: string };

/**
 * A bank-data provider that works with the payee's consent at their own bank.
 *
 * Every method throws `UpstreamError`; an answer about a different provider user is `wrong_tenant`.
 */
export interface PayeeConsentBankData {
  /** Name of the provider shown to people, e.g. "Basiq". */
  readonly providerName: string;
  /** Creates the provider's user. `reference` is our own id of the check, sent so that a repeat can be recognised. */
  createUser(person: BankDataPerson, reference: string): Promise<{ providerUserId: string }>;
  /** A fresh address of the provider's consent pages; `state` comes back with the payee. */
  createConsentUrl(input: { providerUserId: string; state: string }): Promise<string>;
  getProgress(providerUserId: string): Promise<ConsentProgress>;
  getSharedData(providerUserId: string): Promise<SharedBankData>;
  /** Fetches the event of a webhook. */
  getEvent(eventId: string): Promise<BankDataEvent>;
  /**
   * Users created since then (epoch milliseconds) and not deleted, as far as the provider's events tell: it has no list of
   * users, and keeps events for seven days.
   */
  listCreatedUsers(since: number): Promise<{ providerUserId: string; createdAt: number }[]>;
  /** Events since then about revoked or expired consents, of users who are not deleted. Seven days at most. */
  listEndedConsents(since: number): Promise<BankDataEvent[]>;
  /** Deletes the provider's user and all data there. Deleting a user who is gone is a success. */
  deleteUser(providerUserId: string): Promise<void>;
}
