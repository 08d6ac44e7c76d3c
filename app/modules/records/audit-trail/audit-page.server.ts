import { payees } from "@db/database";
import { and, eq } from "drizzle-orm";
import { formatDate, isoDay, moveDay, showTime, type Zone } from "~/kernel/dates";
import { maskEmails } from "~/kernel/email";
import { isId } from "~/kernel/ids";
import { appPaths, findEntityPath } from "~/kernel/paths/app";
import { AUDIT_AREAS, type AuditArea, areaOf } from "~/modules/core/audit/areas";
import type { AuditAction } from "~/modules/core/audit/audit";
import {
  listAuditEntries,
  listAuditedPeople,
  MAX_AUDITED_PEOPLE,
  PAYEE_PAYMENTS,
  PAYEE_VERIFICATIONS,
} from "~/modules/core/audit/audit.server";
import { counted, joined } from "~/modules/core/audit/details";
import { seesEmails } from "~/modules/core/audit/entry";
import { findTip, PART_SIZE } from "~/modules/core/audit/seals.server";
import { listPayees } from "~/modules/payees/payee-list.server";
import type { Actor, ReadServices, TimedServices } from "~/services-and-actor";
import type { AuditEntry, AuditPage } from "./audit.json";
import { type AuditedThing, type AuditFilter, auditHref, isNarrowed, readAuditFilter } from "./audit-filter";
import { AUDIT_ACTIONS, type AuditNames, auditSentence } from "./audit-sentence";
import { readAuditNames } from "./names.server";

const LOOKED_AT: AuditAction = "payee.details_revealed";

/** One row of the audit page. `whole` shows the email addresses in the details. */
function toAuditLine(entry: AuditEntry, names: AuditNames, zone: Zone, { whole }: { whole: boolean }) {
  const details = whole ? entry.details : maskEmails(entry.details);
  return {
    id: entry.id,
    when: showTime(entry.createdAt, zone),
    sentence: auditSentence({ ...entry, details }, names),
    href: findEntityPath(entry),
    who: entry.user?.name ?? null,
    email: entry.user?.email ?? null,
    ipAddress: entry.ipAddress,
    seq: entry.seal?.seq ?? null,
  };
}

export type AuditLine = ReturnType<typeof toAuditLine>;

/** A row, or all views of full bank details on one day under one heading. */
type AuditItem = { line: AuditLine } | { views: AuditLine[]; heading: string };

/** Collapses a day's views of bank details into one item, where the newest was; other entries stay. */
function groupViews(entries: readonly { line: AuditLine; action: string }[]): AuditItem[] {
  const views = new Map<string, AuditLine[]>();
  for (const { line, action } of entries) {
    if (action === LOOKED_AT) views.set(dayOf(line), [...(views.get(dayOf(line)) ?? []), line]);
  }
  return entries.flatMap(({ line, action }): AuditItem[] => {
    if (action !== LOOKED_AT) return [{ line }];
    const sameDay = views.get(dayOf(line)) ?? [];
    if (sameDay[0] !== line) return [];
    return sameDay.length === 1 ? [{ line }] : [{ views: sameDay, heading: headingOf(sameDay) }];
  });
}

/** The day of a row, "22 Nov 2026". */
const dayOf = ({ when }: AuditLine): string => when.exact.split(",")[0] ?? "";

/** "4 views of full bank details by Mira Okafor and Jo Wills". */
function headingOf(views: readonly AuditLine[]): string {
  const people = [...new Set(views.map(({ who }) => who ?? "PayeeProof"))];
  const named = people.length > 3 ? [...people.slice(0, 3), counted(people.length - 3, "other")] : people;
  return `${counted(views.length, "view")} of full bank details by ${joined(named)}`;
}

/** Links to the days around the chosen one, never to tomorrow. Without a chosen day, `today` links to it. */
function dayLinks(filter: AuditFilter, { timeZone, now }: Zone) {
  const today = isoDay(now, timeZone);
  const on = (day: string) => auditHref({ ...filter, from: day, to: day });
  if (filter.from === undefined || filter.from !== filter.to) return { today: on(today) };
  const next = moveDay(filter.from, 1);
  return {
    day: formatDate(Date.parse(`${filter.from}T12:00:00Z`), "UTC"),
    previous: on(moveDay(filter.from, -1)),
    next: next > today ? undefined : on(next),
  };
}

const NOTHING_LISTED: AuditPage = { entries: [], nextCursor: null, isPartial: false };

const onlyPayeeSentence = (name: string): string =>
  `Only ${name}: the payee, its newest ${PAYEE_VERIFICATIONS} verifications and its newest ${PAYEE_PAYMENTS} payments.`;

/** Reads the audit page: its rows, the links of its buttons, and the description of its filter. */
export async function readAuditPage(services: TimedServices, actor: Actor, url: URL) {
  const { organizationId, timeZone } = actor;
  const asked = readAuditFilter(url.searchParams);
  const payee = await findAskedPayee(services, actor, asked, url.searchParams);
  const filter = payee.id ? { ...asked, payee: payee.id } : asked;
  const area = filter.area ?? (filter.action && areaOf(filter.action));
  const cursor = url.searchParams.get("cursor")?.slice(0, 80) || undefined;
  const [list, people, tip] = await Promise.all([
    // Without a chosen payee, list nothing: the trail of all payees would look like that of one.
    payee.problem ? NOTHING_LISTED : listAuditEntries(services, actor, { cursor, filter }),
    listAuditedPeople(services, actor),
    findTip(services, organizationId),
  ]);
  const names = await readAuditNames(services, organizationId, list.entries);
  const reader = { timeZone, now: services.clock.now(), whole: seesEmails(actor) };
  const lines = list.entries.map((entry) => ({
    action: entry.action,
    line: toAuditLine(entry, names, reader, reader),
  }));
  const items = filter.action === LOOKED_AT ? lines.map(({ line }) => ({ line })) : groupViews(lines);
  const parts = exportParts(tip?.count ?? 0, PART_SIZE);
  return {
    filter,
    people,
    isPeopleCut: people.length === MAX_AUDITED_PEOPLE,
    /** The newest seal; undefined before the first. */
    tip,
    newestHref: cursor && auditHref(filter),
    items,
    parts,
    payee,
    area,
    areas: Object.entries(AUDIT_AREAS).map(([value, { label }]) => ({ value, label })),
    actions: actionChoices(area),
    days: dayLinks(filter, reader),
    about: payee.id && !payee.problem ? onlyPayeeSentence(payee.typed) : aboutFilter(filter, names, lines[0]?.line),
    notes: {
      empty: payee.problem
        ? payee.problem
        : list.isPartial
          ? "None of the newest thousand entries matches this filter. Older ones follow on the next page."
          : "No audit entries match this filter.",
      partial: list.isPartial ? "Searched a thousand entries. Older ones follow on the next page." : undefined,
    },
    checkHref: `${auditHref({})}?check=1`,
    csvHref: auditHref(filter, {}, appPaths.auditCsv),
    /** A long trail is downloaded in parts, whose links are elsewhere on the page. */
    ndjsonHref: parts.length < 2 || isNarrowed(filter) ? auditHref(filter, {}, appPaths.auditExport) : undefined,
    nextHref: list.nextCursor ? auditHref(filter, { cursor: list.nextCursor }) : undefined,
  };
}

const THING_WORDS: Readonly<Record<AuditedThing, string>> = {
  payee: "one payee",
  verification: "one verification",
  payment: "one payment",
  payment_file: "one payment file",
  import: "one import of payees",
};

/** Describes the filter's subject in words: its name if the page has it. */
function aboutFilter({ thing }: AuditFilter, names: AuditNames, newest: AuditLine | undefined): string {
  if (!thing) return "";
  const named: Readonly<Record<AuditedThing, string | undefined>> = {
    payee: names.payees.get(thing.id),
    verification: names.verifications.get(thing.id),
    payment: names.payments.get(thing.id)?.name,
    payment_file: names.files.get(thing.id),
    import: undefined,
  };
  const name = newest && named[thing.type];
  return `Only ${THING_WORDS[thing.type]}${name ? `: ${name}` : ""}.`;
}

/** The actions of an area, as options of the filter. */
const actionChoices = (area: AuditArea | undefined) =>
  Object.entries(AUDIT_ACTIONS)
    .filter(([action]) => area !== undefined && areaOf(action) === area)
    .map(([value, { label }]) => ({ value, label }));

const MAX_OFFERED = 10;

/** Finds the payee that the address names, by id or by part of its name. */
async function findAskedPayee(services: ReadServices, actor: Actor, filter: AuditFilter, params: URLSearchParams) {
  const typed = filter.payee ? "" : (params.get("payee")?.trim().slice(0, 100) ?? "");
  // The payee of the previous page: keep it if its name was not changed, because other payees may have the same name.
  const former = filter.payee ?? params.get("former") ?? "";
  const [row] =
    filter.payee || (typed && isId(former))
      ? await services.db
          .select({ name: payees.name })
          .from(payees)
          .where(and(eq(payees.organizationId, actor.organizationId), eq(payees.id, former)))
      : [];
  if (row && (filter.payee || row.name === typed)) return { typed: row.name, id: former };
  if (filter.payee) return { typed: "", id: filter.payee, problem: "This payee is not one of your organisation's." };
  if (typed === "") return { typed };
  const [live, archived] = await Promise.all([
    listPayees(services, actor, { q: typed, limit: MAX_OFFERED }),
    listPayees(services, actor, { q: typed, limit: MAX_OFFERED, filter: "archived" }),
  ]);
  const found = new Map([...live.payees, ...archived.payees].map(({ id, name }) => [id, name]));
  const named = [...found].filter(([, name]) => name.toLowerCase() === typed.toLowerCase());
  const [only] = named.length === 1 ? named : found;
  if (!only) return { typed, problem: "No payee has this name. Try a part of it." };
  const [id, name] = only;
  if (found.size === 1 || named.length === 1) return { typed: name, id };
  const isMore = live.next !== undefined || archived.next !== undefined;
  return {
    typed,
    problem: isMore
      ? "Many payees match this. Choose one, or type more of its name."
      : "Several payees match this. Choose one.",
    offered: [...found].map(([id, name]) => ({ name, href: auditHref({ ...filter, payee: id }) })),
  };
}

/** The links for downloading an export in parts of this size. */
function exportParts(count: number, size: number): { href: string; label: string }[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, part) => ({
    href: `${appPaths.auditExport}?after=${part * size}`,
    label: `entries ${part * size + 1} to ${Math.min(count, (part + 1) * size)}`,
  }));
}
