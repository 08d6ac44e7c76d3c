import { type Actor, canAdminister } from "~/kernel/actor";
import { formatBsb } from "~/kernel/bsb";
import { DAY_MS } from "~/kernel/dates";
import { HEALTH_KINDS, type HealthKind } from "~/kernel/enums";
import type { BankDetails, PayeeStatus, RedFlag } from "~/kernel/payee";
import type { DirectoryEntry } from "~/modules/directories/directory";
import { CONCERN_SENTENCES, findConcerns, type RegisterAnswer } from "~/modules/directories/register";
import type { Lookalike } from "~/modules/payees/verifications/verification";

/** What is wrong with a payee of the master list, or should be looked at. Pure. */

export type Finding = { kind: HealthKind; detail: string };

/** Everything that is looked at. Instants in epoch milliseconds. */
export type HealthFacts = {
  payee: BankDetails & {
    name: string;
    email: string | null;
    phone: string | null;
    abn: string | null;
    whitelisted: boolean;
    whitelistedAt: number | null;
  };
  /** The newest verification that a person approved for the details the payee has now. */
  verifiedAt: number | null;
  /** Null: the directory does not have the BSB; undefined: none is loaded. */
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
    : [{ kind: "bsb_unusable", detail: `${formatBsb(payee.bsb)} takes no direct entry payments.` }];
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

/** What a finding takes off the hundred points of a payee. */
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

/** Points of one payee, 0 to 100. */
export const pointsOf = (findings: readonly Finding[]): number =>
  Math.max(
    0,
    findings.reduce((points, { kind }) => points - WEIGHTS[kind], 100),
  );

/** The score of a master list: the average of its payees' points; null without payees. */
export const scoreOf = ({ pointsSum, payeeCount }: { pointsSum: number; payeeCount: number }): number | null =>
  payeeCount === 0 ? null : Math.floor(pointsSum / payeeCount);

/** The order in which people should work. */
export const KINDS_IN_ORDER: readonly HealthKind[] = [...HEALTH_KINDS].sort((a, b) => WEIGHTS[b] - WEIGHTS[a]);

/** What only administrators are told. */
export const maySeeKind = (actor: Actor, kind: HealthKind): boolean => kind !== "staff_account" || canAdminister(actor);

type RiskWord = "High" | "Medium" | "Low" | "None found";

export type RiskView = {
  word: RiskWord;
  /** Of its badge; null: nothing to draw attention to. */
  tone: "review" | "pending" | null;
  /** The gravest finding that no other column of the row says; null: there is none. */
  note: string | null;
  /** Everything that was found, in words. */
  title: string;
};

type RowFacts = {
  status: PayeeStatus;
  flags: readonly RedFlag[];
  /** When the details it has now were last approved, epoch milliseconds; null: never. */
  verifiedAt: number | null;
};

/** Findings of the last reading, and when it began; null: no reading has looked at the payee. */
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
  renamed: "Given another name and not verified",
  contact_and_bank_changed: "Contact and bank details changed together",
};

/** A payee that says these are not its details is at the highest risk, whatever else is found. */
const OFF_FOR_FLAG: Readonly<Record<RedFlag, number>> = {
  disputed: 100,
  details_changed: 0,
  former_account: 40,
  renamed: 0,
  contact_and_bank_changed: 40,
};
/** Below these points the risk is high, medium or low. */
const HIGH_BELOW = 50;
const MEDIUM_BELOW = 80;
const ALL_POINTS = 100;

/**
 * The risk of a payee as it is now: what the last reading found, less what was done about it since. Whether it is
 * verified is read from the payee, so a decision counts at once.
 */
export function riskOf({ status, flags, verifiedAt }: RowFacts, reading: Reading): RiskView {
  const isTrusted = verifiedAt !== null || status === "whitelisted";
  const isStill = (kind: HealthKind) =>
    kind !== "never_verified" && (kind !== "stale" || verifiedAt === null || verifiedAt < (reading?.startedAt ?? 0));
  const found = new Set([
    ...(reading?.kinds ?? []).filter(isStill),
    ...(isTrusted ? [] : (["never_verified"] as const)),
  ]);
  const kinds = KINDS_IN_ORDER.filter((kind) => found.has(kind));
  const off = flags.reduce((sum, flag) => sum + OFF_FOR_FLAG[flag], 0);
  const points = pointsOf(kinds.map((kind) => ({ kind, detail: "" }))) - off;
  const [gravest, ...others] = kinds.filter((kind) => kind !== "never_verified" && kind !== "stale");
  const told = [...flags.map((flag) => FLAG_LABELS[flag]), ...kinds.map((kind) => LABELS[kind])];
  const unread = reading === null ? ["Added after the last health report"] : [];
  const word = wordOf(points);
  return {
    word,
    tone: word === "High" ? "review" : word === "Medium" ? "pending" : null,
    note: gravest === undefined ? null : `${LABELS[gravest]}${others.length > 0 ? ` +${others.length}` : ""}`,
    title: [...(told.length > 0 ? told : ["Nothing was found"]), ...unread].map((text) => `${text}.`).join(" "),
  };
}

function wordOf(points: number): RiskWord {
  if (points < HIGH_BELOW) return "High";
  if (points < MEDIUM_BELOW) return "Medium";
  return points < ALL_POINTS ? "Low" : "None found";
}
