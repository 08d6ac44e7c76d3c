import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import type { VerdictLook } from "~/modules/payees/verifications/verdict";

/** The Inbox: everything that waits for a person in one list, most serious first. Pure. */

/** The groups of the list, by what an item asks of a person, most serious first. */
export const INBOX_GROUPS = {
  call: "Call before you pay",
  compare: "Compare, then decide",
  ready: "Ready to approve",
  unanswered: "No answer yet",
  people: "Asked to join",
} as const;
export type InboxGroup = keyof typeof INBOX_GROUPS;

/** The tabs of the list. */
export const INBOX_TABS = { reviews: "Reviews", payments: "Payments", changes: "Changes", other: "Other" } as const;
export type InboxTab = keyof typeof INBOX_TABS;

type Tone = VerdictLook["tone"];

export type InboxItem = {
  id: string;
  tab: InboxTab;
  group: InboxGroup;
  href: string;
  title: string;
  /** The verdict's word for why it waits. */
  word: string;
  tone: Tone;
  icon: VerdictLook["icon"] | "pause" | "list" | "plug" | "user";
  /** The kind of item, shown after the verdict: "change", "payment INV-4121". */
  what: string;
  /** The cents that wait for it; null when no money does. */
  cents: number | null;
  /** Another row counts the same money. */
  isCountedElsewhere?: boolean;
  /** The person who requested or recorded it; null: nobody in particular. */
  who: string | null;
  /** How long it has been waiting: "3 h". */
  age: string;
  exact: string;
  /** It is assigned to the reader. */
  isMine: boolean;
};

const TONE_GROUPS: Readonly<Record<Tone, InboxGroup>> = {
  review: "call",
  pending: "compare",
  verified: "ready",
  neutral: "unanswered",
};

/** The group for a verdict. Changed details go into "compare" even if no bank has answered. */
export const groupOfTone = (tone: Tone, isChanged: boolean): InboxGroup =>
  isChanged && tone !== "review" ? "compare" : TONE_GROUPS[tone];

const ORDER = Object.keys(INBOX_GROUPS) as InboxGroup[];

/** Sorts by group, most dangerous first; within a group the items keep the order of their kind. */
export const sortInbox = (items: readonly InboxItem[]): InboxItem[] =>
  [...items].sort((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group));

export type InboxView = { tab?: InboxTab; mine?: boolean };

const FROM = "from";

/** True if the item was opened from the Inbox, so that its neighbours are those in the Inbox. */
export const isFromInbox = (params: URLSearchParams): boolean => params.get(FROM) === "inbox";

const queryOf = ({ tab, mine }: InboxView) => ({ show: mine ? "mine" : tab });

export const inboxHref = (view: InboxView = {}): string => withQuery(appPaths.verifications, queryOf(view));

export function readInboxView(params: URLSearchParams): InboxView {
  const show = params.get("show") ?? "";
  if (show === "mine") return { mine: true };
  return show in INBOX_TABS ? { tab: show as InboxTab } : {};
}

const WAS = "was";

/** An item's page, with the Inbox view from which it was opened, and once it is decided the place that it had there. */
export const fromInbox = (path: string, view: InboxView = {}, was = 0): string =>
  withQuery(path, { [FROM]: "inbox", ...queryOf(view), [WAS]: was > 0 ? String(was) : null });

export const readPlaceBefore = (params: URLSearchParams): number => Number(params.get(WAS)) || 0;

export const inView = (items: readonly InboxItem[], { tab, mine }: InboxView): InboxItem[] =>
  items.filter((item) => (mine ? item.isMine : tab === undefined || item.tab === tab));

/** The total cents that wait with these items. */
export const centsOf = (items: readonly InboxItem[]): number =>
  items.reduce((sum, { cents, isCountedElsewhere }) => sum + (isCountedElsewhere ? 0 : (cents ?? 0)), 0);
