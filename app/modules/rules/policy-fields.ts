import type { ApprovalEvidence, AskBanks } from "~/kernel/enums";
import type { PolicyRuleLevel } from "./payment-holds";

/**
 * Every policy that an organisation can set, declared once: its initial value, its words on the page and in sentences
 * about changes, its limits, and which direction is stricter. The type, defaults, form, page, audit trail and the test
 * of whether a change weakens security all derive from it; the column in `organization_policies` has the same name.
 * Pure.
 */

type Words = {
  label: string;
  /** One short sentence; `more` is the rest, which the page folds. */
  hint?: string;
  more?: string;
  /** How a sentence about a change continues: "... from on to off". */
  said: string;
};

/** On or off. A change away from `stricter` weakens security. */
type Flag = Words & { kind: "flag"; initial: boolean; stricter: boolean };
type Whole = Words & {
  kind: "whole";
  initial: number;
  min: number;
  max: number;
  /** What is counted: shown after the number. */
  unit: string;
  stricter: "more" | "less";
};
/** Integer cents (AUD). */
type Cents = Words & { kind: "cents"; initial: number; stricter: "more" | "less" | "neither" };
/** One of several choices, least strict first; `options` are the words on the page, `saidAs` those in sentences. */
type Choice<Value extends string> = Words & {
  kind: "choice";
  initial: Value;
  options: Readonly<Record<Value, string>>;
  saidAs: Readonly<Record<Value, string>>;
};
/** IANA name of the organisation's time zone; no zone is stricter than another. */
type Zone = Words & { kind: "zone"; initial: string; stricter: "neither" };

export type PolicyField = Flag | Whole | Cents | Choice<string> | Zone;

/** The time zones of Australia. */
export const TIME_ZONES = [
  "Australia/Sydney",
  "Australia/Melbourne",
  "Australia/Brisbane",
  "Australia/Adelaide",
  "Australia/Darwin",
  "Australia/Perth",
  "Australia/Hobart",
  "Australia/Lord_Howe",
  "Australia/Eucla",
  "Indian/Christmas",
  "Indian/Cocos",
  "Pacific/Norfolk",
  "Pacific/Auckland",
  "UTC",
] as const;

const APPROVAL_EVIDENCE: Choice<ApprovalEvidence> = {
  kind: "choice",
  initial: "flagged",
  label: "What an approval needs",
  hint: "A call-back counts where the number was not changed in the last 30 days.",
  said: "what an approval must say",
  options: {
    flagged: "A reason or a call-back when something counts against the details",
    always_reason: "Always a reason or a call-back",
    check_or_call_back: "Always confirmation by a bank or in a call-back",
  },
  saidAs: {
    flagged: "a reason when something counts against it",
    always_reason: "always a reason",
    check_or_call_back: "always confirmation by a bank or in a call-back",
  },
};

const ASK_BANKS: Choice<AskBanks> = {
  kind: "choice",
  initial: "added_or_changed",
  label: "Banks are asked automatically",
  hint: "Each choice includes those above it. The same question is not asked twice in 24 hours.",
  more: "Added or changed: payees that you add, import or get from your accounting system, changes to their bank details or name, and accounts on a payment that belong to no payee. First payment: a payment, or a line of a payment file, to a payee that was never paid. Every run: every payment, and every line of a payment file. Asking does not change what a person decides.",
  said: "when banks are asked automatically",
  options: {
    never: "Never: only when somebody presses the button",
    added_or_changed: "When a payee is added or changed",
    first_payment: "Also before a first payment",
    every_run: "Also before every payment run",
  },
  saidAs: {
    never: "never",
    added_or_changed: "when a payee is added or changed",
    first_payment: "when a payee is added or changed, and before a first payment",
    every_run: "when a payee is added or changed, and before every payment run",
  },
};

export const POLICY_FIELDS = {
  secondPersonRequired: {
    kind: "flag",
    initial: false,
    stricter: true,
    label: "A second person approves",
    hint: "The person who asked for a verification or edited the payee cannot approve it.",
    more: "The same applies to the person who edited a supplier in your accounting system, and to the person who connected that system. Where it is not known who edited the supplier, the person who approves the payee cannot pay it alone.",
    said: "a second person approves",
  },
  autoApproveExact: {
    kind: "flag",
    initial: false,
    stricter: false,
    label: "Exact bank results are approved automatically",
    hint: "A new payee whose bank confirms exactly what was entered is whitelisted without a review.",
    more: "After a change, a dispute or a rejection, or where anything else was found, a person still decides.",
    said: "exact bank results are approved automatically",
  },
  acceptVouching: {
    kind: "flag",
    initial: false,
    stricter: false,
    label: "Accept vouching",
    hint: "A payee is verified without a check of your own if at least three other organisations trust its account.",
    more: "They must trust the same BSB, account number and account name. Only organisations that joined more than 60 days ago, have paid us and have nothing to do with each other are counted. The risk: you rely on checks that you have not seen. If several organisations were tricked into trusting an account, it passes here too. Where a review would show a warning, or a second person approves, a person still decides.",
    said: "the word of other organisations counts as verification",
  },
  twoStepRequired: {
    kind: "flag",
    initial: false,
    stricter: true,
    label: "Approvers use two-step sign-in",
    hint: "People who have not set up two-step sign-in can view but not change anything.",
    said: "people who approve must use two-step sign-in",
  },
  passkeysRequired: {
    kind: "flag",
    initial: false,
    stricter: true,
    label: "Administrators and approvers use passkeys",
    hint: "When the time to add one is over, they can view but not decide or pay until they sign in with a passkey.",
    more: "A new passkey is accepted 24 hours after it was added, unless an older one was used to add it. Require two-step sign-in too: its recovery codes are the way back for people who lose every passkey.",
    said: "administrators and approvers must use passkeys",
  },
  passkeyGraceDays: {
    kind: "whole",
    initial: 14,
    min: 0,
    max: 90,
    stricter: "less",
    label: "Days to add a passkey",
    unit: "days",
    hint: "From 0 to 90, counted from when passkeys are required or the person joins. Each person sees the date.",
    said: "days to add a passkey",
  },
  passkeyForApprovals: {
    kind: "flag",
    initial: false,
    stricter: true,
    label: "Approving a payment needs a passkey",
    hint: "For payments above the amount, and lines of a file that are approved together above it.",
    more: "Payments to one payee in a day count together. The passkey signs exactly what the page shows: payee, account and amount. API tokens cannot approve these.",
    said: "approving a payment needs a passkey",
  },
  passkeyAboveCents: {
    kind: "cents",
    initial: 1_000_000,
    stricter: "less",
    label: "Above this amount",
    hint: "0 for every payment",
    said: "the amount above which an approval needs a passkey",
  },
  passkeyForFiles: {
    kind: "flag",
    initial: false,
    stricter: true,
    label: "Clearing a payment file needs a passkey",
    hint: "The passkey signs the file's SHA-256, its payments and their total. API tokens cannot clear files then.",
    said: "clearing a payment file needs a passkey",
  },
  passkeyForPolicies: {
    kind: "flag",
    initial: false,
    stricter: true,
    label: "Changing policies needs a passkey",
    hint: "Also for confirming at once a weaker policy that a colleague asked for.",
    said: "changing policies needs a passkey",
  },
  passkeyForPeople: {
    kind: "flag",
    initial: false,
    stricter: true,
    label: "Roles and approval limits need a passkey",
    hint: "For giving a person a role that may decide, and for changing approval limits or working hours.",
    more: "Inviting, approving or bringing back such a person counts too. Ending a person's access never needs a passkey.",
    said: "roles and approval limits need a passkey",
  },
  stepUpRequired: {
    kind: "flag",
    initial: false,
    stricter: true,
    label: "Bank details are shown only after a second step",
    hint: "Pages and files with full account numbers ask for a code or a passkey, unless one was given recently.",
    more: "A new one is accepted a day later, and people with neither cannot open these pages. API tokens do not need one, but making a token does.",
    said: "bank details are shown only after a second step",
  },
  stepUpMinutes: {
    kind: "whole",
    initial: 15,
    min: 5,
    max: 480,
    stricter: "less",
    label: "A second step lasts for",
    unit: "minutes",
    hint: "From 5 to 480",
    said: "minutes that a second step lasts",
  },
  idleMinutes: {
    kind: "whole",
    initial: 720,
    min: 15,
    max: 720,
    stricter: "less",
    label: "Sign people out after",
    unit: "minutes",
    hint: "After this time without a request, from 15 to 720 (12 hours)",
    said: "minutes until an idle session ends",
  },
  approvalEvidence: APPROVAL_EVIDENCE,
  firstPaymentLimitCents: {
    kind: "cents",
    initial: 1_000_000,
    stricter: "less",
    label: "First payment limit",
    hint: "A first payment to a payee above this is held.",
    said: "the limit for a first payment",
  },
  reverifyAfterMonths: {
    kind: "whole",
    initial: 12,
    min: 1,
    max: 60,
    stricter: "less",
    label: "Verify again after",
    unit: "months",
    hint: "From 1 to 60. An older verification is too old.",
    said: "months until a verification is too old",
  },
  promotionMinSpanDays: {
    kind: "whole",
    initial: 0,
    min: 0,
    max: 730,
    stricter: "more",
    label: "Minimum time",
    unit: "days",
    hint: "From the first to the last of those payments; 0 for none",
    said: "days between the payments that whitelist a payee",
  },
  promotionMinDistinctDays: {
    kind: "whole",
    initial: 0,
    min: 0,
    max: 100,
    stricter: "more",
    label: "Distinct days",
    unit: "days",
    hint: "On how many different days they were made; 0 for any",
    said: "different days of the payments that whitelist a payee",
  },
  promotionMinCents: {
    kind: "cents",
    initial: 0,
    stricter: "more",
    label: "Minimum amount",
    hint: "A smaller payment does not count; 0 for any amount",
    said: "the minimum amount of a payment that whitelists a payee",
  },
  weakeningDelayHours: {
    kind: "whole",
    initial: 24,
    // Never zero: a change must always be delayed, or a criminal with one administrator's account could apply it at
    // once.
    min: 1,
    max: 336,
    stricter: "more",
    label: "Hours to wait",
    unit: "hours",
    hint: "From 1 to 336. A shorter time is itself a change that waits.",
    said: "hours that a weaker policy waits",
  },
  askBanks: ASK_BANKS,
  confirmAgainMonths: {
    kind: "whole",
    initial: 12,
    min: 1,
    max: 60,
    stricter: "less",
    label: "Trusted payees are asked about again after",
    unit: "months",
    hint: "From 1 to 60, counted from a bank's last answer about a payee that you pay.",
    more: "Each payee has its own day of the month.",
    said: "months until banks are asked about trusted payees again",
  },
  bankBudgetCents: {
    kind: "cents",
    initial: 10_000,
    stricter: "neither",
    label: "Budget for questions to banks",
    hint: "For a calendar month. Once it is used up no bank is asked, and pages say so.",
    more: "It counts what the provider charges for each answer.",
    said: "the month's budget for questions to banks",
  },
  timeZone: {
    kind: "zone",
    initial: "Australia/Sydney",
    stricter: "neither",
    label: "Time zone",
    said: "the time zone",
  },
} as const satisfies Record<string, PolicyField>;

export type PolicyName = keyof typeof POLICY_FIELDS;

type ValueOf<Field> = Field extends { kind: "flag" }
  ? boolean
  : Field extends { kind: "whole" | "cents" }
    ? number
    : Field extends Choice<infer Value>
      ? Value
      : string;

/** An organisation's policies, field by field; the levels of its rules are kept separately (`Policy`). */
export type PolicyValues = { [Name in PolicyName]: ValueOf<(typeof POLICY_FIELDS)[Name]> };

export const POLICY_NAMES = Object.keys(POLICY_FIELDS) as PolicyName[];

/** The defaults for an organisation; the database's defaults are the same. */
export const DEFAULT_POLICY: PolicyValues & { ruleLevels: Record<string, PolicyRuleLevel> } = {
  ...(Object.fromEntries(POLICY_NAMES.map((name) => [name, POLICY_FIELDS[name].initial])) as PolicyValues),
  ruleLevels: {},
};

/** The declaration of the policy with this name; undefined when there is none. */
export const policyField = (name: string): PolicyField | undefined =>
  Object.hasOwn(POLICY_FIELDS, name) ? POLICY_FIELDS[name as PolicyName] : undefined;

/** True if `to` makes fraud against the organisation easier than `from`. */
export function isWeaker(field: PolicyField, from: unknown, to: unknown): boolean {
  if (field.kind === "flag") return from === field.stricter && to !== field.stricter;
  if (field.kind === "choice") {
    const inOrder = Object.keys(field.options);
    return inOrder.indexOf(String(to)) < inOrder.indexOf(String(from));
  }
  if (field.stricter === "neither") return false;
  return field.stricter === "more" ? Number(to) < Number(from) : Number(to) > Number(from);
}
