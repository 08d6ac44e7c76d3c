import type { Condition, Statement } from "@db/database";
import { type ConnectableSystem, SYSTEM_NAMES } from "~/kernel/accounting-system";
import { UpstreamError } from "~/kernel/app-error";
import { sameAccountNumber } from "~/kernel/bank-account";
import type { Account } from "~/kernel/payee";
import type { CommandAudit, CommandPart } from "~/modules/core/commands/run-command.server";
import type { ContactEdit, LostReason } from "~/ports/accounting";

/** What a sync reads, in this order, and how far it is. Pure. */

const SYNC_PHASES = ["contacts", "bills", "payments"] as const;
type SyncPhase = (typeof SYNC_PHASES)[number];

export type SyncPlace = { phase: SyncPhase; page: string | null };

/** The place stored with a connection; the first page of suppliers when there is none. */
export function readPlace(stored: string | null): SyncPlace {
  const [, phase, page] = /^(bills|payments):(.*)$/s.exec(stored ?? "") ?? [];
  if (phase !== "bills" && phase !== "payments") return { phase: "contacts", page: stored };
  return { phase, page: page || null };
}

/** The same as a string, for `readPlace`. */
export const writePlace = ({ phase, page }: SyncPlace): string | null =>
  phase === "contacts" ? page : `${phase}:${page ?? ""}`;

/** Where the sync continues after a page followed by `next`; undefined after the last page of all. */
export function placeAfter(phase: SyncPhase, next: string | null): SyncPlace | undefined {
  if (next !== null) return { phase, page: next };
  const following = SYNC_PHASES[SYNC_PHASES.indexOf(phase) + 1];
  return following && { phase: following, page: null };
}

/** A page of payments, and the date from which they are listed: all pages of a list use the same date. */
type PaymentsPage = { since: number; page: string };

export const writePaymentsPage = ({ since, page }: PaymentsPage): string => `${since}|${page}`;

/** The page from a string by `writePaymentsPage`; undefined for any other string and for the first page. */
export function readPaymentsPage(text: string | null): PaymentsPage | undefined {
  const [, since, page] = /^(\d+)\|(.+)$/s.exec(text ?? "") ?? [];
  return since === undefined || page === undefined ? undefined : { since: Number(since), page };
}

/** The results of a sync, each counted once. Pure. */
export type SyncCounts = {
  /** Suppliers. */
  read: number;
  /** New payees. */
  added: number;
  /** Payees whose empty fields were filled in. */
  filled: number;
  /** Bank details that differ from the payee's and wait for a decision. */
  changed: number;
  noAccount: number;
  refused: number;
  /** Archived in the accounting system. */
  archived: number;
  /** Approved bills. */
  bills: number;
  /** Payments recorded here that a synced payment completed. */
  outcomes: number;
};

export const NO_COUNTS: SyncCounts = {
  read: 0,
  added: 0,
  filled: 0,
  changed: 0,
  noAccount: 0,
  refused: 0,
  archived: 0,
  bills: 0,
  outcomes: 0,
};

/** The sum of two counts; counts stored by older versions lack some members, which count as zero. */
export function addCounts(a: SyncCounts, b: SyncCounts): SyncCounts {
  const names = Object.keys(NO_COUNTS) as (keyof SyncCounts)[];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)])) as SyncCounts;
}

/** Decides what to do when a supplier's account was read again. Pure: this decision guards against fraud. */

export const isSameAccount = (a: Account, b: Account): boolean =>
  a.bsb === b.bsb && sameAccountNumber(a.accountNumber, b.accountNumber);

type Known = {
  /** The supplier's account when it was last read; null: it had none, or was never read. */
  seen: Account | null;
  payee: Account;
  /** A change of this supplier waits for a decision. */
  isOpen: boolean;
};

/**
 * - `same`: the account is the payee's.
 * - `settled`: it is the payee's again, and a change was waiting for a decision.
 * - `changed`: it differs from the payee's and from the last one read: a person decides.
 * - `known`: it differs from the payee's but was noticed before, or was the payee's when it was linked. A person who
 *   changed the details here need not decide about the old ones in the accounting system.
 */
export type AccountJudgement = "same" | "settled" | "changed" | "known";

export function judgeAccount(read: Account, { seen, payee, isOpen }: Known): AccountJudgement {
  if (isSameAccount(read, payee)) return isOpen ? "settled" : "same";
  return seen !== null && isSameAccount(read, seen) ? "known" : "changed";
}

/** Finds which members edited a supplier in an accounting system, as far as its history says. Pure. */

export type Editors = ReturnType<typeof findEditors>;

export type Member = { userId: string; firstName: string; lastName: string; email: string };

/**
 * A history contains people's names as they wrote them there. A name is compared with the members' names and addresses;
 * case, accents, punctuation and the order of first and last name are ignored. If a name fits no member, or several,
 * the editor is unknown; every member it fits still counts as an editor.
 *
 * @param edits the whole history; empty: it says nothing
 */
function findEditors(edits: readonly ContactEdit[], members: readonly Member[]) {
  const behind = edits.map(({ by }) => membersNamed(by, members));
  return {
    ids: [...new Set(behind.flat())],
    isKnown: edits.length > 0 && behind.every((ids) => ids.length === 1),
  };
}

function membersNamed(name: string | null, members: readonly Member[]): string[] {
  const key = keyOf(name ?? "");
  if (key === "") return [];
  const isNamed = ({ firstName, lastName, email }: Member) =>
    keyOf(email) === key || keyOf(`${firstName} ${lastName}`) === key;
  return members.filter(isNamed).map(({ userId }) => userId);
}

/** The words of a name in a canonical order. */
const keyOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}@.+_-]+/u)
    .filter(Boolean)
    .sort()
    .join(" ");

export type Edited = { newest: ContactEdit | null; editors: Editors };

/**
 * The newest edit that can have given a supplier its present account, and which members made it: only edits since it
 * was last read with a different account. If there are none that new, nobody is named and the editor is unknown;
 * earlier editors still count as editors.
 *
 * @param edits the whole history, in any order
 * @param readTo when the supplier was last read; null: never
 */
export function judgeEdits(edits: readonly ContactEdit[], readTo: number | null, members: readonly Member[]): Edited {
  const newer = readTo === null ? edits : edits.filter(({ at }) => at >= readTo);
  if (newer.length > 0) return { newest: newestOf(newer), editors: findEditors(newer, members) };
  return { newest: null, editors: { ids: findEditors(edits, members).ids, isKnown: false } };
}

const newestOf = (edits: readonly ContactEdit[]): ContactEdit | null =>
  edits.reduce<ContactEdit | null>((newest, edit) => (newest && newest.at >= edit.at ? newest : edit), null);

/** Sentences for why a system could not be used. Pure. */

const LOST: Readonly<Record<LostReason, (system: string) => string>> = {
  consent_ended: (system) => `${system} no longer accepts our access, because consent was withdrawn or expired.`,
  ledger_removed: (system) => `PayeeProof was disconnected in ${system}.`,
  not_permitted: (system) => `${system} does not allow PayeeProof to read suppliers.`,
};

/** What people are told when they have to connect again. */
export const lostSentence = (system: ConnectableSystem, reason: LostReason): string =>
  `${LOST[reason](SYSTEM_NAMES[system])} Nothing is read until an administrator connects it again.`;

/** Suppliers can be read, but bills cannot. */
export const billsRefused = (system: ConnectableSystem): string =>
  `${SYSTEM_NAMES[system]} does not allow PayeeProof to read bills and payments. Suppliers are read. To allow it, disconnect and connect again.`;

/** Why a sync could not continue. It will continue automatically. */
export function failureSentence(system: ConnectableSystem, error: unknown): string {
  const name = SYSTEM_NAMES[system];
  if (!(error instanceof UpstreamError)) return "Something failed at PayeeProof. The sync is tried again.";
  switch (error.kind) {
    case "rate_limited":
      return `${name} limits how often it may be asked. The sync continues ${inWords(error.options.retryAfterMs)}.`;
    case "timeout":
    case "unreachable":
      return `${name} did not answer. The sync is tried again.`;
    case "malformed":
    case "wrong_tenant":
      return `${name} sent an answer that could not be read. The sync is tried again.`;
    default:
      return `${name} could not answer. The sync is tried again.`;
  }
}

const MINUTE_MS = 60_000;

function inWords(waitMs = MINUTE_MS): string {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  return minutes <= 1 ? "within a minute" : `in about ${minutes} minutes`;
}

/** One page of a sync's data, ready to write. */
export type SyncSlice = {
  conditions?: readonly Condition<"payment_changed">[];
  statements: Statement[];
  audit: CommandAudit[];
  parts: CommandPart[];
  counts: SyncCounts;
};
