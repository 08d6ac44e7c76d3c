import type { HealthKind } from "~/kernel/enums";
import type { PayeeStatus, RedFlag } from "~/kernel/payee";
import { KINDS_IN_ORDER, pointsOf } from "./findings";

/** What speaks against a payee of a list, in one word. Pure. */

export type RiskWord = "High" | "Medium" | "Low" | "None found";

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
