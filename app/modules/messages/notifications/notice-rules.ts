import type { changeNotices } from "@db/database";
import { DAY_MS, formatDateTime, HOUR_MS, MINUTE_MS, toIso } from "~/kernel/dates";
import {
  NOTICE_DELAYS,
  NOTICE_FAILURES,
  NOTICE_SUBJECTS,
  type NoticeDelay,
  type NoticeFailure,
  type NoticeStatus,
  type NoticeSubject,
  type NotificationChannel,
} from "~/kernel/enums";
import { NOTICES_PER_DAY } from "~/kernel/limits";
import { formatPhone } from "~/kernel/phone";

/**
 * Notices to former and present contacts of a changed payee: their quota, how several are combined, and their words.
 * Pure. Instants in epoch milliseconds. The rules in words: docs/decisions/0012 and 0026.
 */

/** The facts in a notice's message, as at the time of the change, so that every attempt sends the same text. */
export type NoticeFacts = {
  organizationName: string;
  payeeName: string;
  changedOn: string;
  /** For changed bank details; null: only a contact changed. */
  maskedAccount: string | null;
  /** The former details were restored, trusted at once or waiting for a decision; absent: they were edited. */
  restored?: "trusted" | "waiting";
};

/**
 * The priority of a notice: the first in 24 hours about changed bank details, or about a replaced contact, of a payee
 * that was trusted or paid; or any other.
 */
export type NoticeGrade = "first" | "first_contact" | "other";

/** How many notices may be sent in 24 hours. Only notices count; no other message uses up this quota. */
export type NoticeLimits = {
  byOrganization: number;
  /** To one address, by one organisation. */
  toAddress: number;
  /** To one address, by all organisations together; null: other organisations' notices do not count. */
  toAddressByAll: number | null;
};

/**
 * Notices after the first one, or about payees that nobody ever trusted or paid, may use half of the quota, and first
 * notices about replaced contacts three quarters: neither changes of an invented payee nor replaced contacts can block
 * the warning about changed bank details of a real one. What other organisations send to the address cannot block it
 * either.
 */
export function noticeLimits({ firstPaidAt }: { firstPaidAt: number | null }, grade: NoticeGrade): NoticeLimits {
  const share = SHARES[grade];
  return {
    byOrganization: share * (firstPaidAt === null ? NOTICES_PER_DAY.unpaid : NOTICES_PER_DAY.paid),
    toAddress: share * NOTICES_PER_DAY.toAddress,
    toAddressByAll: grade === "other" ? NOTICES_PER_DAY.toAddressByAll : null,
  };
}

/** The fraction of the quota that each grade may use. */
const SHARES: Readonly<Record<NoticeGrade, number>> = { first: 1, first_contact: 0.75, other: 0.5 };

/** What was sent in the last 24 hours, counting only notices. */
export type NoticeCounts = {
  isSenderConfirmed: boolean;
  byOrganization: number;
  toAddress: number;
  toAddressByAll: number;
};

/** Why a notice cannot be sent now; undefined: it can. */
export function noticeDelay(counts: NoticeCounts, limits: NoticeLimits): NoticeDelay | undefined {
  if (!counts.isSenderConfirmed) return "sender_unconfirmed";
  if (counts.byOrganization >= limits.byOrganization) return "sender_limit";
  const { toAddressByAll } = limits;
  const isFull = toAddressByAll !== null && counts.toAddressByAll >= toAddressByAll;
  return isFull || counts.toAddress >= limits.toAddress ? "recipient_limit" : undefined;
}

/** An earlier notice about the same payee to the same address that is a message of its own. */
export type EarlierNotice = {
  id: string;
  subject: NoticeSubject;
  status: NoticeStatus;
  dueAt: number;
  startedAt: number | null;
  createdAt: number;
};

/** This many notices in 24 hours are sent at once and separately. */
export const NOTICES_AT_ONCE = 3;
/** Further changes are collected for this long and covered by one message. */
export const COLLECTED_FOR_MS = 6 * HOUR_MS;

const gravity = (subject: NoticeSubject) => NOTICE_SUBJECTS.indexOf(subject);

/** True if another change can still be added to its message. */
const isOpen = ({ status, startedAt }: EarlierNotice) => status === "waiting" && startedAt === null;

/**
 * How an address is told about another change. The first notice of a day, and the first ever, is sent at once; so are
 * the next two. After that, changes are collected, and one message says how many there were. A change of bank details
 * is never delayed by earlier changes of contacts alone, nor combined with a message about them, because that is how a
 * fraud begins.
 */
export function planNotice(
  earlier: readonly EarlierNotice[],
  subject: NoticeSubject,
  now: number,
): { mergedInto: string } | { dueAt: number } {
  const asGrave = earlier.filter((notice) => gravity(notice.subject) >= gravity(subject));
  const open = asGrave.filter(isOpen);
  // A notice that is due but delayed by a limit, or about to be sent, also covers this change.
  const next = open.find(({ dueAt }) => dueAt <= now);
  if (next) return { mergedInto: next.id };
  const recent = asGrave.filter(({ createdAt }) => createdAt > now - DAY_MS);
  if (recent.length < NOTICES_AT_ONCE) return { dueAt: now };
  const [collecting] = open;
  if (collecting) return { mergedInto: collecting.id };
  const last = Math.max(...recent.map(({ dueAt, startedAt }) => startedAt ?? dueAt));
  return { dueAt: Math.max(now, last + COLLECTED_FOR_MS) };
}

/**
 * @param earlier notices about the same payee to the same address. The kinds of changes are counted separately: a
 * replaced contact does not use up the day's first notice about bank details.
 */
export function gradeNotice(
  earlier: readonly EarlierNotice[],
  { subject, isTrusted }: { subject: NoticeSubject; isTrusted: boolean },
  now: number,
): NoticeGrade {
  const isTold = earlier.some(
    (one) => one.subject === subject && one.startedAt !== null && one.startedAt > now - DAY_MS,
  );
  if (!isTrusted || isTold) return "other";
  return subject === "bank_details" ? "first" : "first_contact";
}

/** A notice is retried for this long; then the contact counts as not told. */
export const TRIED_FOR_MS = 30 * DAY_MS;

/** When to try a delayed notice again: soon at first, then less and less often. */
export const lookAgainAt = (createdAt: number, now: number): number =>
  now + Math.min(Math.max(Math.ceil((now - createdAt) / 4), MINUTE_MS), 6 * HOUR_MS);

/** One change and one address, with the state of the notice. */
export type NoticeRow = Pick<
  typeof changeNotices.$inferSelect,
  | "id"
  | "verificationId"
  | "subject"
  | "channel"
  | "recipient"
  | "status"
  | "problem"
  | "dueAt"
  | "endedAt"
  | "createdAt"
>;

export type ContactState = "told" | "not_told_yet" | "not_told";

const STATES: Readonly<Record<NoticeStatus, ContactState>> = {
  told: "told",
  waiting: "not_told_yet",
  not_told: "not_told",
};

/** The worst state comes first, because an address that was not told may be the real payee's. */
const WORST: readonly ContactState[] = ["not_told", "not_told_yet", "told"];

/**
 * The notices that concern a payee's present details: the last change of its bank details, and later changes of its
 * contacts; without one, the last change of a contact.
 * @param notices newest first
 */
export function noticesOfLastChange<Row extends NoticeRow>(notices: readonly Row[]): Row[] {
  const [newest] = notices;
  const bank = notices.find(({ subject }) => subject === "bank_details");
  if (!bank) return notices.filter(({ createdAt }) => createdAt === newest?.createdAt);
  const isOfIt = ({ subject, verificationId, createdAt }: Row) =>
    subject === bank.subject && verificationId === bank.verificationId && createdAt === bank.createdAt;
  return notices.filter((notice) => isOfIt(notice) || notice.id > bank.id);
}

/** The pending verification of a payee's changes, and when somebody last decided. */
export type DecidedChanges = { pendingId: string | null; decidedAt: number | null };

/**
 * The notices of changes that nobody has decided about yet; for later ones the history says who was told. If a decision
 * restored the former details as pending, it does not count as a decision about them.
 */
export const undecidedNotices = <Row extends NoticeRow>(
  notices: readonly Row[],
  { pendingId, decidedAt }: DecidedChanges,
): Row[] =>
  notices.filter(
    ({ verificationId, createdAt }) =>
      decidedAt === null || createdAt > decidedAt || (pendingId !== null && verificationId === pendingId),
  );

/** A contact counts as told only once the provider has accepted its message. */
function stateOf(notices: readonly NoticeRow[]): ContactState {
  const states = new Set(notices.map(({ status }) => STATES[status]));
  return WORST.find((state) => states.has(state)) ?? "told";
}

const DELAYS: Readonly<Record<NoticeDelay, string>> = {
  sender_unconfirmed: "no administrator of the organisation has confirmed their email address",
  sender_limit: "the organisation has sent as many notices of changes as it can in 24 hours",
  recipient_limit: "this address has been sent as many notices of changes as it can get in 24 hours",
  provider: "the provider did not accept the message",
};

const FAILURES: Readonly<Record<NoticeFailure, string>> = {
  no_contact: "there was no email address or mobile number on file",
  address_stopped: "no more emails go to this address, because one came back or was reported",
  address_refused: "the provider refused this address",
  bounced: "the mailbox did not accept the email",
  not_delivered: "the message did not arrive",
  tried_for_long: "it could not be sent within 30 days",
};

/** The words for a notice that waits for further changes, to follow a colon. */
export const COLLECTED = "today's changes are collected for one more message";

/** The reason, in words to follow a colon. */
export const problemWords = (problem: NoticeDelay | NoticeFailure): string =>
  problem in DELAYS ? DELAYS[problem as NoticeDelay] : FAILURES[problem as NoticeFailure];

/** The same for a code from the audit trail; undefined for other codes. */
export function findProblemWords(code: unknown): string | undefined {
  const known = [...NOTICE_DELAYS, ...NOTICE_FAILURES].find((each) => each === code);
  return known && problemWords(known);
}

/** The same as a sentence. */
export function noticeProblemSentence(code: string): string | undefined {
  const words = findProblemWords(code);
  return words && `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** What a contact was told about, or should have been, according to an audit entry. */
export const changedWords = (changed: unknown): string =>
  changed === "contact" ? "the changed contact details" : "the changed bank details";

/** Said of a delay that ends, so the notice is tried again. */
const AGAIN = "We keep trying.";

const ADDRESS_WORDS: Readonly<Record<NotificationChannel, string>> = { email: "by email", sms: "by text message" };

/** An address, or a number (E.164) in Australian form. */
export const showContact = (to: string): string => (to.startsWith("+") ? formatPhone(to) : to);

const TITLES: Readonly<Record<ContactState, string>> = {
  told: "The former contact was told",
  not_told_yet: "The former contact was NOT told yet",
  not_told: "The former contact was NOT told",
};

function contactTitle(notices: readonly NoticeRow[]): string {
  if (notices.some(({ problem }) => problem === "no_contact")) return `${TITLES.not_told}: ${FAILURES.no_contact}`;
  const state = stateOf(notices);
  const isPartial = state !== "told" && notices.some(({ status }) => status === "told");
  return isPartial ? `${TITLES[state]} at every address` : TITLES[state];
}

/** The title with the first reason, e.g. for the message after an edit. Empty when nobody was to be told. */
export function contactSentence(notices: readonly NoticeRow[], now: number): string {
  if (notices.length === 0) return "";
  const state = stateOf(notices);
  const worst = notices.find(({ status, channel }) => channel !== null && STATES[status] === state);
  const why = worst && state !== "told" ? `: ${whyNot(worst, now)}` : "";
  return `${contactTitle(notices)}${why}.`;
}

/** Why somebody was not told, or not yet, in words to follow a colon. */
function whyNot({ status, problem, dueAt }: NoticeRow, now: number): string {
  if (problem !== null) return problemWords(problem);
  if (status !== "waiting") return FAILURES.not_delivered;
  return dueAt > now ? COLLECTED : "the message is on its way";
}

type ContactLine = { id: string; state: ContactState; text: string };

/** What pages say about the notices of one change, with a line for each address; null when nobody was to be told. */
export type ContactsToldView = { state: ContactState; title: string; lines: ContactLine[] } | null;

type Zone = { timeZone: string; now: number };

/** @param onFile the payee's present contacts: where others were told too, these are marked, because they may be the criminal's */
export function toContactsToldView(
  notices: readonly NoticeRow[],
  zone: Zone,
  onFile: { email: string | null; phone: string | null },
): ContactsToldView {
  if (notices.length === 0) return null;
  const asked = notices.filter(({ channel }) => channel !== null);
  const isPresent = ({ recipient }: NoticeRow) => recipient === onFile.email || recipient === onFile.phone;
  const lines = asked.map((notice) => {
    const mark = isPresent(notice) && !asked.every(isPresent) ? " (on file now)" : "";
    return { id: notice.id, state: STATES[notice.status], text: noticeSentence(notice, zone, mark) };
  });
  return { state: stateOf(notices), title: contactTitle(notices), lines };
}

/** What one address was told, or why it was not. */
function noticeSentence(notice: NoticeRow, { timeZone, now }: Zone, mark: string): string {
  const { channel, recipient, status, problem, dueAt, endedAt } = notice;
  const who = `${showContact(recipient ?? "")}${mark}, ${ADDRESS_WORDS[channel ?? "email"]}`;
  if (status === "told") return `${who}: told on ${formatDateTime(endedAt ?? now, timeZone)}.`;
  const not = `${who}: ${status === "waiting" ? "NOT told yet" : "NOT told"}: ${whyNot(notice, now)}.`;
  if (status !== "waiting") return not;
  if (problem !== null) return `${not} ${AGAIN}`;
  return dueAt > now ? `${not} It goes out on ${formatDateTime(dueAt, timeZone)}.` : not;
}

/** What the API and a certificate say about the notices of one change; null when nobody was to be told. */
export function toContactsTold(notices: readonly NoticeRow[], now: number) {
  if (notices.length === 0) return null;
  return {
    state: stateOf(notices),
    message: contactSentence(notices, now),
    contacts: notices.flatMap((notice) => {
      const { channel, recipient, subject, status, problem, endedAt } = notice;
      if (channel === null || recipient === null) return [];
      const state = STATES[status];
      return [
        {
          channel,
          address: recipient,
          changed: subject,
          state,
          reason: state === "told" ? null : { code: problem, message: whyNot(notice, now) },
          toldAt: status === "told" && endedAt !== null ? toIso(endedAt) : null,
        },
      ];
    }),
  };
}

export type ContactsTold = NonNullable<ReturnType<typeof toContactsTold>>;

/** A certificate's line about one contact; read perhaps much later. @param at formats in the organisation's zone */
export function toldWords(
  { channel, address, state, reason, toldAt }: ContactsTold["contacts"][number],
  at: (iso: string) => string,
): string {
  const who = `${showContact(address)}, ${ADDRESS_WORDS[channel]}`;
  if (state === "told" && toldAt !== null) return `${who}: told on ${at(toldAt)}`;
  return `${who}: ${state === "not_told_yet" ? "NOT told when this was issued" : "NOT told"}${reason ? `: ${reason.message}` : ""}`;
}
