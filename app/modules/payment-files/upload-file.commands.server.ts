import { paymentFiles } from "@db/schema";
import { sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import type { FileProblem } from "~/kernel/file-problem";
import { sha256Hex } from "~/kernel/sha256";
import { decodeBytes } from "~/kernel/text-decoding";
import { requireLiveSubscription } from "~/modules/billing/subscription.queries.server";
import { runOnce } from "~/modules/commands/idempotency.server";
import { runCommand } from "~/modules/commands/run-command.server";
import { saveRuleSet } from "~/modules/payment-rules/decision-record.statements.server";
import type { Services, WriteServices } from "~/services";
import type { CsvMapping } from "./csv/columns";
import { insertBytes } from "./file-bytes.statements.server";
import { findFileContext } from "./file-context.queries.server";
import { addToCounts, insertLines } from "./file-lines.statements.server";
import { findFileSettings } from "./file-settings.queries.server";
import { rememberMapping } from "./file-settings.statements.server";
import { judgeLines } from "./judge-lines.queries.server";
import { type FileLine, MAX_CHECKED_AT_ONCE, sumOf } from "./payment-file";
import { mappingRequired, unreadableFile } from "./payment-file.errors.server";
import { findSameFile } from "./payment-file.queries.server";
import type { ReadFile } from "./read-file";
import { readUpload } from "./read-upload.queries.server";
import { describeSamePayments } from "./same-payments.queries.server";

type Uploading = WriteServices & Pick<Services, "secrets">;

export type UploadInput = {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The text was pasted rather than chosen as a file. */
  isPasted?: boolean;
  /** The columns somebody chose for this table. */
  columns?: { signature: string; mapping: CsvMapping };
  idempotencyKey?: string;
};

/** `isNew` is false when exactly this file was uploaded before: the answer is about that one. */
export type Uploaded = { fileId: string; isNew: boolean; nameBefore: string | null };

/**
 * Takes a payment file in and checks every line of it. Up to `MAX_CHECKED_AT_ONCE` lines the file is checked when this
 * returns; a larger one is checked in steps by the queue. Uploading the same bytes again leads to the first upload.
 *
 * @throws AppError 400 INVALID_FILE with every problem and its line, or MAPPING_REQUIRED with the headings; 402
 * SUBSCRIPTION_REQUIRED; 409 IDEMPOTENCY_CONFLICT
 */
export async function uploadFile(services: Uploading, actor: Actor, input: UploadInput): Promise<Uploaded> {
  const sha256 = await sha256Hex(input.bytes);
  const asked = { operation: "upload payment file", key: input.idempotencyKey, input: [sha256, input.columns] };
  return runOnce(services, actor, asked, async (request): Promise<Uploaded> => {
    await requireLiveSubscription(services, actor.organizationId);
    const settings = await findFileSettings(services, actor.organizationId);
    const known = input.columns ? { [input.columns.signature]: input.columns.mapping } : settings.mappings;
    const text = decodeBytes(input.bytes);
    const reading = await readUpload(services, actor.organizationId, { text, isPasted: input.isPasted, known });
    if (!reading.ok)
      throw reading.mappingNeeded ? mappingRequired(reading.mappingNeeded) : unreadableFile(reading.problems);
    const before = await findSameFile(services, actor, sha256);
    if (before) return { fileId: before.id, isNew: false, nameBefore: before.name };
    const fileId = services.ids.next();
    const file = await toFileRow(services, actor, { ...input, fileId, sha256, file: reading.file });
    const isLarge = file.lineCount > MAX_CHECKED_AT_ONCE;
    const answer: Uploaded = { fileId, isNew: true, nameBefore: null };
    const result = await runCommand(services, actor, {
      conditions: [fileIsNew(actor.organizationId, sha256)],
      statements: [
        services.db.insert(paymentFiles).values(file),
        ...(await insertBytes(services, { organizationId: actor.organizationId, ownerId: fileId }, input.bytes)),
        ...(input.columns ? [rememberMapping(services, actor.organizationId, input.columns)] : []),
        ...(isLarge ? [] : await checkAtOnce(services, actor, fileId, reading.file)),
      ],
      audit: [uploadAudit(file)],
      jobs: isLarge ? [toCheckJob(services, actor.organizationId, fileId)] : [],
      request,
      answer,
    });
    if (result.ok) return result.answer;
    const first = await findSameFile(services, actor, sha256);
    if (!first) throw new Error("a payment file was refused as known and is not there");
    return { fileId: first.id, isNew: false, nameBefore: first.name };
  });
}

const fileIsNew = (organizationId: string, sha256: string) => ({
  name: "already_uploaded" as const,
  found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${paymentFiles} WHERE ${paymentFiles.organizationId} = ${organizationId}
    AND ${paymentFiles.sha256} = ${sha256} AND ${paymentFiles.status} <> 'abandoned')`,
});

const toCheckJob = ({ ids }: Pick<Services, "ids">, organizationId: string, fileId: string) => ({
  id: ids.next(),
  kind: "payment_file_check" as const,
  organizationId,
  subjectId: fileId,
});

type Row = typeof paymentFiles.$inferInsert;

const uploadAudit = ({ id, name, format, sha256, lineCount, totalCents }: Row) => ({
  action: "payment_file.uploaded" as const,
  entityType: "payment_file" as const,
  entityId: id,
  details: { name, format, sha256, lineCount, totalCents },
});

async function toFileRow(
  services: Uploading,
  actor: Actor,
  { fileId, sha256, file, name, bytes }: { fileId: string; sha256: string; file: ReadFile } & UploadInput,
): Promise<Row> {
  const now = services.clock.now();
  const { lines, format, aba } = file;
  const paymentsDigest = await services.secrets.hashToken(textWithoutAccounts(lines));
  const same = await describeSamePayments(services, actor, { paymentsDigest, sha256, lines });
  const problems: FileProblem[] = [...same, ...file.problems];
  return {
    id: fileId,
    organizationId: actor.organizationId,
    name,
    format,
    status: "checking",
    sha256,
    paymentsDigest,
    byteCount: bytes.length,
    headerRecord: aba?.header.record ?? null,
    columns: file.columns,
    problems,
    lineCount: lines.length,
    totalCents: sumOf(lines),
    checkedCount: 0,
    uploadedById: actor.userId,
    createdAt: now,
    updatedAt: now,
  };
}

/** Every payment but its account, in an order that does not depend on the file's. */
const textWithoutAccounts = (lines: readonly FileLine[]): string =>
  lines
    .map(({ accountName, amount, reference }) => JSON.stringify([accountName, amount, reference]))
    .sort()
    .join("\n");

/** The lines of a file that is judged before its upload is answered, and the counts of its row. */
async function checkAtOnce(services: Uploading, actor: Actor, fileId: string, file: ReadFile) {
  const owner = { organizationId: actor.organizationId, fileId };
  const context = await findFileContext(services, owner, file);
  const judged = await judgeLines(services, context, file.lines);
  const { ruleSetId, statement } = await saveRuleSet(services, owner.organizationId, context.levels);
  const checked = { status: "open" as const, checkedCount: file.lines.length };
  return [
    statement,
    ...insertLines(services, { ...owner, ruleSetId }, judged),
    addToCounts(services, owner, { lines: judged, set: checked }),
  ];
}
