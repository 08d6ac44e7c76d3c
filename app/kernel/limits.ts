import { DAY_MS } from "./dates";
import { formatCount } from "./text";

/**
 * An organisation's numeric limits. They are enforced from here, and the pricing page, the terms, the help and the API
 * documentation state them from here. Pure.
 */

/** Messages to outside people in 24 hours, e.g. links to payees. Warnings of changed details do not count. */
export const MESSAGES_PER_DAY = {
  /** Once an administrator has confirmed their address. */
  trial: 500,
  /** With a card on file, or after the first paid invoice. */
  withCard: 2_000,
  /** After recipients reported some messages as unwanted or fraudulent. */
  reported: 100,
  /** After recipients reported several. */
  distrusted: 20,
} as const;

/** For how many days reports count, and from how many on an organisation is distrusted. */
export const REPORTS = { countFor: 30 * DAY_MS, distrustedFrom: 3 } as const;

/** Messages to one address or number in 24 hours: from one organisation, and from all together. */
export const RECIPIENT_LIMITS = { byOne: 10, byAll: 30 } as const;

/** Links about one verification per hour. */
export const LINKS_PER_HOUR = 10;

/** Confirmation of Payee questions in 24 hours, and how many answers may fail to confirm the name. */
export const INSTANT_CHECKS_PER_DAY = {
  trial: { questions: 300, unconfirmed: 10 },
  withCard: { questions: 2_000, unconfirmed: 40 },
} as const;

/**
 * Warnings of changed details to a payee's contacts in 24 hours, as a separate quota. The first one about a payee that
 * was trusted or paid may use all of it, a first one about a replaced contact three quarters, any other half.
 */
export const NOTICES_PER_DAY = { unpaid: 200, paid: 2_000, toAddress: 20, toAddressByAll: 30 } as const;

/** Text messages for one organisation's alerts in 24 hours; those about the safety of money are counted separately. */
export const ALERT_TEXTS_A_DAY = 200;

/** Codes in 24 hours to the phone at which a person wants text messages. */
export const PHONE_CODES_PER_DAY = 5;

/** Emails to an organisation's invoice address in 24 hours: from its people and listed addresses, and from others. */
export const MAILED_INVOICES_PER_DAY = {
  known: { all: 1_000, ofOne: 300 },
  others: { all: 200, ofOne: 50 },
} as const;

/** The largest accepted files in bytes, and the most rows of a table. */
export const FILE_LIMITS = {
  paymentFile: { bytes: 6 * 1024 * 1024, lines: 20_000 },
  import: { bytes: 16 * 1024 * 1024, rows: 50_000 },
  staffAccounts: { bytes: 2 * 1024 * 1024 },
  /** The JSON body of an API call, or a form. */
  body: { bytes: 64 * 1024 },
} as const;

const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;

const show = (count: number) => formatCount(count);
const { trial, withCard } = INSTANT_CHECKS_PER_DAY;

export const STATED_LIMITS: readonly string[] = [
  `Messages to people outside your organisation: ${show(MESSAGES_PER_DAY.trial)} in 24 hours during the trial, ${show(MESSAGES_PER_DAY.withCard)} with a card on file. None is sent before an administrator has confirmed their email address. Warnings of changed bank details do not count.`,
  `If people report a message as unwanted or a fraud, the limit falls to ${MESSAGES_PER_DAY.reported}, and to ${MESSAGES_PER_DAY.distrusted} from ${REPORTS.distrustedFrom} reports in ${REPORTS.countFor / DAY_MS} days.`,
  `Messages to one address or number: ${RECIPIENT_LIMITS.byOne} in 24 hours from one organisation, ${RECIPIENT_LIMITS.byAll} from all together.`,
  `Links about one verification: ${LINKS_PER_HOUR} in an hour.`,
  `Questions to banks that answer at once: ${show(trial.questions)} in 24 hours during the trial, ${show(withCard.questions)} with a card on file; at most ${trial.unconfirmed} and ${withCard.unconfirmed} of the answers may be that the bank does not confirm the name.`,
  `Warnings of changed bank details: ${show(NOTICES_PER_DAY.unpaid)} in 24 hours, ${show(NOTICES_PER_DAY.paid)} after a first paid invoice, and ${NOTICES_PER_DAY.toAddress} to one address or number. Warnings about payees that were never trusted or paid, and repeated ones, use at most half of that limit. Warnings over the limit wait.`,
  `Alerts by text message: ${ALERT_TEXTS_A_DAY} in 24 hours, and as many again about the safety of money. Emails and the list of alerts have no such limit. Codes that confirm the phone of one person: ${PHONE_CODES_PER_DAY} in 24 hours.`,
  `Invoices by email: ${show(MAILED_INVOICES_PER_DAY.known.all)} messages in 24 hours from your people and the addresses that you name, ${MAILED_INVOICES_PER_DAY.known.ofOne} from one of them; ${MAILED_INVOICES_PER_DAY.others.all} from everybody else, ${MAILED_INVOICES_PER_DAY.others.ofOne} from one sender. A message may be up to 10 MB.`,
  `A payment file: ${show(FILE_LIMITS.paymentFile.lines)} payments and ${megabytes(FILE_LIMITS.paymentFile.bytes)}. An import of payees: ${show(FILE_LIMITS.import.rows)} rows and ${megabytes(FILE_LIMITS.import.bytes)}. A list of staff accounts: ${megabytes(FILE_LIMITS.staffAccounts.bytes)}.`,
];
