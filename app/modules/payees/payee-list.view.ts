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
import { showVerdict } from "~/modules/verifications/shown-verdict";
import type { VerdictLook } from "~/modules/verifications/verdict";
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
  /** Where its open verification stands, in the words of the review desk; null: none is open. */
  verdict: VerdictLook | null;
  /** When the details it has now were last approved; null: never. */
  verifiedAt: ShownTime | null;
  paidAt: ShownTime | null;
  isDraft: boolean;
  /** What speaks against it, in a word each. */
  flags: readonly RedFlag[];
};

/** One for all rows without any: a list sends it to the browser once. */
const NO_FLAGS: readonly RedFlag[] = [];

/** What the verdict of a verification is made of; flags as the database counts them. */
type Open = {
  outcome: CheckOutcome | null;
  nameMatchScore: number | null;
  lookalikes: number;
  institutionDiffers: number;
  disputedByPayeeAt: number | null;
  verifiedByPayeeAt: number | null;
  notificationSentAt: number | null;
  verificationTokenExpiresAt: number | null;
  isCheckRunning: number;
};

/** The same verdict as on the verification's own page. */
function verdictOfLatest({ latest, ...payee }: Listed, now: number): VerdictLook | null {
  if (latest?.status !== "pending") return null;
  const resultData = { institutionDiffers: latest.institutionDiffers === 1 };
  return showVerdict({ ...latest, resultData, payee, isCheckRunning: latest.isCheckRunning === 1 }, now);
}

type Listed = BankDetails & {
  id: string;
  name: string;
  whitelisted: boolean;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  renamedAt: number | null;
  takenOffWhitelistAt: number | null;
  contactChangedAt: number | null;
  draftSince: number | null;
  lastPaymentDate: number | null;
  createdAt: number;
  latest: (BankDetails & Open & { status: VerificationStatus; createdAt: number }) | null;
  verified: (BankDetails & { completedAt: number | null }) | null;
};

export function toPayeeRow(payee: Listed, zone: { timeZone: string; now: number }): PayeeRow {
  const status = payeeStatus(payee, payee.latest);
  const show = (ms: number | null | undefined) => (ms ? showTime(ms, zone) : null);
  const flags = findRedFlags(payee, status, zone.now);
  return {
    id: payee.id,
    name: payee.name,
    accountName: payee.accountName,
    bsb: payee.bsb,
    maskedAccountNumber: maskAccountNumber(payee.accountNumber),
    institution: institutionOf(payee.bsb)?.name ?? null,
    status,
    verdict: verdictOfLatest(payee, zone.now),
    verifiedAt: show(approvedAt(payee, payee.verified)),
    paidAt: show(payee.lastPaymentDate),
    isDraft: payee.draftSince !== null,
    flags: flags.length > 0 ? flags : NO_FLAGS,
  };
}

export type ActedView = { title: string; kept: { payeeId: string; name: string; sentence: string }[] };

/** "3 payees archived, 1 stayed as it was." `kept` may name fewer: of another organisation's payee nothing is said. */
export function sayActed(done: number, chosen: number, verb: "archived" | "restored"): string {
  const changed = `${done} ${done === 1 ? "payee" : "payees"} ${verb}`;
  const stayed = chosen - done;
  return stayed === 0 ? changed : `${changed}, ${stayed} stayed as ${stayed === 1 ? "it was" : "they were"}`;
}
