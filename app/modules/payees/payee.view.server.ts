import { formatAbn } from "~/kernel/abn";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { formatBsb, hasUnusualAccountLength } from "~/kernel/bsb";
import { formatDate } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { type FormerTrust, findRedFlags, isTrusted, type PayeeDetails, payeeStatus } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { showTime } from "~/kernel/shown-time";
import { findPolicy } from "~/modules/accounts/organizations/policies/policy.queries.server";
import { AUDIT_ACTIONS, type AuditAction } from "~/modules/core/audit/audit";
import { sentenceOf } from "~/modules/core/audit/audit.json";
import { describeInstitution } from "~/modules/directories/directory";
import { findDirectoryEntry } from "~/modules/directories/directory.queries.server";
import { findAnswer } from "~/modules/directories/register.queries.server";
import { toRegisterView } from "~/modules/directories/register.view";
import { listNoticesOfPayee } from "~/modules/messages/notifications/change-notices.queries.server";
import {
  type DecidedChanges,
  type NoticeRow,
  sayNoticeProblem,
  toContactsToldView,
  undecidedNotices,
} from "~/modules/messages/notifications/notice-rules";
import {
  type FormerHolder,
  formerHoldersBesides,
  ownFormerUntil,
  sayFormerHolder,
  sayOwnFormerAccount,
} from "~/modules/payees/verifications/former-accounts";
import { findFormerHolders } from "~/modules/payees/verifications/former-accounts.queries.server";
import { gradeFactsOf, gradeOf } from "~/modules/payees/verifications/grade";
import { openVerdictOf } from "~/modules/payees/verifications/standing";
import { shownStatus } from "~/modules/payees/verifications/verification";
import type { Services } from "~/services";
import { describeOrigin } from "./details-origin";
import type { PayeeRow } from "./payee.queries.server";
import { labelOf, type PayeeFormValues, type PayeeView, type ShownChange, type TimelineEntry } from "./payee.view";
import { payeeHeadline } from "./payee-headline";
import {
  findUserName,
  getPayeeWithLatest,
  listChanges,
  listPayeeTimeline,
  listVerifications,
} from "./payee-page.queries.server";
import { contactsSince } from "./recent-contacts";
import { findNamedOrigin } from "./second-person.queries.server";

/** Everything the payee's page shows. @throws AppError 404 */
export async function readPayeeView(
  services: Pick<Services, "db" | "clock">,
  actor: Actor,
  id: string,
): Promise<PayeeView> {
  const { payee, latest, grade } = await getPayeeWithLatest(services, actor, id);
  const [policy, opened, changes, timeline, directory, by, answer, holdersOf, notices, origin] = await Promise.all([
    findPolicy(services, actor.organizationId),
    listVerifications(services, actor, id),
    listChanges(services, actor, id),
    listPayeeTimeline(services, actor, id),
    findDirectoryEntry(services, payee.bsb),
    findUserName(services, payee.whitelistedById),
    findAnswer(services, payee.abn),
    findFormerHolders(services, actor.organizationId, [payee]),
    listNoticesOfPayee(services, actor, id),
    findNamedOrigin(services, payee),
  ]);
  const now = services.clock.now();
  const show = (ms: number) => showTime(ms, { timeZone: policy.timeZone, now });
  const showDate = (ms: number) => formatDate(ms, policy.timeZone);
  const status = payeeStatus(payee, latest);
  const whose = whoseItWas(holdersOf(payee), id, policy.timeZone);
  const formerHolders = whose.formerHolders.length;
  const flags = findRedFlags(payee, status, now, latest && { status: latest.status, formerHolders });
  const verdict = openVerdictOf(latest, { timeZone: policy.timeZone, now });
  return {
    id,
    name: payee.name,
    version: payee.version,
    status,
    isArchived: payee.archivedAt !== null,
    draftSince: payee.draftSince === null ? null : show(payee.draftSince),
    headline: payeeHeadline(status, verdict, flags),
    flags,
    ...whose,
    origin: origin && describeOrigin(origin, { ...policy, isApproved: isTrusted(status) }),
    details: detailsOf(payee),
    phoneShown: payee.phone && formatPhone(payee.phone),
    institution: describeInstitution(payee.bsb, directory),
    hasUnusualLength: hasUnusualAccountLength(payee.bsb, payee.accountNumber),
    addedAt: show(payee.createdAt),
    grade: grade?.text ?? null,
    trust: toTrust(payee, by, show),
    register: payee.abn === null ? null : toRegisterView(payee, answer, { now, showDate }),
    payments: {
      count: payee.paymentCount,
      last: payee.lastPaymentDate === null ? null : show(payee.lastPaymentDate),
    },
    verifications: opened.map((row) => ({
      id: row.id,
      status: shownStatus(row),
      grade: gradeOf(gradeFactsOf(row))?.text ?? null,
      openedAt: show(row.createdAt),
    })),
    verdict,
    contactsTold: toContactsToldView(shownNotices(notices, decidedChanges(payee, opened), now), {
      timeZone: policy.timeZone,
      now,
    }),
    changes: changes.map((change) => ({
      id: change.id,
      ...showChange({ field: change.field, from: change.oldValue, to: change.newValue }),
      by: change.userName ?? "PayeeProof",
      at: show(change.createdAt),
    })),
    timeline: timeline.flatMap((entry) => toTimelineEntry(entry, show) ?? []),
  };
}

/** Whose the account was before, and whether the payee went back to an account of its own. */
function whoseItWas(
  holders: readonly FormerHolder[],
  payeeId: string,
  timeZone: string,
): Pick<PayeeView, "formerHolders" | "ownFormerAccount"> {
  const own = ownFormerUntil(holders, payeeId);
  return {
    formerHolders: formerHoldersBesides(holders, payeeId).map((holder) => ({
      sentence: sayFormerHolder(holder, timeZone),
      name: holder.name,
      href: appPaths.payee(holder.payeeId),
    })),
    ownFormerAccount: own === undefined ? null : sayOwnFormerAccount(own, timeZone),
  };
}

/** That a contact was not told stands on the page until somebody decides about the change; that all were told, for some weeks. */
function shownNotices(notices: readonly NoticeRow[], decided: DecidedChanges, now: number): NoticeRow[] {
  const undecided = undecidedNotices(notices, decided);
  const isToldLongAgo = undecided.every(({ status, createdAt }) => status === "told" && createdAt < contactsSince(now));
  return isToldLongAgo ? [] : undecided;
}

type Opened = Awaited<ReturnType<typeof listVerifications>>;

/** One that ended because it was overtaken decided nothing. */
function decidedChanges({ whitelistedAt }: PayeeRow, opened: Opened): DecidedChanges {
  const ends = opened.flatMap(({ status, completedAt }) =>
    (status === "verified" || status === "rejected") && completedAt !== null ? [completedAt] : [],
  );
  const last = Math.max(whitelistedAt ?? 0, ...ends);
  const pending = opened.find(({ status }) => status === "pending");
  return { pendingId: pending?.id ?? null, decidedAt: last === 0 ? null : last };
}

type Show = (ms: number) => TimelineEntry["when"];

const toTrust = (payee: PayeeRow, by: string | null, show: Show): PayeeView["trust"] => ({
  whitelisted: payee.whitelisted,
  global: payee.whitelistGlobal,
  reason: payee.whitelistedReason,
  at: payee.whitelistedAt === null ? null : show(payee.whitelistedAt),
  by,
  former: payee.formerTrust && sayFormer(payee.formerTrust, payee.name),
});

function sayFormer({ name, accountName, bsb, accountNumber }: FormerTrust, payeeName: string): string {
  const account = `${formatBsb(bsb)} ${maskAccountNumber(accountNumber)}, ${accountName}`;
  return name === undefined || name === payeeName ? account : `${account}, under the name ${name}`;
}

type Logged = Awaited<ReturnType<typeof listPayeeTimeline>>[number];

function toTimelineEntry(entry: Logged, show: Show): TimelineEntry | undefined {
  if (!(entry.action in AUDIT_ACTIONS)) return undefined;
  const { changes, reason } = entry.details ?? {};
  return {
    id: entry.id,
    action: entry.action as AuditAction,
    sentence: sentenceOf(entry.action),
    userName: entry.userName,
    when: show(entry.createdAt),
    changes: Array.isArray(changes)
      ? changes.map(({ field, from, to }) => showChange({ field: String(field), from: from ?? null, to: to ?? null }))
      : [],
    reason: typeof reason === "string" ? sayReason(entry.action, reason) : null,
  };
}

const CONTACT_NOT_TOLD = "payee.contact_not_told" satisfies AuditAction;

/** What a person wrote, or in words why a contact was not told. */
const sayReason = (action: string, reason: string): string =>
  action === CONTACT_NOT_TOLD ? (sayNoticeProblem(reason) ?? reason) : reason;

export function detailsOf({
  name,
  accountName,
  bsb,
  accountNumber,
  abn,
  email,
  phone,
  address,
}: PayeeRow): PayeeDetails {
  return { name, accountName, bsb, accountNumber, abn, email, phone, address };
}

const SHOWN: Partial<Record<string, (value: string) => string>> = {
  bsb: formatBsb,
  abn: formatAbn,
  phone: formatPhone,
};

/** A change as people read it: the field by its label, numbers as they are written. */
export function showChange({ field, from, to }: ShownChange): ShownChange {
  const show = (value: string | null) => (value === null ? null : (SHOWN[field]?.(value) ?? value));
  return { field: labelOf(field), from: show(from), to: show(to) };
}

/** What is in the fields of the edit form. */
export function toFormValues({ name, accountName, bsb, accountNumber, ...rest }: PayeeDetails): PayeeFormValues {
  return {
    name,
    accountName,
    bsb: formatBsb(bsb),
    accountNumber,
    abn: rest.abn ? formatAbn(rest.abn) : "",
    email: rest.email ?? "",
    phone: rest.phone ? formatPhone(rest.phone) : "",
    address: rest.address ?? "",
  };
}
