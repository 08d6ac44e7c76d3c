import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { type AuditArea, areaOf, isAuditArea } from "~/modules/core/audit/areas";
import type { AuditAction } from "~/modules/core/audit/audit";
import { isAuditAction } from "./audit-sentence";

/** The filter of the audit trail, as it appears in an address. Pure. */

const THINGS = ["payee", "verification", "payment", "payment_file", "import"] as const;
export type AuditedThing = (typeof THINGS)[number];

/** Filters that are not set are absent. Days are `YYYY-MM-DD` in the organisation's time zone, both inclusive. */
export type AuditFilter = {
  /** Id of the person who acted. */
  person?: string;
  thing?: { type: AuditedThing; id: string };
  /** Id of a payee: all entries about it, its verifications and its payments. */
  payee?: string;
  area?: AuditArea;
  /** One action, in the chosen area if there is one. */
  action?: AuditAction;
  from?: string;
  to?: string;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** True for a calendar day, `2026-02-28`. */
export function isDay(text: string): boolean {
  const ms = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** Parses a subject in an address, `payee:ID`; undefined for anything else. */
function parseThing(text: string): AuditFilter["thing"] {
  const at = text.indexOf(":");
  const type = THINGS.find((thing) => thing === text.slice(0, at));
  const id = text.slice(at + 1);
  return type && isId(id) ? { type, id } : undefined;
}

/**
 * Parses the filter in an address: `person`, `thing`, `payee`, `area`, `action`, `from` and `to`; invalid values are
 * ignored, so no address causes an error. `by=user:ID`, `by=action:NAME` and `by=payee:ID` are older forms of one of
 * them.
 */
export function readAuditFilter(params: URLSearchParams): AuditFilter {
  const read = (name: string) => params.get(name) ?? "";
  const [kind = "", value = ""] = read("by").split(":", 2);
  const person = kind === "user" ? value : read("person");
  const action = kind === "action" ? value : read("action");
  const thing = parseThing(read("thing")) ?? parseThing(read("by"));
  const area = read("area");
  // If the form combines a new area with an action of the previous one, the area wins.
  const isOfArea = !isAuditArea(area) || areaOf(action) === area;
  return {
    ...(isId(person) ? { person } : {}),
    ...(thing ? { thing } : {}),
    ...(isId(read("payee")) ? { payee: read("payee") } : {}),
    ...(isAuditArea(area) ? { area } : {}),
    ...(isAuditAction(action) && isOfArea ? { action } : {}),
    ...(isDay(read("from")) ? { from: read("from") } : {}),
    ...(isDay(read("to")) ? { to: read("to") } : {}),
  };
}

/** The address of a view of the trail, or of its exports. */
export function auditHref(
  { thing, ...filter }: AuditFilter,
  page: { cursor?: string } = {},
  path: string = appPaths.audit,
): string {
  return withQuery(path, { ...filter, thing: thing && `${thing.type}:${thing.id}`, ...page });
}

export const isNarrowed = (filter: AuditFilter): boolean => Object.keys(filter).length > 0;
