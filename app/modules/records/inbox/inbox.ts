import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import type { VerdictLook } from "~/modules/payees/verifications/verdict";

/** The Inbox: everything that waits for a person, in one list, the gravest first. Pure. */

/** What an item asks of a person, the gravest first: the groups of the list. */
export const INBOX_GROUPS = {
  call: "Call before you pay",
  compare: "Compare, then decide",
  ready: "Ready to approve",
  unanswered: "No answer yet",
  people: "Asked to join",
} as const;
export type InboxGroup = keyof typeof INBOX_GROUPS;

/** What the list can be narrowed to. */
export const INBOX_TABS = { reviews: "Reviews", payments: "Payments", changes: "Changes", other: "Other" } as const;
export type InboxTab = keyof typeof INBOX_TABS;

type Tone = VerdictLook["tone"];

export type InboxItem = {
  id: string;
  tab: InboxTab;
  group: InboxGroup;
  href: string;
  title: string;
  /** Why it waits, in the words of the verdict. */
  word: string;
  tone: Tone;
  icon: VerdictLook["icon"] | "pause" | "list" | "plug" | "user";
  /** What kind of thing it is, after the verdict: "change", "payment INV-4121". */
  what: string;
  /** Cents that wait for it; null where no money does. */
  cents: number | null;
  /** The same money stands in another row: that of the payment. */
  isCountedElsewhere?: boolean;
  /** Who asked for it or recorded it; null: nobody in particular. */
  who: string | null;
  /** How long it has waited: "3 h". */
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

/** The group of a verdict. Changed details are compared even where no bank has answered. */
export const groupOfTone = (tone: Tone, isChanged: boolean): InboxGroup =>
  isChanged && tone !== "review" ? "compare" : TONE_GROUPS[tone];

const ORDER = Object.keys(INBOX_GROUPS) as InboxGroup[];

/** In the order of danger; within a group as they were read: each kind has an order of its own. */
export const sortInbox = (items: readonly InboxItem[]): InboxItem[] =>
  [...items].sort((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group));

export type InboxView = { tab?: InboxTab; mine?: boolean };

const FROM = "from";

/** In the address of an item: it was opened from the Inbox, so its neighbours are the Inbox's. */
export const isFromInbox = (params: URLSearchParams): boolean => params.get(FROM) === "inbox";

const queryOf = ({ tab, mine }: InboxView) => ({ show: mine ? "mine" : tab });

export const inboxHref = (view: InboxView = {}): string => withQuery(appPaths.verifications, queryOf(view));

export function readInboxView(params: URLSearchParams): InboxView {
  const show = params.get("show") ?? "";
  if (show === "mine") return { mine: true };
  return show in INBOX_TABS ? { tab: show as InboxTab } : {};
}

/** An item's own page, in the view of the Inbox that it was opened from. */
export const fromInbox = (path: string, view: InboxView = {}): string =>
  withQuery(path, { [FROM]: "inbox", ...queryOf(view) });

/** What a view shows of all. */
export const inView = (items: readonly InboxItem[], { tab, mine }: InboxView): InboxItem[] =>
  items.filter((item) => (mine ? item.isMine : tab === undefined || item.tab === tab));

/** Cents that wait with these items. */
export const centsOf = (items: readonly InboxItem[]): number =>
  items.reduce((sum, { cents, isCountedElsewhere }) => sum + (isCountedElsewhere ? 0 : (cents ?? 0)), 0);
