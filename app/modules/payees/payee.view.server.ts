import { formatAbn } from "~/kernel/abn";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { formatBsb, hasUnusualAccountLength } from "~/kernel/bsb";
import { formatDate } from "~/kernel/dates";
import { type FormerTrust, findRedFlags, type PayeeDetails, payeeStatus } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { showTime } from "~/kernel/shown-time";
import { AUDIT_ACTIONS, type AuditAction } from "~/modules/audit/audit";
import { sentenceOf } from "~/modules/audit/audit.json";
import { describeInstitution } from "~/modules/bsb-directory/directory";
import { findDirectoryEntry } from "~/modules/bsb-directory/directory.queries.server";
import { findAnswer } from "~/modules/business-register/register.queries.server";
import { toRegisterView } from "~/modules/business-register/register.view";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { openVerdictOf } from "~/modules/verifications/standing";
import { shownStatus } from "~/modules/verifications/verification";
import type { Services } from "~/services";
import type { PayeeRow } from "./payee.queries.server";
import { labelOf, type PayeeFormValues, type PayeeView, type ShownChange, type TimelineEntry } from "./payee.view";
import {
  findUserName,
  getPayeeWithLatest,
  listChanges,
  listPayeeTimeline,
  listVerifications,
} from "./payee-page.queries.server";

/** Everything the payee's page shows. @throws AppError 404 */
export async function readPayeeView(
  services: Pick<Services, "db" | "clock">,
  actor: Actor,
  id: string,
): Promise<PayeeView> {
  const { payee, latest } = await getPayeeWithLatest(services, actor, id);
  const [policy, opened, changes, timeline, directory, by, answer] = await Promise.all([
    findPolicy(services, actor.organizationId),
    listVerifications(services, actor, id),
    listChanges(services, actor, id),
    listPayeeTimeline(services, actor, id),
    findDirectoryEntry(services, payee.bsb),
    findUserName(services, payee.whitelistedById),
    findAnswer(services, payee.abn),
  ]);
  const now = services.clock.now();
  const show = (ms: number) => showTime(ms, { timeZone: policy.timeZone, now });
  const showDate = (ms: number) => formatDate(ms, policy.timeZone);
  const status = payeeStatus(payee, latest);
  return {
    id,
    name: payee.name,
    version: payee.version,
    status,
    isArchived: payee.archivedAt !== null,
    draftSince: payee.draftSince === null ? null : show(payee.draftSince),
    flags: findRedFlags(payee, status, now),
    details: detailsOf(payee),
    phoneShown: payee.phone && formatPhone(payee.phone),
    institution: describeInstitution(payee.bsb, directory),
    hasUnusualLength: hasUnusualAccountLength(payee.bsb, payee.accountNumber),
    addedAt: show(payee.createdAt),
    trust: toTrust(payee, by, show),
    register: payee.abn === null ? null : toRegisterView(payee, answer, { now, showDate }),
    payments: {
      count: payee.paymentCount,
      last: payee.lastPaymentDate === null ? null : show(payee.lastPaymentDate),
    },
    verifications: opened.map((row) => ({ id: row.id, status: shownStatus(row), openedAt: show(row.createdAt) })),
    verdict: openVerdictOf(latest, now),
    changes: changes.map((change) => ({
      id: change.id,
      ...showChange({ field: change.field, from: change.oldValue, to: change.newValue }),
      by: change.userName ?? "PayeeProof",
      at: show(change.createdAt),
    })),
    timeline: timeline.flatMap((entry) => toTimelineEntry(entry, show) ?? []),
  };
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
    reason: typeof reason === "string" ? reason : null,
  };
}

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
