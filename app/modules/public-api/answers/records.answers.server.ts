import * as z from "zod";
import { IMPORT_STATUSES, ROW_OUTCOMES, TABLE_KINDS } from "~/kernel/enums";
import type { toAuditJson } from "~/modules/core/audit/audit.json";
import type { toExportedEntry } from "~/modules/core/audit/entry";
import type { TrailReport } from "~/modules/core/audit/seals.server";
import type { toImportJson, toRowJson } from "~/modules/payees/imports/import.json";
import type { EvidencePack } from "~/modules/records/evidence-pack";
import { REPORT_IDS, type toReportJson } from "~/modules/records/reports/report";
import { EXAMPLE } from "../example-ids";
import { certificate } from "./certificates.answers.server";
import { count, describes, facts, flag, id, instant, person, sha256, text } from "./fields.server";

/** Answers about imports and about the audit trail. */

export const payeeImport = describes<ReturnType<typeof toImportJson>>()(
  z.object({
    id: id(EXAMPLE.import),
    name: text("suppliers.csv"),
    kind: z.enum(TABLE_KINDS),
    status: z.enum(IMPORT_STATUSES),
    sha256,
    rows: count(2),
    done: count(2),
    added: count(2),
    unchanged: count(0),
    filled: count(0),
    differs: count(0),
    noAccount: count(0),
    refused: count(0),
    problem: text("The file ends in the middle of a row.").nullable(),
    createdAt: instant,
    finishedAt: instant.nullable(),
  }),
);

export const importRow = describes<ReturnType<typeof toRowJson>>()(
  z.object({
    line: count(3),
    name: text("Wattle Creek Electrical"),
    outcome: z.enum(ROW_OUTCOMES),
    message: text("A BSB has 6 digits, such as 062-000"),
    payeeId: id(EXAMPLE.payee).nullable(),
  }),
);

const seal = { seq: count(41).nullable(), prevHash: sha256.nullable(), hash: sha256.nullable() };

const entry = {
  id: id(EXAMPLE.entry),
  createdAt: instant,
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

export const auditEntry = describes<ReturnType<typeof toAuditJson> & { sentence: string }>()(
  z.object({
    ...entry,
    user: person.nullable().meta({ description: "Null: PayeeProof itself, or a person without an account." }),
    description: text("Added a payee"),
    ...seal,
    sentence: text("Mira Okafor added the payee Wattle Creek Electrical."),
  }),
);

/** A line of the whole trail's export. */
export const exportedEntry = describes<ReturnType<typeof toExportedEntry> & { prevHash: string; hash: string }>()(
  z.object({ ...entry, seq: count(41), prevHash: sha256, hash: sha256 }),
);

export const trailReport = describes<TrailReport>()(
  z.object({
    ok: flag(true),
    checked: count(41),
    unsealed: count(0),
    unknown: count(0),
    brokenAt: count(7).optional(),
    hash: sha256,
    next: z.object({ count: count(5_000), hash: sha256 }).optional(),
  }),
);

const figures = z.record(z.string(), z.int()).meta({ examples: [{ paymentsHeld: 2, heldCents: 30050 }] });

export const report = describes<ReturnType<typeof toReportJson>>()(
  z.object({
    report: z.enum(REPORT_IDS),
    from: text("2026-11-01"),
    to: text("2026-11-30"),
    rows: z.array(z.object({ label: text("19 Nov 2026"), figures })),
    totals: figures,
  }),
);

export const evidencePack = describes<EvidencePack>()(
  z.object({
    format: z.literal("payeeproof-evidence-1"),
    madeAt: instant,
    organization: z.object({ id: id(EXAMPLE.organization), name: text("Harbour Joinery") }),
    timeZone: text("Australia/Sydney"),
    subject: z.object({ type: z.enum(["payee", "payment"]), id: id(EXAMPLE.payee), name: text("Riverbend Timber") }),
    entries: z.array(
      z.object({
        entry: z.object({ ...entry, seq: count(41) }),
        prevHash: sha256,
        hash: sha256,
        isMasked: flag(false),
        sentence: text("Mira Okafor added Riverbend Timber."),
      }),
    ),
    isComplete: flag(true),
    certificates: z.array(certificate.omit({ title: true })),
    tip: z.object({ count: count(41), hash: sha256 }).nullable(),
    hash: sha256,
  }),
);
