import * as z from "zod";
import { check } from "~/http/body.server";
import { csvAnswer, streamedDownload } from "~/http/responses.server";
import { AUDIT_AREAS } from "~/modules/core/audit/areas";
import { listAuditEntries } from "~/modules/core/audit/audit.server";
import { seesEmails } from "~/modules/core/audit/entry";
import { reportBrokenTrail } from "~/modules/core/audit/failed-seals.server";
import { anchorSchema, exportSchema, exportTrail, verifyTrail } from "~/modules/core/audit/seals.server";
import { recordExport } from "~/modules/core/record-reveal.server";
import { sealAuditTrail } from "~/modules/core/seals.server";
import { toAuditJson } from "~/modules/records/audit-trail/audit.json";
import { auditNdjson } from "~/modules/records/audit-trail/audit-file.server";
import { isNarrowed, readAuditFilter } from "~/modules/records/audit-trail/audit-filter";
import { AUDIT_ACTIONS, auditSentence } from "~/modules/records/audit-trail/audit-sentence";
import { readAuditNames } from "~/modules/records/audit-trail/names.server";
import { csvRows, REPORT_IDS, toReportJson } from "~/modules/records/reports/report";
import { readReport } from "~/modules/records/reports/report.server";
import { readRange } from "~/modules/records/reports/report-range";
import {
  count,
  cursor,
  days,
  EXAMPLE,
  EXAMPLE_SHA256,
  endpoint,
  facts,
  flag,
  id,
  NAMES,
  nextCursor,
  number,
  person,
  sha256,
  text,
  word,
  writtenInstant,
} from "./endpoint.server";

const seal = { seq: count(41).nullable(), prevHash: sha256.nullable(), hash: sha256.nullable() };

export const entry = {
  id: id(EXAMPLE.entry),
  createdAt: writtenInstant,
  organizationId: text(EXAMPLE.organization),
  userId: id(EXAMPLE.person).nullable(),
  action: text("payee.added"),
  entityType: text("payee").nullable(),
  entityId: id(EXAMPLE.payee).nullable(),
  details: facts.nullable(),
  ipAddress: text("203.0.113.7").nullable(),
  userAgent: text("curl/8.11.0").nullable(),
  requestId: text("f1c4c1b2-7e5e-4d55-9b0f-6b1a4a5f2c10").nullable(),
};

const auditEntry = z
  .object({
    ...entry,
    user: person.nullable().meta({ description: "Null: PayeeProof itself, or a person without an account." }),
    description: text("Added a payee"),
    ...seal,
    sentence: text("Mira Okafor added the payee Wattle Creek Electrical."),
  })
  .register(NAMES, { id: "AuditEntry" });

export const emailSalt = text(
  "q0b1X3n2n5vY0c8jvO7rJYB1bXk3Yw2m6Q9sT4uV8wA",
  "Only for admins, in an entry with email addresses. The entry's hash is computed with each address masked and followed by `#` and the SHA-256 of this salt, a line end and the address.",
).optional();

/** A line of the whole trail's export. */
const exportedEntry = z.object({
  ...{ ...entry, seq: count(41), prevHash: sha256, hash: sha256 },
  emailSalt,
  masked: z.literal(true).optional().meta({
    description:
      "Present if email addresses are masked for you although the hash is that of the entry with the full addresses.",
  }),
});

const trailReport = z.object({
  ok: flag(true),
  checked: count(41),
  unsealed: count(0),
  unknown: count(0),
  brokenAt: count(7).optional(),
  hash: sha256,
  next: z.object({ count: count(5_000), hash: sha256 }).optional(),
  restored: z
    .object({
      at: text("2026-11-20T04:00:00.000Z"),
      from: text("2026-11-20T02:00:00.000Z"),
      until: text("2026-11-20T03:00:00.000Z"),
      kept: count(41),
      lostSeal: z.literal(true).optional(),
    })
    .optional(),
});

const figures = z.record(z.string(), z.int()).meta({ examples: [{ paymentsHeld: 2, heldCents: 30050 }] });

const report = z.object({
  report: z.enum(REPORT_IDS),
  from: text("2026-11-01"),
  to: text("2026-11-30"),
  rows: z.array(z.object({ label: text("19 Nov 2026"), figures })),
  totals: figures,
});

const ACTIONS = Object.keys(AUDIT_ACTIONS).slice(0, 3).join(", ");

const whichEntries = {
  person: word("A user's id: only what this person did.", EXAMPLE.person),
  thing: word(
    "Only entries about one thing: `payee:` and its id, or the same with verification, payment, payment_file or import.",
    `payee:${EXAMPLE.payee}`,
  ),
  payee: word("A payee's id: only entries about this payee, its verifications and its payments.", EXAMPLE.payee),
  area: word(`Only actions in this area: ${Object.keys(AUDIT_AREAS).join(", ")}.`, "payees"),
  action: word(`Only this action, such as ${ACTIONS}.`, "payee.added"),
  ...days,
  cursor,
};

const MAX_CURSOR = 80;
const cursorOf = (asked: URLSearchParams) => asked.get("cursor")?.slice(0, MAX_CURSOR) || undefined;

const fromOne = z.coerce.number().int().min(1);

export const AUDIT_CALLS = [
  endpoint({
    id: "readReport",
    group: "audit",
    at: "GET /api/reports/{report}",
    needs: "audit:read",
    title: "Read a report",
    text: "Figures for a range of days, counted from the audit trail: the last 30 days by default, and at most 366. Send `Accept: text/csv` for a table.",
    path: { report: z.enum(REPORT_IDS).meta({ description: "Which report.", examples: ["money"] }) },
    query: days,
    answers: { 200: { text: "One row for each day, person, rule or other subject of the report.", schema: report } },
    examples: [{ title: "Held and rejected money", status: 200, path: { report: "money" } }],
    run: async ({ services, actor, path, asked, request }) => {
      const range = readRange(asked, actor.timeZone, services.clock.now());
      const report = await readReport(services, actor, path.report, range);
      if (!request.headers.get("Accept")?.includes("text/csv")) return toReportJson(report, range);
      await recordExport(services, actor, "a report");
      return csvAnswer({ name: `${path.report}-${range.from}-${range.to}.csv`, ...csvRows(report) });
    },
  }),
  endpoint({
    id: "listAuditEntries",
    group: "audit",
    at: "GET /api/audit",
    needs: "audit:read",
    title: "List entries of the audit trail",
    text: "Newest first. Only admins see whole email addresses.",
    query: whichEntries,
    answers: { 200: { text: "A page of entries.", schema: z.object({ entries: z.array(auditEntry), nextCursor }) } },
    examples: [
      { title: "All entries", status: 200 },
      {
        title: "Payees added in November",
        status: 200,
        query: { action: "payee.added", from: "2026-11-01", to: "2026-11-30" },
      },
    ],
    run: async ({ services, actor, asked }) => {
      const filter = readAuditFilter(asked);
      const page = await listAuditEntries(services, actor, { cursor: cursorOf(asked), filter });
      const whole = seesEmails(actor);
      const names = await readAuditNames(services, actor.organizationId, page.entries);
      const entries = page.entries.map((entry) => {
        const json = toAuditJson(entry, { whole });
        return { ...json, sentence: auditSentence(json, names) };
      });
      return { entries, nextCursor: page.nextCursor };
    },
  }),
  endpoint({
    id: "exportAuditTrail",
    group: "audit",
    at: "GET /api/audit/export.ndjson",
    needs: "audit:read",
    title: "Export the audit trail",
    text: "One entry per line, oldest first, each with its hash. Only admins see email addresses; others get digests in their place, with which the hash can be computed too. Where a part ends before the trail does, the header `Link` leads to the next part. With a filter, the answer has only the matching entries, newest first.",
    query: {
      ...whichEntries,
      after: number("The `seq` of the last entry of the previous part.", z.coerce.number().int().min(0), 0),
    },
    answers: { 200: { text: "A line for each entry.", type: "application/x-ndjson", schema: exportedEntry } },
    refusals: ["INVALID_INPUT"],
    examples: [
      { title: "The whole trail", status: 200 },
      { title: "Something other than a number", status: 400, query: { after: "the beginning" } },
    ],
    run: async ({ services, actor, request, asked }) => {
      await recordExport(services, actor, "the audit trail");
      // Each line includes its seal, so unsealed entries are sealed first.
      await sealAuditTrail(services);
      const filter = readAuditFilter(asked);
      const whole = seesEmails(actor);
      if (isNarrowed(filter)) {
        // Each entry with its seal and a sentence. A single entry does not prove the chain; only the whole trail does.
        const lines = auditNdjson(services, actor, { filter, cursor: cursorOf(asked), whole });
        return streamedDownload({ name: "audit-trail-filtered.ndjson", lines, type: "application/x-ndjson" });
      }
      const { after } = check(exportSchema, Object.fromEntries(asked));
      const part = await exportTrail(services, actor.organizationId, { whole, after });
      const isWhole = part.first === 1 && part.next === undefined;
      const name = isWhole ? "audit-trail" : `audit-trail-${part.first}-${part.last}`;
      const next = `<${new URL(request.url).pathname}?after=${part.next}>; rel="next"`;
      return new Response(part.lines, {
        headers: {
          "Content-Type": "application/x-ndjson; charset=utf-8",
          "Content-Disposition": `attachment; filename="${name}.ndjson"`,
          ...(part.next === undefined ? {} : { Link: next }),
        },
      });
    },
  }),
  endpoint({
    id: "verifyAuditTrail",
    group: "audit",
    at: "GET /api/audit/verify",
    needs: "audit:read",
    title: "Check the audit trail",
    text: "Computes the chain of hashes again. With a hash and a number that you noted down, it also finds out whether the end of the trail was cut off. `restored` says that PayeeProof restored its database and that entries after number `kept` were lost; `lostSeal` says that the hash you noted down belongs to one of them. A trail that breaks without a restore raises an alert.",
    query: {
      hash: word("A hash that you noted down.", EXAMPLE_SHA256),
      count: number("The number that belongs to the hash.", fromOne, 41),
      after: number("Continues from the `next.count` of the previous answer.", fromOne, 5000),
      afterHash: word("The `next.hash` that belongs to `after`.", EXAMPLE_SHA256),
    },
    answers: { 200: { text: "Whether the trail is whole, or where it breaks.", schema: trailReport } },
    refusals: ["INVALID_INPUT"],
    examples: [{ title: "The whole trail", status: 200 }],
    run: async ({ services, actor, asked: query }) => {
      const asked = check(anchorSchema, Object.fromEntries(query));
      const report = await verifyTrail(services, actor.organizationId, asked);
      await reportBrokenTrail(services, actor, asked, report);
      return report;
    },
  }),
];
