import { maskAccountNumber } from "~/kernel/account-number";
import { institutionOf } from "~/kernel/bsb";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import {
  approvedAt,
  type BankDetails,
  findRedFlags,
  type PayeeStatus,
  payeeStatus,
  type RedFlag,
} from "~/kernel/payee";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { type Grade, type GradeRow, gradeFactsOf, gradeOfPayee } from "~/modules/payees/verifications/grade";
import { type ShownVerdict, showVerdict } from "~/modules/payees/verifications/shown-verdict";
import { type PayeeHeadline, payeeHeadline } from "./payee-headline";
import type { PayeeFilter } from "./payee-list";

type ListAddress = { q?: string; filter?: PayeeFilter; after?: string; before?: string };

/** The address of a list: search, filter and page. */
export function payeesHref({ q, filter, after, before }: ListAddress): string {
  return withQuery(appPaths.payees, { q, status: statusOf(filter), after, before });
}

const statusOf = (filter: PayeeFilter | undefined) => (filter === "all" ? undefined : filter);

/** The list with this search and filter as a table for a spreadsheet. */
export const payeesCsvHref = ({ q, filter }: Pick<ListAddress, "q" | "filter">): string =>
  withQuery(appPaths.payeesExport, { q, status: statusOf(filter) });

/** One line of the list. The account number arrives masked: the full one stays on the server. */
export type PayeeRow = {
  id: string;
  name: string;
  accountName: string;
  bsb: string;
  maskedAccountNumber: string;
  institution: string | null;
  status: PayeeStatus;
  /** What speaks against it, or where its open verification stands, in the words of the review desk. */
  headline: PayeeHeadline;
  /** How it was verified, beside the word for its status; null: it is not trusted. */
  grade: string | null;
  /** When the details it has now were last approved; null: never. */
  verifiedAt: ShownTime | null;
  paidAt: ShownTime | null;
  isDraft: boolean;
  /** What else speaks against it, in a word each; what its headline or status says already is not said twice. */
  flagWords: readonly string[];
};

/** One for all rows without any: a list sends it to the browser once. */
const NO_WORDS: readonly string[] = [];

const FLAG_WORDS: Readonly<Record<RedFlag, string | null>> = {
  disputed: null,
  details_changed: "Details not verified",
  renamed: "Name not verified",
  former_account: "Another payee's former account",
  contact_and_bank_changed: "Contact and bank changed",
};

function wordsOf(flags: readonly RedFlag[], status: PayeeStatus, headline: PayeeHeadline): readonly string[] {
  const words = flags.flatMap((flag) => FLAG_WORDS[flag] ?? []);
  const isSaid = (word: string) =>
    word === headline.verdict?.word ||
    (word === FLAG_WORDS.details_changed && status === "changed" && !headline.verdict);
  const left = words.filter((word) => !isSaid(word));
  return left.length > 0 ? left : NO_WORDS;
}

/** What the verdict of a verification is made of; flags as the database counts them. */
type Open = {
  outcome: CheckOutcome | null;
  nameMatchScore: number | null;
  lookalikes: number;
  formerHolders: number;
  institutionDiffers: number;
  disputedByPayeeAt: number | null;
  verifiedByPayeeAt: number | null;
  notificationSentAt: number | null;
  verificationTokenExpiresAt: number | null;
  isCheckRunning: number;
};

/** The same verdict as on the verification's own page. */
function verdictOfLatest({ latest, ...payee }: Listed, now: number): ShownVerdict | null {
  if (latest?.status !== "pending") return null;
  const resultData = { institutionDiffers: latest.institutionDiffers === 1 };
  return showVerdict({ ...latest, resultData, payee, isCheckRunning: latest.isCheckRunning === 1 }, now);
}

type Listed = BankDetails & {
  id: string;
  name: string;
  whitelisted: boolean;
  whitelistedAt: number | null;
  whitelistedById: string | null;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  renamedAt: number | null;
  takenOffWhitelistAt: number | null;
  contactChangedAt: number | null;
  draftSince: number | null;
  lastPaymentDate: number | null;
  createdAt: number;
  latest: (BankDetails & Open & { status: VerificationStatus; createdAt: number; completedAt: number | null }) | null;
  verified: (BankDetails & GradeRow & { completedAt: number | null }) | null;
};

/** How a payee of a list was verified, as on its own page. */
export const gradeOfListed = (
  payee: Pick<Listed, keyof BankDetails | "whitelisted" | "whitelistedAt" | "whitelistedById" | "disputedAt"> &
    Pick<Listed, "bankDetailsChangedAt" | "renamedAt" | "takenOffWhitelistAt" | "verified"> & {
      latest: Parameters<typeof gradeOfPayee>[1];
    },
): Grade | null => {
  const { latest, verified } = payee;
  return gradeOfPayee(payee, latest, verified && { ...verified, ...gradeFactsOf(verified) });
};

/** The headline of a payee of a list. */
export const headlineOfListed = (payee: Listed, now: number): PayeeHeadline => {
  const status = payeeStatus(payee, payee.latest);
  return headlineFor(payee, status, findRedFlags(payee, status, now, payee.latest), now);
};

const HEADLINES = new Map<string, PayeeHeadline>();

/** The same object for the same words: a list sends it to the browser once, however many of its rows have it. */
function headlineFor(payee: Listed, status: PayeeStatus, flags: readonly RedFlag[], now: number): PayeeHeadline {
  const headline = payeeHeadline(status, verdictOfLatest(payee, now), flags);
  const key = `${headline.isRed} ${headline.verdict?.word}`;
  const before = HEADLINES.get(key) ?? headline;
  HEADLINES.set(key, before);
  return before;
}

export function toPayeeRow(payee: Listed, zone: { timeZone: string; now: number }): PayeeRow {
  const status = payeeStatus(payee, payee.latest);
  const show = (ms: number | null | undefined) => (ms ? showTime(ms, zone) : null);
  const flags = findRedFlags(payee, status, zone.now, payee.latest);
  const headline = headlineFor(payee, status, flags, zone.now);
  return {
    id: payee.id,
    name: payee.name,
    accountName: payee.accountName,
    bsb: payee.bsb,
    maskedAccountNumber: maskAccountNumber(payee.accountNumber),
    institution: institutionOf(payee.bsb)?.name ?? null,
    status,
    headline,
    grade: gradeOfListed(payee)?.text ?? null,
    verifiedAt: show(approvedAt(payee, payee.verified)),
    paidAt: show(payee.lastPaymentDate),
    isDraft: payee.draftSince !== null,
    flagWords: wordsOf(flags, status, headline),
  };
}

export type ActedView = { title: string; kept: { payeeId: string; name: string; sentence: string }[] };

/** "3 payees archived, 1 stayed as it was." `kept` may name fewer: of another organisation's payee nothing is said. */
export function sayActed(done: number, chosen: number, verb: "archived" | "restored"): string {
  const changed = `${done} ${done === 1 ? "payee" : "payees"} ${verb}`;
  const stayed = chosen - done;
  return stayed === 0 ? changed : `${changed}, ${stayed} stayed as ${stayed === 1 ? "it was" : "they were"}`;
}
