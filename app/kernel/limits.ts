import { DAY_MS } from "./dates";

/**
 * Limits of an organisation by number. They are enforced from here, and stated from here on the pricing page, in the terms, in
 * the help and in the API's documents. Pure.
 */

/** Messages to people outside an organisation in 24 hours, e.g. links to payees. Warnings of changed details do not count. */
export const MESSAGES_PER_DAY = {
  /** Once an administrator has confirmed their address. */
  trial: 500,
  /** With a card on file, or after a first paid invoice. */
  withCard: 2_000,
  /** Recipients reported some messages as unwanted or a fraud. */
  reported: 100,
  /** They reported several. */
  distrusted: 20,
} as const;

/** Reports in so many days count, and from so many on an organisation is distrusted. */
export const REPORTS = { countFor: 30 * DAY_MS, distrustedFrom: 3 } as const;

/** Messages to one address or number in 24 hours: by one organisation, and by all together. */
export const RECIPIENT_LIMITS = { byOne: 10, byAll: 30 } as const;

/** Links about one verification in an hour. */
export const LINKS_PER_HOUR = 10;

/** Questions to banks that are answered at once in 24 hours, and how many answers may be that a name is not confirmed. */
export const INSTANT_CHECKS_PER_DAY = {
  trial: { questions: 300, unconfirmed: 10 },
  withCard: { questions: 2_000, unconfirmed: 40 },
} as const;

/**
 * Warnings of changed details to a payee's contacts in 24 hours: a quota of their own. The first one about a payee that was
 * trusted or paid may use all of it, a first one of a replaced contact three quarters, any other half.
 */
export const NOTICES_PER_DAY = { unpaid: 200, paid: 2_000, toAddress: 20, toAddressByAll: 30 } as const;

/** Text messages of one organisation's alerts in 24 hours; those about the safety of money are counted separately. */
export const ALERT_TEXTS_A_DAY = 200;

/** Codes in 24 hours to the phone at which a person wants text messages. */
export const PHONE_CODES_PER_DAY = 5;

/** Emails to an organisation's address for invoices in 24 hours: of its people and the addresses that it names, and of others. */
export const MAILED_INVOICES_PER_DAY = {
  known: { all: 1_000, ofOne: 300 },
  others: { all: 200, ofOne: 50 },
} as const;

/** Files that are taken in, in bytes; a table has this many rows at most. */
export const FILE_LIMITS = {
  paymentFile: { bytes: 6 * 1024 * 1024, lines: 20_000 },
  import: { bytes: 16 * 1024 * 1024, rows: 50_000 },
  staffAccounts: { bytes: 2 * 1024 * 1024 },
  /** A call's JSON, or a form. */
  body: { bytes: 64 * 1024 },
} as const;

const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;

const show = (count: number) => count.toLocaleString("en-AU");
const { trial, withCard } = INSTANT_CHECKS_PER_DAY;

export const STATED_LIMITS: readonly string[] = [
  `Messages to people outside your organisation: ${show(MESSAGES_PER_DAY.trial)} in 24 hours during the trial, ${show(MESSAGES_PER_DAY.withCard)} with a card on file. None is sent before an administrator has confirmed their email address. Warnings of changed bank details do not count.`,
  `When people who got a message report it as unwanted or a fraud, the limit is ${MESSAGES_PER_DAY.reported}, and ${MESSAGES_PER_DAY.distrusted} from ${REPORTS.distrustedFrom} reports in ${REPORTS.countFor / DAY_MS} days.`,
  `Messages to one address or number: ${RECIPIENT_LIMITS.byOne} in 24 hours from one organisation, ${RECIPIENT_LIMITS.byAll} from all together.`,
  `Links about one verification: ${LINKS_PER_HOUR} in an hour.`,
  `Questions to banks that answer at once: ${show(trial.questions)} in 24 hours during the trial, ${show(withCard.questions)} with a card on file; at most ${trial.unconfirmed} and ${withCard.unconfirmed} of the answers may be that the bank does not confirm the name.`,
  `Warnings of changed bank details: ${show(NOTICES_PER_DAY.unpaid)} in 24 hours, ${show(NOTICES_PER_DAY.paid)} after a first paid invoice, and ${NOTICES_PER_DAY.toAddress} to one address or number. Warnings about payees that were never trusted or paid, and repeated ones, use half of it at most. What is over the limit waits.`,
  `Alerts by text message: ${ALERT_TEXTS_A_DAY} in 24 hours, and as many again about the safety of money. Emails and the list of alerts have no such limit. Codes that confirm the phone of one person: ${PHONE_CODES_PER_DAY} in 24 hours.`,
  `Invoices by email: ${show(MAILED_INVOICES_PER_DAY.known.all)} messages in 24 hours from your people and the addresses that you name, ${MAILED_INVOICES_PER_DAY.known.ofOne} from one of them; ${MAILED_INVOICES_PER_DAY.others.all} from everybody else, ${MAILED_INVOICES_PER_DAY.others.ofOne} from one sender. A message may have 10 MB.`,
  `A payment file: ${show(FILE_LIMITS.paymentFile.lines)} payments and ${megabytes(FILE_LIMITS.paymentFile.bytes)}. An import of payees: ${show(FILE_LIMITS.import.rows)} rows and ${megabytes(FILE_LIMITS.import.bytes)}. A list of staff accounts: ${megabytes(FILE_LIMITS.staffAccounts.bytes)}.`,
];
