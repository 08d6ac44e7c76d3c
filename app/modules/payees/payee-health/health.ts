import { type DirectoryEntry, formatBsb } from "~/kernel/bank-account";
import { DAY_MS } from "~/kernel/dates";
import { HEALTH_KINDS, type HealthKind } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import type { BankDetails, PayeeStatus, RedFlag } from "~/kernel/payee";
import { CONCERN_SENTENCES, findConcerns, type RegisterAnswer } from "~/modules/directories/register";
import type { Lookalike } from "~/modules/payees/verifications/verification";
import { type Actor, canAdminister } from "~/services-and-actor";

/** What is wrong with a payee, or needs attention. Pure. */

export type Finding = { kind: HealthKind; detail: string };

/** The facts to be checked. Instants in epoch milliseconds. */
export type HealthFacts = {
  payee: BankDetails & {
    name: string;
    email: string | null;
    phone: string | null;
    abn: string | null;
    whitelisted: boolean;
    whitelistedAt: number | null;
  };
  /** The newest verification that a person approved for the present details. */
  verifiedAt: number | null;
  /** Null: the directory does not have the BSB; undefined: no directory is loaded. */
  directory: DirectoryEntry | null | undefined;
  /** Undefined: the register was not asked, or has not answered. */
  register: RegisterAnswer | undefined;
  lookalikes: readonly Lookalike[];
  /** Other payees with the same ABN. */
  sameAbn: readonly string[];
  isStaffAccount: boolean;
  now: number;
  /** A verification older than this is stale. */
  reverifyAfterMonths: number;
};

const DAYS_PER_MONTH = 30.44;

/** All findings of a payee, at most one of each kind. */
export function findFindings(facts: HealthFacts): Finding[] {
  return [...ofTrust(facts), ...ofBsb(facts), ...ofRegister(facts), ...ofOthers(facts)];
}

function ofTrust({ payee, verifiedAt, now, reverifyAfterMonths }: HealthFacts): Finding[] {
  const trustedAt = verifiedAt ?? (payee.whitelisted ? payee.whitelistedAt : null);
  if (trustedAt === null) return [{ kind: "never_verified", detail: "" }];
  const days = Math.floor((now - trustedAt) / DAY_MS);
  if (days <= reverifyAfterMonths * DAYS_PER_MONTH) return [];
  return [{ kind: "stale", detail: `Last verified ${days} days ago.` }];
}

function ofBsb({ payee, directory }: HealthFacts): Finding[] {
  if (directory === undefined) return [];
  if (directory === null)
    return [{ kind: "bsb_unusable", detail: `The directory does not have ${formatBsb(payee.bsb)}.` }];
  const { status, successorBsb, electronic } = directory;
  if (status !== "open") {
    const next = successorBsb ? ` Its accounts are now under ${formatBsb(successorBsb)}.` : "";
    return [{ kind: "bsb_closed", detail: `${formatBsb(payee.bsb)} is ${status}.${next}` }];
  }
  return electronic
    ? []
    : [{ kind: "bsb_unusable", detail: `${formatBsb(payee.bsb)} does not accept direct entry payments.` }];
}

function ofRegister({ payee, register, now }: HealthFacts): Finding[] {
  if (payee.abn === null || !register) return [];
  const concerns = findConcerns(payee, register, now);
  const isBad = concerns.includes("not_found") || concerns.includes("cancelled");
  const named = register.entry?.entityName ? ` The register says “${register.entry.entityName}”.` : "";
  return [
    ...(isBad ? [{ kind: "abn_bad" as const, detail: CONCERN_SENTENCES[concerns[0] ?? "cancelled"] }] : []),
    ...(concerns.includes("other_name")
      ? [{ kind: "register_name" as const, detail: `${CONCERN_SENTENCES.other_name}${named}` }]
      : []),
  ];
}

function ofOthers({ payee, lookalikes, sameAbn, isStaffAccount }: HealthFacts): Finding[] {
  const [lookalike] = lookalikes;
  const findings: (Finding | false | undefined)[] = [
    lookalike && { kind: "lookalike", detail: `${lookalike.name}: ${lookalike.detail}` },
    sameAbn.length > 0 && { kind: "same_abn", detail: `Also: ${sameAbn.slice(0, MAX_NAMED).join(", ")}.` },
    payee.email === null && payee.phone === null && { kind: "no_contact", detail: "" },
    isStaffAccount && { kind: "staff_account", detail: "" },
  ];
  return findings.filter((finding) => !!finding);
}

const MAX_NAMED = 3;

/** How many of a payee's hundred points a finding deducts. */
const WEIGHTS: Readonly<Record<HealthKind, number>> = {
  never_verified: 40,
  bsb_closed: 40,
  bsb_unusable: 40,
  abn_bad: 30,
  staff_account: 30,
  lookalike: 20,
  register_name: 20,
  stale: 20,
  same_abn: 10,
  no_contact: 10,
};

/** A payee's points, 0 to 100. */
export const pointsOf = (findings: readonly Finding[]): number =>
  Math.max(
    0,
    findings.reduce((points, { kind }) => points - WEIGHTS[kind], 100),
  );

/** The score of all payees: the average of their points; null without payees. */
export const scoreOf = ({ pointsSum, payeeCount }: { pointsSum: number; payeeCount: number }): number | null =>
  payeeCount === 0 ? null : Math.floor(pointsSum / payeeCount);

/** The order in which people should deal with the kinds. */
export const KINDS_IN_ORDER: readonly HealthKind[] = [...HEALTH_KINDS].sort((a, b) => WEIGHTS[b] - WEIGHTS[a]);

/** False for a kind that only administrators may see. */
export const maySeeKind = (actor: Actor, kind: HealthKind): boolean => kind !== "staff_account" || canAdminister(actor);

export type RiskView = ReturnType<typeof riskOf>;

type RowFacts = {
  status: PayeeStatus;
  flags: readonly RedFlag[];
  /** When the present details were last approved, in epoch milliseconds; null: never. */
  verifiedAt: number | null;
  /** When a bank last answered against the present details; null: its last answer is not against them. */
  bankAgainstAt: number | null;
};

/** The findings of the last run, and when it began; null: no run has checked the payee. */
type Reading = { kinds: readonly HealthKind[]; startedAt: number } | null;

const LABELS: Readonly<Record<HealthKind, string>> = {
  never_verified: "Never verified",
  stale: "Verified long ago",
  bsb_closed: "BSB closed",
  bsb_unusable: "BSB cannot be paid",
  abn_bad: "ABN not active",
  register_name: "Register name",
  lookalike: "Look-alike",
  same_abn: "ABN shared",
  no_contact: "No contact",
  staff_account: "Staff account",
};

const FLAG_LABELS: Readonly<Record<RedFlag, string>> = {
  disputed: "Disputed by the payee",
  details_changed: "Bank details changed and not verified",
  former_account: "Another payee's former account",
  renamed: "Renamed and not verified",
  contact_and_bank_changed: "Contact and bank details changed together",
};

/** A payee that says these are not its details has the highest risk, whatever else is found. */
const OFF_FOR_FLAG: Readonly<Record<RedFlag, number>> = {
  disputed: 100,
  details_changed: 0,
  former_account: 40,
  renamed: 0,
  contact_and_bank_changed: 40,
};
const OFF_FOR_BANK = 40;
/** Below these points, the risk is high or medium. */
const HIGH_BELOW = 50;
const MEDIUM_BELOW = 80;
const ALL_POINTS = 100;

/**
 * The present risk of a payee: what the last run found, without what has been resolved since. Whether it is verified is
 * read from the payee itself, so a decision counts at once.
 */
export function riskOf({ status, flags, verifiedAt, bankAgainstAt }: RowFacts, reading: Reading) {
  const isTrusted = verifiedAt !== null || status === "whitelisted";
  const isStill = (kind: HealthKind) =>
    kind !== "never_verified" && (kind !== "stale" || verifiedAt === null || verifiedAt < (reading?.startedAt ?? 0));
  const found = new Set([
    ...(reading?.kinds ?? []).filter(isStill),
    ...(isTrusted ? [] : (["never_verified"] as const)),
  ]);
  const kinds = KINDS_IN_ORDER.filter((kind) => found.has(kind));
  // Somebody who approved the details since then has seen the answer.
  const isBankAgainst = bankAgainstAt !== null && (verifiedAt ?? 0) < bankAgainstAt;
  const off = flags.reduce((sum, flag) => sum + OFF_FOR_FLAG[flag], isBankAgainst ? OFF_FOR_BANK : 0);
  const points = pointsOf(kinds.map((kind) => ({ kind, detail: "" }))) - off;
  const [gravest, ...others] = kinds.filter((kind) => kind !== "never_verified" && kind !== "stale");
  const told = [
    ...flags.map((flag) => FLAG_LABELS[flag]),
    ...(isBankAgainst ? ["Not confirmed by the bank"] : []),
    ...kinds.map((kind) => LABELS[kind]),
  ];
  const unread = reading === null ? ["Added after the last health report"] : [];
  const word = wordOf(points);
  return {
    word,
    /** The tone of the badge; null: there is nothing to draw attention to. */
    tone: word === "High" ? ("review" as const) : word === "Medium" ? ("pending" as const) : null,
    /** The most serious finding that no other column of the row shows; null: none. */
    note: gravest === undefined ? null : `${LABELS[gravest]}${others.length > 0 ? ` +${others.length}` : ""}`,
    /** Everything that was found, in words. */
    title: [...(told.length > 0 ? told : ["Nothing was found"]), ...unread].map((text) => `${text}.`).join(" "),
  };
}

function wordOf(points: number): "High" | "Medium" | "Low" | "None found" {
  if (points < HIGH_BELOW) return "High";
  if (points < MEDIUM_BELOW) return "Medium";
  return points < ALL_POINTS ? "Low" : "None found";
}

/** Addresses of the health report, and what its page shows. Pure. */

export function healthHref({ kind, after }: { kind: HealthKind; after?: { cents: number; payeeId: string } }): string {
  const key = after && `${after.cents}.${after.payeeId}`;
  return `${withQuery(appPaths.payeeHealth, { kind, after: key })}#list`;
}

/** The bulk check for the payees of this kind, by amount paid if any; undefined: a check cannot help. */
export function bulkHref(kind: HealthKind, paidCents: number): string | undefined {
  const paid = paidCents > 0 ? "year" : undefined;
  if (kind === "never_verified") return withQuery(appPaths.bulkChecks, { verified: "never", paid });
  return kind === "stale" ? withQuery(appPaths.bulkChecks, { verified: "stale", paid }) : undefined;
}

export const healthCsvPath = (kind: HealthKind): string => withQuery(appPaths.payeeHealthExport, { kind });

type KindText = {
  title: string;
  /** What it means, in a sentence. */
  meaning: string;
  /** What to do about all of them. */
  next: string;
};

export const KIND_TEXTS: Readonly<Record<HealthKind, KindText>> = {
  never_verified: {
    title: "Never verified",
    meaning: "These bank details have not been checked to belong to these payees.",
    next: "Run a bank check on all of them, starting with those you pay.",
  },
  stale: {
    title: "Verified long ago",
    meaning: "The last verification is older than your organisation's policy allows.",
    next: "Run a new bank check on all of them.",
  },
  bsb_closed: {
    title: "BSB closed or merged",
    meaning: "Payments to these BSBs will fail, or go through another branch.",
    next: "Ask the payee for the new details. Where another BSB replaces it, we name that BSB.",
  },
  bsb_unusable: {
    title: "BSB cannot be paid",
    meaning: "The directory does not have the BSB, or it does not accept direct entry payments.",
    next: "Look for a mistyped BSB, then ask the payee.",
  },
  abn_bad: {
    title: "ABN cancelled or unknown",
    meaning: "The business register has cancelled the ABN, or does not have it.",
    next: "Ask the payee for a current ABN, or whether they still trade.",
  },
  register_name: {
    title: "Name differs from the register",
    meaning: "The business register knows the ABN under a different name.",
    next: "Compare the names; a wrong ABN is as likely as a wrong payee.",
  },
  lookalike: {
    title: "Looks like another payee",
    meaning: "Another payee has a similar name or email domain, and a different account.",
    next: "Compare both and archive the one that you do not pay.",
  },
  same_abn: {
    title: "Several payees with one ABN",
    meaning: "The same business is in the list more than once, with different accounts.",
    next: "Keep the account that you pay, and archive the rest.",
  },
  no_contact: {
    title: "No email and no phone",
    meaning: "These payees cannot be asked to confirm their details, or be told about a change.",
    next: "Import a file with their email addresses: empty fields are filled in.",
  },
  staff_account: {
    title: "Account of your staff",
    meaning: "You pay a member of your staff to the same account. Only administrators see this.",
    next: "Find out why, without the person who entered the payee.",
  },
};
