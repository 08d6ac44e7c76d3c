import {
  FIELD_LABELS,
  PAYEE_FIELDS,
  type PayeeDetails,
  type PayeeField,
  type PayeeStatus,
  type RedFlag,
} from "~/kernel/payee";
import type { ShownTime } from "~/kernel/shown-time";
import type { AuditAction } from "~/modules/core/audit/audit";
import type { RegisterView } from "~/modules/directories/register.view";
import type { ContactsToldView } from "~/modules/messages/notifications/notice-rules";
import type { PayeeHeadline } from "~/modules/payees/payee-headline";
import type { OpenVerdict } from "~/modules/payees/verifications/standing";
import type { Evidence, ShownStatus } from "~/modules/payees/verifications/verification";
import type { ShownOrigin } from "./details-origin";

/** What the pages of one payee draw: texts come ready, instants in the organisation's time zone. */
export type PayeeView = {
  id: string;
  name: string;
  version: number;
  status: PayeeStatus;
  isArchived: boolean;
  /** When it sent its details itself, while no person has accepted it. */
  draftSince: ShownTime | null;
  /** What speaks against it, or where its open verification stands. */
  headline: PayeeHeadline;
  flags: RedFlag[];
  /** Other payees that had its account before, each in a sentence with its page. */
  formerHolders: { sentence: string; name: string; href: string }[];
  /** That it went back to an account of its own; null: it did not. */
  ownFormerAccount: string | null;
  /** Where the account came from, and who has to approve it; null: a person here entered it. */
  origin: ShownOrigin | null;
  /** In full: this is the payee's own page. */
  details: PayeeDetails;
  phoneShown: string | null;
  institution: Evidence["institution"];
  hasUnusualLength: boolean;
  addedAt: ShownTime;
  /** How it was verified; null: it is not trusted. */
  grade: string | null;
  trust: {
    whitelisted: boolean;
    global: boolean;
    reason: string | null;
    at: ShownTime | null;
    by: string | null;
    /** What it was trusted with before it was changed, masked: a rejection of the change can restore it. Null: nothing. */
    former: string | null;
  };
  /** Null: no ABN is known. */
  register: RegisterView | null;
  payments: { count: number; last: ShownTime | null };
  verifications: { id: string; status: ShownStatus; grade: string | null; openedAt: ShownTime }[];
  /** Of the verification that waits for a decision; null: none does. */
  verdict: OpenVerdict | null;
  /** Whether its contacts were told of its last change; null: nothing was changed, or they were told long ago. */
  contactsTold: ContactsToldView;
  changes: { id: string; field: string; from: string | null; to: string | null; by: string; at: ShownTime }[];
  timeline: TimelineEntry[];
};

export type TimelineEntry = {
  id: string;
  action: AuditAction;
  /** The action as people read it. */
  sentence: string;
  /** Null: the system. */
  userName: string | null;
  when: ShownTime;
  changes: { field: string; from: string | null; to: string | null }[];
  reason: string | null;
};

/** A payee that has the account or ABN of a form already. */
export type KnownPayee = { href: string; name: string; sentence: string };

/** What is in the fields of a form. */
export type PayeeFormValues = Record<PayeeField, string>;

export const EMPTY_VALUES = Object.fromEntries(PAYEE_FIELDS.map((field) => [field, ""])) as PayeeFormValues;

/** What came of taking a payee off the whitelist, or of putting it there, as pages and answers say it. */
export const TRUST_NOTICES = {
  taken_off: { title: "Taken off the whitelist", text: null },
  forgotten: {
    title: "Not on the whitelist",
    text: "It was off the whitelist already. Its former details are forgotten too, so that rejecting the change cannot trust them again.",
  },
  was_off: { title: "Not on the whitelist", text: "It was off the whitelist already. Nothing was changed." },
  added: { title: "Added to the whitelist", text: null },
  was_on: { title: "Already on the whitelist", text: "It was on the whitelist already. Nothing was changed." },
} as const satisfies Record<string, { title: string; text: string | null }>;

/** The words beside a stored field name; an unknown one stands for itself. */
export function labelOf(field: string): string {
  return field in FIELD_LABELS ? FIELD_LABELS[field as PayeeField] : field;
}

export type ShownChange = { field: string; from: string | null; to: string | null };

/** What the edit form's answer carries besides. */
export type EditExtra = {
  /** The version that saving again is made from. */
  version?: number;
  /** Where what is there now differs from what was typed, when another person edited meanwhile. */
  conflict?: ShownChange[];
  /** What follows from the change of bank details or name that is to be confirmed. */
  confirm?: Confirmation;
};

/** What will happen when bank details or another name are saved. */
export type Confirmation = {
  changes: ShownChange[];
  /** What ends the trust. */
  of: "bank details" | "name" | "name and bank details";
  isWhitelisted: boolean;
  hasPendingVerification: boolean;
  /** The new number is one slip of the hand away from one that the payee has or had. */
  possibleTypo: string | null;
  /** How many other members will be told. */
  othersTold: number;
  /** The payee's contacts of the last weeks, who are told of changed bank details; of a name, of a replaced contact alone. */
  payeeTold: { emails: string[]; mobiles: string[] };
  /** Email or phone changes with them, or has just changed. */
  isContactChangedToo: boolean;
};
