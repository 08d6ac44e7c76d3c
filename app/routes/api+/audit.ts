import { api } from "~/http/api.server";
import { apiMember } from "~/http/guards.server";
import { type AuditEntry, toAuditJson } from "~/modules/core/audit/audit.json";
import { listAuditEntries } from "~/modules/core/audit/audit.server";
import { readAuditFilter } from "~/modules/core/audit/audit-filter";
import { seesEmails } from "~/modules/core/audit/mask-emails";
import { auditSentence } from "~/modules/records/audit-trail/audit-sentence";
import { readAuditNames } from "~/modules/records/audit-trail/names.server";

const MAX_CURSOR = 80;

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { searchParams } = new URL(args.request.url);
    const cursor = searchParams.get("cursor")?.slice(0, MAX_CURSOR) || undefined;
    const filter = readAuditFilter(searchParams);
    const { entries, nextCursor } = await listAuditEntries(args.services, actor, { cursor, filter });
    const whole = seesEmails(actor);
    const names = await readAuditNames(args.services, actor.organizationId, entries);
    const toJson = (entry: AuditEntry) => {
      const json = toAuditJson(entry, { whole });
      return { ...json, sentence: auditSentence(json, names) };
    };
    return { entries: entries.map(toJson), nextCursor };
  },
});
