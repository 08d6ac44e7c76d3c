import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { AUDIT_ACTIONS, type AuditAction } from "./audit";

/** What the list of the audit trail is narrowed to: one person, one kind of act, or one thing. */
export type AuditFilter =
  | { by: "user"; userId: string }
  | { by: "action"; action: AuditAction }
  | { by: "entity"; type: AuditedThing; id: string };

const THINGS = ["payee", "verification", "payment"] as const;
export type AuditedThing = (typeof THINGS)[number];

/** The filter as it stands in an address, e.g. `user:ID`, `action:payee.added`, `payee:ID`; undefined for anything else. */
export function parseAuditFilter(text: string | null): AuditFilter | undefined {
  const [kind, value] = splitOnce(text ?? "");
  if (kind === "action") {
    return Object.hasOwn(AUDIT_ACTIONS, value) ? { by: "action", action: value as AuditAction } : undefined;
  }
  if (!isId(value)) return undefined;
  if (kind === "user") return { by: "user", userId: value };
  const type = THINGS.find((thing) => thing === kind);
  return type && { by: "entity", type, id: value };
}

export function writeAuditFilter(filter: AuditFilter): string {
  switch (filter.by) {
    case "user":
      return `user:${filter.userId}`;
    case "action":
      return `action:${filter.action}`;
    case "entity":
      return `${filter.type}:${filter.id}`;
  }
}

/** Address of a page of the trail. */
export function auditHref(filter: AuditFilter | undefined, cursor?: string): string {
  return withQuery(appPaths.audit, { by: filter && writeAuditFilter(filter), cursor });
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(":");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
