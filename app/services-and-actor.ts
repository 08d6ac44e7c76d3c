import type { Db } from "@db/database";
import { refusalOf, type Standing } from "./kernel/access";
import type { ConnectableSystem } from "./kernel/accounting-system";
import type { OrganizationRole, SignInMethod, UserRole, UserStatus } from "./kernel/enums";
import type { LegalEntity } from "./kernel/legal-entity";
import type { AccountingSystem } from "./ports/accounting";
import type { PayeeConsentBankData } from "./ports/bank-data";
import type { BreachedPasswords } from "./ports/breached-passwords";
import type { BusinessRegister } from "./ports/business-register";
import type { Cards } from "./ports/cards";
import type { DocumentReader } from "./ports/document-reader";
import type { DomainRecords, DomainRegistry } from "./ports/domains";
import type { IdentityProvider } from "./ports/identity-provider";
import type { InstantBankData } from "./ports/instant-bank-data";
import type { MailTransport, SmsTransport, WebhookTransport } from "./ports/messages";
import type { Operator, OutsideNotes } from "./ports/operator";

/** What commands and queries are given first: the services, and who asks. `workers/compose.ts` builds the former. */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export interface Ids {
  /** A new row id: a UUID that sorts by time and cannot be guessed (version 7, RFC 9562). */
  next(): string;
  /** A new secret of 256 random bits, base64url. */
  secret(): string;
}

export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

/** The files of fonts that printed documents embed; the build puts them beside what browsers are served. */
export interface PrintFonts {
  read(file: string): Promise<Uint8Array<ArrayBuffer>>;
}

export type QueueName = "bank-checks" | "jobs" | "dead-letters";

/** Tells a queue that jobs are due. Losing a message is harmless: the sweep sends it again. */
export interface Queues {
  send(queue: QueueName, jobIds: readonly string[], delaySeconds?: number): Promise<void>;
}

/** Keyed digests of bank details, and encryption at rest. Keys rotate: the first is current. */
export interface Secrets {
  /** HMAC-SHA-256 over the text with the current fingerprint key. */
  fingerprint(text: string): Promise<{ keyId: string; digest: string }>;
  /** The same under every key still accepted, current first. */
  fingerprints(text: string): Promise<{ keyId: string; digest: string }[]>;
  /** AES-256-GCM envelope with the key's id; `context` is authenticated and must be given again to open. */
  seal(plainText: string, context: string): Promise<string>;
  open(envelope: string, context: string): Promise<string>;
  /** SHA-256, hex: how random tokens are stored. */
  hashToken(token: string): Promise<string>;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a stored hash the answer is false, after as long as a real comparison takes. */
  verify(password: string, stored: string | undefined): Promise<{ ok: boolean; needsRehash: boolean }>;
}

/** How the calls to an outside party went since this was last stored. Epoch milliseconds. */
export type ProviderNote = {
  party: string;
  lastSucceededAt?: number;
  lastFailedAt?: number;
  /** The first failure since the last success. */
  failingSince?: number;
  lastError?: string;
};

/** Remembers how calls to outside parties went, and deliveries of queues. */
export interface ProviderCalls {
  /** Notes that a party answered, or a queue delivered. */
  answered(party: string): void;
  failed(party: string, problem: string): void;
  /** Returns what is worth storing now, and forgets it. */
  take(): ProviderNote[];
}

export type AppConfig = {
  appEnv: "local" | "test" | "production";
  /** Which build this is, for /healthz and the log. */
  version: string;
  /** Scheme, host and port of every link we send, without a trailing slash. */
  appOrigin: string;
  /** Sign cookies: the first is current, the rest are still accepted. */
  cookieSecrets: string[];
  /** Any of these may have signed a bank-data webhook: the first is current, the rest are still accepted. */
  basiqWebhookSecrets: string[];
  /** The same for reports of the mail provider; none where it sends none. */
  mailWebhookSecrets: string[];
  /** The same for reports of the provider of text messages; none where there is no such provider. */
  smsAuthTokens: string[];
  /** A provider of text messages is set up. */
  hasTexts: boolean;
  /** Any of these may have signed a webhook of Xero; none where Xero is not set up. */
  xeroWebhookKeys: string[];
  /** What the provider charges for one check, in cents (verifications.cost). */
  bankCheckCostCents: number;
  /** The same for one that is answered at once. */
  instantCheckCostCents: number;
  /** Confirmation of Payee is set up, and banks are asked automatically if an organisation's policy says so. */
  asksBanksAutomatically: boolean;
  /** What the browser needs to draw the provider's card form. */
  cardForm: {
    publishableKey: string;
    /** A stand-in for the provider's script, on a developer's machine and in tests; null: the provider's own. */
    standInScript: string | null;
  };
  /** Contact details for the public site; unset values are not shown. */
  contact: { email?: string; phone?: string; address?: string };
  /** Who runs the service, as the public site and its terms name them; nothing is claimed that is not set. */
  legal: LegalEntity;
  /** Where messages of the contact form are emailed. */
  contactInbox: string;
  /** The domain of the addresses for invoices; undefined: invoices are not received by email. */
  invoiceMailDomain: string | undefined;
  /** The address that our emails are from. */
  mailFrom: string;
  /** Any of these opens the status call; none: it does not exist. */
  statusTokens: string[];
  /** How large the database may become; undefined where that is not known. */
  databaseLimitBytes: number | undefined;
  /** The names and digests of the keys that are listed, current first, by their variable. */
  keys: Readonly<Record<"ENCRYPTION_KEYS" | "FINGERPRINT_KEYS", readonly { id: string; digest: string }[]>>;
  /** The outside parties that this installation uses, by name. */
  parties: readonly string[];
  /** Multiplies the limits per address (never those per account); 1 outside load tests. */
  rateLimitScale: number;
};

export interface Services {
  db: Db;
  /** Notes outside the database: its state when it was last checked, and what has happened since. */
  notes: OutsideNotes;
  clock: Clock;
  ids: Ids;
  log: Log;
  queues: Queues;
  secrets: Secrets;
  passwords: Passwords;
  breachedPasswords: BreachedPasswords;
  bankData: PayeeConsentBankData;
  /** Confirmation of Payee; absent where none is set up. */
  instantBankData?: InstantBankData;
  /** A second service of the same kind, asked while the first does not answer; absent if there is none. */
  secondBankData?: InstantBankData;
  cards: Cards;
  /** Absent where none is connected. */
  businessRegister?: BusinessRegister;
  /** Looks up DMARC and MX of payees' email domains; absent if no resolver is named. */
  domainRecords?: DomainRecords;
  /** Looks up when domains were registered; absent if no server is named. */
  domainRegistry?: DomainRegistry;
  /** The accounting systems that this installation can connect. */
  accounting: Readonly<Partial<Record<ConnectableSystem, AccountingSystem>>>;
  identityProvider: IdentityProvider;
  mail: MailTransport;
  sms: SmsTransport;
  webhooks: WebhookTransport;
  operator: Operator;
  providerCalls: ProviderCalls;
  documentReader: DocumentReader;
  printFonts: PrintFonts;
  config: AppConfig;
}

/** What a query needs. */
export type ReadServices = Pick<Services, "db">;

/** What a query needs whose answer depends on the time. */
export type TimedServices = Pick<Services, "db" | "clock">;

/** What a command needs: it writes through `runCommand`, and seals the emails and text messages that it queues. */
export type WriteServices = Pick<Services, "db" | "clock" | "ids" | "queues" | "secrets" | "config" | "notes" | "log">;

/** Where a request came from, for the audit trail. */
export type Origin = {
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string;
  /** City and country of the address, if the network provides them. */
  place?: string | null;
};

/** A provider's sign-in, valid for its organisation until this time. Epoch milliseconds. */
export type Vouched = { organizationId: string; until: number };

/** A sentence on every page, with a link to the page that deals with it. */
export type PageNotice = { text: string; to: string; label: string };

/** A person authenticated by a session or an API token, as the database describes them for this request. */
export type Person = {
  userId: string;
  /** Empty for a call with an API token, which has no session. */
  sessionId: string;
  username: string;
  email: string;
  emailVerified: boolean;
  firstName: string;
  lastName: string;
  status: UserStatus;
  /** super_admin, or the role in the current organisation. */
  role: UserRole;
  /** The role in the current organisation, if any; super admins may have one too. */
  organizationRole: OrganizationRole | null;
  organizationId: string | null;
  organizationName: string | null;
  /** IANA name of their organisation's time zone. */
  timeZone: string;
  /** Notices on every page about delayed weaker policies and the organisation's closing date; absent: none. */
  notices?: readonly PageNotice[] | undefined;
  /** The organisation's trial or subscription has ended, so actions that need one are refused. Absent while it runs. */
  subscriptionEnded?: boolean | undefined;
  /** The person can switch to another organisation. */
  hasSeveralOrganizations: boolean;
  /** The current organisation is suspended; its people see only that. */
  isSuspended: boolean;
  /** The organisation is suspended because it has closed. */
  isClosed?: boolean | undefined;
  twoStepEnabled: boolean;
  /** How this session began; absent for a call with an API token. */
  signInMethod?: SignInMethod | null;
  /** From when the passkey used for this session counts; absent if none was used. Epoch milliseconds. */
  passkeyCountsFrom?: number | undefined;
  /** When they last entered a code or used a passkey in this session; absent: never. */
  provenAt?: number | undefined;
  /** The organisation whose provider signed them in to this session, and until when; absent if they signed in here. */
  vouchedBy?: Vouched;
  /** Their organisation requires two-step sign-in, and they have neither turned it on nor used a passkey. */
  needsTwoStep: boolean;
  /**
   * Their organisation requires passkeys, the time to add one is over, and they did not sign in with one. For an API
   * token: they have none. Absent when nothing is required.
   */
  needsPasskey?: boolean | undefined;
  /** The deadline for adding one, while they have none. */
  passkeyDueAt?: number | undefined;
  /** How many minutes a second step opens full bank details for; absent: the organisation requires none. */
  stepUpMinutes?: number | undefined;
  /** After how many idle minutes their sessions end; absent for a call with an API token. */
  idleMinutes?: number | undefined;
  origin: Origin;
};

/** How a session began; a session that replaces it keeps this. */
export type SessionOrigin = Pick<Person, "signInMethod" | "passkeyCountsFrom" | "provenAt" | "vouchedBy">;

/** True if they signed in with a passkey that is no longer new: whoever phished a password and code has none. */
export const signedInWithPasskey = ({ passkeyCountsFrom }: SessionOrigin, now: number): boolean =>
  passkeyCountsFrom !== undefined && passkeyCountsFrom <= now;

/** True for a sign-in with a passkey. A device asks for a fingerprint, face or PIN first, so it counts as two steps. */
export const isByPasskey = (method: SignInMethod | null | undefined): boolean =>
  method === "passkey" || method === "password_and_passkey";

/** A person acting in an organisation, as commands and queries take it. */
export type Actor = Person & { organizationId: string; organizationName: string };

/** The organisation whose records a query reads. */
export type Asking = { organizationId: string };

/** The person and organisation that a form belongs to, separated by a dot. */
export const formOwnerOf = ({ userId, organizationId }: Pick<Person, "userId" | "organizationId">): string =>
  `${userId.slice(-12)}.${(organizationId ?? "").slice(-12)}`;

/** The system acting by a rule for an organisation. */
export type SystemActor = { userId: null; organizationId: string; origin: Origin };

/** True if the person may change things; read_only people may only view. */
export function canWrite(person: Standing): boolean {
  return refusalOf(person, "change") === undefined;
}

/** True if the person may also manage the organisation: its people, domains and policies. */
export function canAdminister(person: Standing): boolean {
  return refusalOf(person, "administer") === undefined;
}

/** The system as an actor, e.g. in cron runs and consumers; `requestId` is the job's. */
export function systemActor(organizationId: string, requestId: string): SystemActor {
  return { userId: null, organizationId, origin: { ipAddress: null, userAgent: null, requestId } };
}

/** The reserved organisation for actions without an organisation (failed sign-ins, super admins). */
export const PLATFORM_ORGANIZATION_ID = "00000000-0000-7000-8000-000000000000";
