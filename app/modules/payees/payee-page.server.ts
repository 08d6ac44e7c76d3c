import { columnsOf, payeeChanges, prepared, users, verifications } from "@db/database";
import { and, asc, desc, eq, gte, type SQL, sql } from "drizzle-orm";
import { describeInstitution, hasUnusualAccountLength, maskedAccount } from "~/kernel/bank-account";
import { formatDate, showTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import {
  CONTACT_AND_BANK_WINDOW_DAYS,
  type FormerTrust,
  findRedFlags,
  isTrusted,
  payeeStatus,
  type RedFlag,
} from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { displayName } from "~/kernel/text";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { detailsIn } from "~/modules/core/audit/audit";
import { listActs, listEntityTimeline, withUserName } from "~/modules/core/audit/timeline.server";
import { findDirectoryEntry, findRegisterAnswer } from "~/modules/directories/directory.server";
import { toRegisterView } from "~/modules/directories/register";
import { listNoticesOfPayee } from "~/modules/messages/notifications/change-notices.statements.server";
import {
  type DecidedChanges,
  type NoticeRow,
  noticeProblemSentence,
  toContactsToldView,
  undecidedNotices,
} from "~/modules/messages/notifications/notice-rules";
import {
  findFormerHolders,
  formerHoldersBesides,
  ownFormerUntil,
} from "~/modules/payees/verifications/evidence.server";
import { gradeFactsOf, gradeOf } from "~/modules/payees/verifications/outcomes";
import { formerHolderSentence, openVerdictOf, ownFormerAccountSentence } from "~/modules/payees/verifications/standing";
import { shownStatus } from "~/modules/payees/verifications/verification";
import { gradeColumns } from "~/modules/payees/verifications/verification.server";
import { verificationActions } from "~/modules/payees/verifications/verification-actions";
import type { Actor, Asking, ReadServices, Services } from "~/services-and-actor";
import { describeOrigin } from "./details-origin";
import { detailsOf, getPayeeWithLatest, type PayeeRow } from "./payee.server";
import { payeeActions } from "./payee-actions";
import { contactsSince, showChange } from "./payee-edit";
import { payeeHeadline } from "./payee-standing";
import { findNamedOrigin } from "./second-person.server";
import { readPayeeDomain } from "./verifications/payee-domains.server";

/** What each warning on the page says. */
const FLAGS: Record<RedFlag, { tone: "danger" | "warning"; title: string; text: string }> = {
  disputed: {
    tone: "danger",
    title: "The payee says these are not its details",
    text: "Payments are held until a person decides. Call the payee on a number you already know, not one from a recent email or invoice.",
  },
  details_changed: {
    tone: "warning",
    title: "The bank details have changed and are not verified yet",
    text: "Payments are held until the new details are verified. Ask who asked for the change, and confirm it on a number you already know.",
  },
  former_account: {
    tone: "danger",
    title: "Another payee's former account",
    text: "Compare it with that payee, and ask why the account is the same, using a contact you already had.",
  },
  renamed: {
    tone: "warning",
    title: "The payee was renamed and is not verified under its new name yet",
    text: "Payments are held until a person decides. Its bank details were confirmed under the name it had before: ask who wanted the new name, and confirm whose account it is.",
  },
  contact_and_bank_changed: {
    tone: "danger",
    title: "Contact and bank details changed close together",
    text: `Email or phone and the bank details were changed within ${CONTACT_AND_BANK_WINDOW_DAYS} days of each other. A fraudster who changed both would answer your call: use a number from before the change.`,
  },
};

export type PayeeView = Awaited<ReturnType<typeof readPayeePage>>;

/**
 * Reads the payee's page, with the full account number: the caller records who saw it. Texts are finished, with
 * instants in the organisation's time zone.
 * @throws AppError 404
 */
export async function readPayeePage(
  services: Pick<Services, "db" | "clock" | "domainRecords" | "domainRegistry">,
  actor: Actor,
  id: string,
) {
  const { payee, latest, grade } = await getPayeeWithLatest(services, actor, id);
  const now = services.clock.now();
  const showDate = (ms: number) => formatDate(ms, actor.timeZone);
  const [policy, opened, changes, timeline, directory, by, answer, holdersOf, notices, origin, domain] =
    await Promise.all([
      findPolicy(services, actor.organizationId),
      listVerifications(services, actor, id),
      listChanges(services, actor, id),
      listPayeeTimeline(services, actor, id),
      findDirectoryEntry(services, payee.bsb),
      findUserName(services, payee.whitelistedById),
      findRegisterAnswer(services, payee.abn),
      findFormerHolders(services, actor.organizationId, [payee]),
      listNoticesOfPayee(services, actor, id),
      findNamedOrigin(services, payee),
      readPayeeDomain(services, actor, payee, { now, showDate }),
    ]);
  const { timeZone } = policy;
  const show = (ms: number) => showTime(ms, { timeZone, now });
  const showOrNull = (ms: number | null) => (ms === null ? null : show(ms));
  const holders = holdersOf(payee);
  const formerHolders = formerHoldersBesides(holders, id);
  const ownUntil = ownFormerUntil(holders, id);
  const status = payeeStatus(payee, latest);
  const seen = latest && { status: latest.status, formerHolders: formerHolders.length };
  const flags = findRedFlags(payee, status, now, seen);
  const verdict = openVerdictOf(latest, { timeZone, now });
  const told = shownNotices(notices, decidedChanges(payee, opened), now);
  return {
    id,
    name: payee.name,
    version: payee.version,
    status,
    isArchived: payee.archivedAt !== null,
    /** When the payee submitted its own details, while no person has accepted them. */
    draftSince: showOrNull(payee.draftSince),
    headline: payeeHeadline(status, verdict, flags),
    /** Warnings to consider before trusting or paying this payee, gravest first. */
    flags: flags
      .map((code) => ({ code, ...FLAGS[code] }))
      .sort((a, b) => Number(b.tone === "danger") - Number(a.tone === "danger")),
    /** Other payees that had its account before, each as a sentence with a link. */
    formerHolders: formerHolders.map((holder) => ({
      sentence: formerHolderSentence(holder, timeZone),
      name: holder.name,
      href: appPaths.payee(holder.payeeId),
    })),
    /** Says that the payee went back to its own former account; null: it did not. */
    ownFormerAccount: ownUntil === undefined ? null : ownFormerAccountSentence(ownUntil, timeZone),
    /** Where the account was imported from, and who has to approve it; null: a member entered it. */
    origin: origin && describeOrigin(origin, { ...policy, isApproved: isTrusted(status) }),
    details: detailsOf(payee),
    phoneShown: payee.phone && formatPhone(payee.phone),
    institution: describeInstitution(payee.bsb, directory),
    hasUnusualLength: hasUnusualAccountLength(payee.bsb, payee.accountNumber),
    addedAt: show(payee.createdAt),
    /** How it was verified; null: it is not trusted. */
    grade: grade?.text ?? null,
    trust: {
      whitelisted: payee.whitelisted,
      global: payee.whitelistGlobal,
      reason: payee.whitelistedReason,
      at: showOrNull(payee.whitelistedAt),
      by,
      /** What it was trusted with before a change, masked: rejecting the change can restore it. Null: none. */
      former: payee.formerTrust && formerAccountWords(payee.formerTrust, payee.name),
    },
    /** Null: no ABN is known. */
    register: payee.abn === null ? null : toRegisterView(payee, answer, { now, showDate }),
    /** Public information about its email domain; null: no address is known. */
    domain,
    payments: { count: payee.paymentCount, last: showOrNull(payee.lastPaymentDate) },
    verifications: opened.map((row) => ({
      id: row.id,
      status: shownStatus(row),
      grade: gradeOf(gradeFactsOf(row))?.text ?? null,
      openedAt: show(row.createdAt),
      decidedAt: showOrNull(row.completedAt),
    })),
    /** The verdict on the pending verification; null: none is pending. */
    verdict,
    /** Whether its contacts were told about its last change; null: nothing changed, or they were told long ago. */
    contactsTold: toContactsToldView(told, { timeZone, now }, payee),
    changes: changes.map(({ id, field, oldValue: from, newValue: to, userName, createdAt }) => ({
      ...{ id, ...showChange({ field, from, to }) },
      by: userName ?? "PayeeProof",
      at: show(createdAt),
    })),
    timeline: timeline.flatMap((entry) => {
      const { id, action, userName, createdAt } = entry;
      if (!isShown(action)) return [];
      const { changes = [], reason } = detailsIn<keyof typeof ACTS>(entry);
      return {
        id,
        action,
        sentence: ACTS[action].label,
        /** Null: the system. */
        userName,
        when: show(createdAt),
        changes: changes.map(showChange),
        reason: reason ? reasonWords(action, reason) : null,
      };
    }),
  };
}

/** Says that a contact was not told until somebody decides the change; that all were told, for a few weeks. */
function shownNotices(notices: readonly NoticeRow[], decided: DecidedChanges, now: number): NoticeRow[] {
  const undecided = undecidedNotices(notices, decided);
  const isToldLongAgo = undecided.every(({ status, createdAt }) => status === "told" && createdAt < contactsSince(now));
  return isToldLongAgo ? [] : undecided;
}

/** A verification that was superseded did not decide anything. */
function decidedChanges({ whitelistedAt }: PayeeRow, opened: Awaited<ReturnType<typeof listVerifications>>) {
  const ends = opened.flatMap(({ status, completedAt }) =>
    (status === "verified" || status === "rejected") && completedAt !== null ? [completedAt] : [],
  );
  const last = Math.max(whitelistedAt ?? 0, ...ends);
  const pending = opened.find(({ status }) => status === "pending");
  return { pendingId: pending?.id ?? null, decidedAt: last === 0 ? null : last };
}

function formerAccountWords({ name, accountName, bsb, accountNumber }: FormerTrust, payeeName: string): string {
  const account = `${maskedAccount({ bsb, accountNumber })}, ${accountName}`;
  return name === undefined || name === payeeName ? account : `${account}, under the name ${name}`;
}

const CONTACT_NOT_TOLD = "payee.contact_not_told" satisfies keyof typeof payeeActions;

/** The reason that a person wrote, or in words why a contact was not told. */
const reasonWords = (action: string, reason: string): string =>
  action === CONTACT_NOT_TOLD ? (noticeProblemSentence(reason) ?? reason) : reason;

/** More than a person reads on one page; the audit trail has them all. */
const CHANGES_SIZE = 50;
const TIMELINE_SIZE = 50;
const VERIFICATIONS_SIZE = 10;

export async function listVerifications({ db }: ReadServices, actor: Asking, payeeId: string) {
  return db
    .select({
      ...columnsOf(verifications, "id", "status", "reasonCode", "createdAt"),
      ...columnsOf(verifications, "completedAt", "method", "outcome", "resultData"),
      ...gradeColumns("verifications"),
    })
    .from(verifications)
    .where(and(eq(verifications.organizationId, actor.organizationId), eq(verifications.payeeId, payeeId)))
    .orderBy(desc(verifications.id))
    .limit(VERIFICATIONS_SIZE);
}

/** A payee's changes, field by field, newest first. */
export async function listChanges({ db }: ReadServices, actor: Asking, payeeId: string) {
  const rows = await changesOf(db).all({ organizationId: actor.organizationId, payeeId });
  return rows.map(withUserName);
}

const changesOf = prepared((db) => selectChanges(db).orderBy(desc(payeeChanges.id)).limit(CHANGES_SIZE).prepare());

/** A payee's changes, each with the person who made it. */
export const selectChanges = (db: ReadServices["db"], condition?: SQL) =>
  db
    .select({
      ...columnsOf(payeeChanges, "id", "field", "oldValue", "newValue", "createdAt"),
      ...columnsOf(users, "firstName", "lastName"),
    })
    .from(payeeChanges)
    .leftJoin(users, eq(users.id, payeeChanges.userId))
    .where(
      and(
        eq(payeeChanges.organizationId, sql.placeholder("organizationId")),
        eq(payeeChanges.payeeId, sql.placeholder("payeeId")),
        condition,
      ),
    );

/** The audit actions that can appear in a payee's history. */
const ACTS = { ...payeeActions, ...verificationActions };
const isShown = (action: string): action is keyof typeof ACTS => Object.hasOwn(ACTS, action);

/** A payee's history from the audit trail, newest first, without entries for viewing it. */
export async function listPayeeTimeline(services: ReadServices, actor: Asking, payeeId: string) {
  const subject = { entityType: "payee", entityId: payeeId } as const;
  const own = listEntityTimeline(services, actor, subject, { order: "newest first", limit: TIMELINE_SIZE });
  const ids = (await listVerifications(services, actor, payeeId)).map(({ id }) => id);
  const disputes = await listActs(services, actor, { entityType: "verification", ids, action: DISPUTED });
  return [...(await own), ...disputes].sort((a, b) => b.createdAt - a.createdAt).slice(0, TIMELINE_SIZE);
}

/** The payee disputes a verification; people who read the payee's history must see that there. */
const DISPUTED = "verification.disputed_by_payee";

/** Account numbers that the payee had before, newest first. */
export async function listFormerNumbers({ db }: ReadServices, actor: Asking, payeeId: string): Promise<string[]> {
  const rows = await db
    .select({ field: payeeChanges.field, oldValue: payeeChanges.oldValue })
    .from(payeeChanges)
    .where(and(eq(payeeChanges.organizationId, actor.organizationId), eq(payeeChanges.payeeId, payeeId)))
    .orderBy(desc(payeeChanges.id))
    .limit(CHANGES_SIZE);
  return rows.flatMap(({ field, oldValue }) => (field === "accountNumber" && oldValue !== null ? [oldValue] : []));
}

/** The payee's name at an instant, because statements made then were about that name. @param at epoch milliseconds */
export async function findNameAt(
  { db }: ReadServices,
  { organizationId }: Asking,
  payee: { id: string; name: string },
  at: number,
): Promise<string> {
  const [next] = await db
    .select({ name: payeeChanges.oldValue })
    .from(payeeChanges)
    .where(
      and(
        eq(payeeChanges.organizationId, organizationId),
        eq(payeeChanges.payeeId, payee.id),
        eq(payeeChanges.field, "name"),
        gte(payeeChanges.createdAt, at),
      ),
    )
    .orderBy(asc(payeeChanges.id))
    .limit(1);
  return next?.name ?? payee.name;
}

/** A user's name; null when the id is null or the user no longer exists. */
export async function findUserName({ db }: ReadServices, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const [user] = await db
    .select({ firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, userId));
  return user ? displayName(user) : null;
}
