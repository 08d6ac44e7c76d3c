import { paymentFiles } from "@db/schema";
import { sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import type { FileProblem } from "~/kernel/file-problem";
import { sha256Hex } from "~/kernel/sha256";
import { decodeBytes } from "~/kernel/text-decoding";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { type IdempotentRequest, runOnce } from "~/modules/core/commands/idempotency.server";
import { moveJob, retryJobLater } from "~/modules/core/commands/outbox.server";
import { holdNewJob } from "~/modules/core/commands/outbox.statements.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Services, WriteServices } from "~/services";
import {
  checkedAudit,
  checkInSteps,
  isOver,
  judgeStep,
  LINES_PER_STEP,
  type Pace,
  type Rest,
} from "./check-steps.server";
import type { CsvMapping } from "./csv/columns";
import { insertBytes } from "./file-bytes.server";
import { findFileContext } from "./file-context.server";
import { findFileSettings, rememberMapping } from "./file-settings.server";
import { type FileLine, sumOf } from "./payment-file";
import { findSameFile, mappingRequired, unreadableFile } from "./payment-file.server";
import type { ReadFile } from "./read-file";
import { readUpload } from "./read-upload.server";
import { describeSamePayments } from "./same-payments.server";

type Uploading = WriteServices & Pick<Services, "secrets" | "log">;

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

/** Of an upload: a person waits for the answer. */
const PACE_OF_UPLOAD: Pace = { linesPerStep: LINES_PER_STEP, forMs: 5_000 };

/**
 * Takes a payment file in and checks its lines, in steps. What there is no time for is left to the queue, and the file is
 * still "checking" when this returns. Uploading the same bytes again leads to the first upload.
 *
 * @throws AppError 400 INVALID_FILE with every problem and its line, or MAPPING_REQUIRED with the headings; 402
 * SUBSCRIPTION_REQUIRED; 409 IDEMPOTENCY_CONFLICT
 */
export async function uploadFile(
  services: Uploading,
  actor: Actor,
  input: UploadInput,
  pace = PACE_OF_UPLOAD,
): Promise<Uploaded> {
  const sha256 = await sha256Hex(input.bytes);
  const asked = { operation: "upload payment file", key: input.idempotencyKey, input: [sha256, input.columns] };
  return runOnce(services, actor, asked, async (request): Promise<Uploaded> => {
    const [settings, before] = await Promise.all([
      findFileSettings(services, actor.organizationId),
      findSameFile(services, actor, sha256),
      requireLiveSubscription(services, actor.organizationId),
    ]);
    if (before) return { fileId: before.id, isNew: false, nameBefore: before.name };
    const known = input.columns ? { [input.columns.signature]: input.columns.mapping } : settings.mappings;
    const text = decodeBytes(input.bytes);
    const reading = await readUpload(services, actor.organizationId, { text, isPasted: input.isPasted, known });
    if (!reading.ok)
      throw reading.mappingNeeded ? mappingRequired(reading.mappingNeeded) : unreadableFile(reading.problems);
    return takeIn(services, actor, { ...input, sha256, file: reading.file, request, pace });
  });
}

type Taking = UploadInput & {
  sha256: string;
  file: ReadFile;
  request: IdempotentRequest | undefined;
  pace: Pace;
};

/** Writes the file with the check of its first lines as one batch, then checks the others. */
async function takeIn(services: Uploading, actor: Actor, taking: Taking): Promise<Uploaded> {
  const { organizationId } = actor;
  const { file, sha256, columns, bytes, pace } = taking;
  const { lines } = file;
  const since = services.clock.now();
  const fileId = services.ids.next();
  const owner = { organizationId, fileId };
  const [row, context] = await Promise.all([
    toFileRow(services, actor, { ...taking, fileId }),
    findFileContext(services, { ...owner, uploadedById: actor.userId }, file),
  ]);
  const step = await judgeStep(services, context, { lines, from: 0, pace });
  const held = step.isLast ? undefined : holdNewJob(services, toCheckJob(owner));
  const result = await runCommand(services, actor, {
    conditions: [fileIsNew(organizationId, sha256)],
    statements: [
      services.db.insert(paymentFiles).values(row),
      ...(await insertBytes(services, { organizationId, ownerId: fileId }, bytes)),
      ...(columns ? [rememberMapping(services, organizationId, columns)] : []),
      ...step.statements,
      ...(held ? [held.statement] : []),
    ],
    audit: [uploadAudit(row), ...(step.isLast ? [checkedAudit(fileId, step.checked, step.fired)] : [])],
    request: taking.request,
    answer: { fileId, isNew: true, nameBefore: null } as Uploaded,
  });
  if (!result.ok) {
    const first = await findSameFile(services, actor, sha256);
    if (!first) throw new Error("a payment file was refused as known and is not there");
    return { fileId: first.id, isNew: false, nameBefore: first.name };
  }
  const { checked: from, fired } = step;
  if (held) await checkRest(services, { context, lines, from, fired, job: held.job, pace, since });
  return result.answer;
}

/** The file is taken in: when its check fails now, the queue goes on with it later, and the upload is a success. */
async function checkRest(services: Uploading, rest: Rest): Promise<void> {
  try {
    if (isOver(services, rest)) await moveJob(services, rest.job, { dueAt: services.clock.now(), attempts: 0 });
    else await checkInSteps(services, rest);
  } catch (error) {
    services.log.warn("payment_file.check_interrupted", { fileId: rest.context.fileId, error: String(error) });
    await retryJobLater(services, rest.job, { error: String(error) });
  }
}

const fileIsNew = (organizationId: string, sha256: string) => ({
  name: "already_uploaded" as const,
  found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${paymentFiles} WHERE ${paymentFiles.organizationId} = ${organizationId}
    AND ${paymentFiles.sha256} = ${sha256} AND ${paymentFiles.status} <> 'abandoned')`,
});

const toCheckJob = ({ organizationId, fileId }: { organizationId: string; fileId: string }) => ({
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
