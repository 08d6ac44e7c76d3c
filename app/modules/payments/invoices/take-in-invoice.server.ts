import { columnsOf, invoices, organizations } from "@db/database";
import { and, eq, inArray, or, sql } from "drizzle-orm";
import { AppError, UpstreamError } from "~/kernel/app-error";
import { sha256Hex } from "~/kernel/encodings";
import type { MailAuthentication } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { cleanLine, clip } from "~/kernel/text";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { Job } from "~/modules/core/commands/job";
import { finishJob, moveJob, retryJobLater } from "~/modules/core/commands/outbox.server";
import { type Acting, endJob, holdNewJob, jobIsLeased, runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import { getBytes, insertBytes } from "~/modules/payments/payment-files/payment-file.server";
import { referenceKey } from "~/modules/rules/duplicate-payment";
import { currentInvoiceRules, runInvoiceRules } from "~/modules/rules/invoices";
import { judgeInvoice } from "~/modules/rules/invoices/verdict";
import type { DocumentRead, UnreadableReason } from "~/ports/document-reader";
import { type Actor, type ReadServices, type Services, systemActor } from "~/services-and-actor";
import {
  attentionOf,
  headlineOf,
  MAX_INVOICE_BYTES,
  MAX_INVOICE_FILES,
  refusedFile,
  shownStanding,
  sniffDocument,
  type TakenFile,
  TOO_LARGE,
} from "./invoice";
import { type GatheringFacts, gatherInvoiceFacts } from "./invoice-facts.server";
import { documentFacts, toStored, totalOf } from "./reading";

export type ReadingInvoices = GatheringFacts & Pick<Services, "documentReader">;

/** What is known about an email to the organisation's invoice address, besides its bytes. */
export type MailOrigin = {
  sender: string | null;
  authentication: MailAuthentication;
  digest: string;
  isKnown: boolean;
  /** The address that the verdict is sent to. */
  replyTo: string | null;
};

/** `isNew` is false when the same bytes arrived before: the result then refers to that invoice. */
export type TakenIn = { invoiceId: string; isNew: boolean };

/** How long the request waits for the verdict. */
const WAIT_MS = 4_000;

const MAX_NAME = 200;

/**
 * Stores an invoice and reads it. If reading takes too long, the queue finishes it, and the invoice is still "reading"
 * when this returns; after the first batch no crash loses it. Uploading the same bytes again returns the first invoice.
 *
 * @throws AppError 400 INVALID_DOCUMENT when the file cannot be an invoice; 402 SUBSCRIPTION_REQUIRED
 */
export async function takeInInvoice(
  services: ReadingInvoices,
  acting: Acting,
  invoice: {
    fileName: string;
    bytes: Uint8Array<ArrayBuffer>;
  } & ({ source: "upload" | "api"; mail?: undefined } | { source: "email"; mail: MailOrigin }),
  waitMs = WAIT_MS,
): Promise<TakenIn> {
  const { organizationId } = acting;
  const { bytes, source, mail } = invoice;
  const sniffed = sniffDocument(bytes);
  // An email is stored as an email, whatever its first bytes look like.
  const contentType = mail && sniffed ? "message/rfc822" : sniffed;
  if (!contentType) throw invalidDocument();
  const sha256 = await sha256Hex(bytes);
  const [before] = await Promise.all([
    findSame(services, organizationId, { sha256, mailDigest: mail?.digest }),
    requireLiveSubscription(services, organizationId),
  ]);
  if (before) return { invoiceId: before, isNew: false };
  const now = services.clock.now();
  const id = services.ids.next();
  const fileName = clip(cleanLine(invoice.fileName), MAX_NAME) || "invoice";
  const held = holdNewJob(services, { kind: "invoice_reading", organizationId, subjectId: id });
  const result = await runCommand(services, acting, {
    uniques: { known: "invoices" },
    statements: [
      services.db.insert(invoices).values({
        ...{ id, organizationId, status: "reading", fileName, contentType, sha256 },
        source: mail ? "api" : source,
        ...{ byteCount: bytes.length, receivedAt: now, receivedById: acting.userId, updatedAt: now },
        ...(mail && {
          ...{ fromAddress: mail.sender, mailAuthentication: mail.authentication, mailDigest: mail.digest },
          ...{ mailIsKnown: mail.isKnown, mailReplyTo: mail.replyTo },
        }),
      }),
      ...(await insertBytes(services, { organizationId, ownerId: id }, bytes)),
      held.statement,
    ],
    audit: [
      {
        action: "invoice.received",
        entityType: "invoice",
        entityId: id,
        details: { name: fileName, sha256, source, ...(mail && { from: mail.sender }) },
      },
    ],
  });
  if (!result.ok) {
    const first = await findSame(services, organizationId, { sha256, mailDigest: mail?.digest });
    if (!first) throw new Error("an invoice was refused as already uploaded, but is not there");
    return { invoiceId: first, isNew: false };
  }
  await readInTime(services, held.job, { bytes, contentType, fileName }, waitMs);
  return { invoiceId: id, isNew: true };
}

const invalidDocument = () => {
  const message = "This is not a PDF, email or electronic invoice. Choose the document that the supplier sent.";
  return new AppError("INVALID_DOCUMENT", message, { fieldErrors: { file: [message] } });
};

/** The invoice with the same bytes, or from the same message delivered another way. */
export async function findSame(
  { db }: ReadServices,
  organizationId: string,
  { sha256 = "", mailDigest = "" }: { sha256?: string; mailDigest?: string },
): Promise<string | undefined> {
  const isMessage = sql`${invoices.mailDigest} IS NOT NULL AND ${invoices.mailDigest} = ${mailDigest}`;
  const [row] = await db
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(eq(invoices.organizationId, organizationId), or(eq(invoices.sha256, sha256), isMessage)))
    .orderBy(sql`${invoices.sha256} <> ${sha256}`)
    .limit(1);
  return row?.id;
}

type Document = { bytes: Uint8Array; contentType: string; fileName: string };

/** The invoice is already stored, so the request succeeds even when reading fails or is slow: the queue continues. */
async function readInTime(services: ReadingInvoices, job: Job, document: Document, waitMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), waitMs);
  });
  const reading = readAndJudge(services, job, document);
  // Ignore failures after the wait: the queue already has the job.
  reading.catch(() => {});
  try {
    if ((await Promise.race([reading, late])) === "late")
      await moveJob(services, job, { dueAt: services.clock.now(), attempts: 0 });
  } catch (error) {
    services.log.warn("invoice.reading_interrupted", { invoiceId: job.subjectId, error: String(error) });
    await retryJobLater(services, job, { error: String(error) });
  } finally {
    clearTimeout(timer);
  }
}

/** Reads an invoice that the request did not finish. */
export async function readInvoice(services: ReadingInvoices, job: Job): Promise<void> {
  const invoice = await findReading(services, job);
  if (!invoice) return finishJob(services, job);
  const { id: ownerId, organizationId, byteCount, contentType, fileName } = invoice;
  const bytes = await getBytes(services, { organizationId, ownerId, byteCount });
  await readAndJudge(services, job, { bytes, contentType, fileName });
}

/** After the last attempt failed: tells a person that the invoice could not be read. */
export async function giveUpInvoice(services: ReadingInvoices, job: Job, error: string): Promise<void> {
  const invoice = await findReading(services, job);
  if (!invoice) return finishJob(services, job, "failed", error);
  await judge(services, job, { status: "unreadable", reason: "reader_down" });
}

async function findReading({ db }: ReadServices, { organizationId, subjectId }: Job) {
  const [row] = await db
    .select(columnsOf(invoices, "id", "organizationId", "byteCount", "contentType", "fileName"))
    .from(invoices)
    .where(
      and(
        eq(invoices.organizationId, organizationId ?? ""),
        eq(invoices.id, subjectId ?? ""),
        eq(invoices.status, "reading"),
      ),
    );
  return row;
}

async function readAndJudge(services: ReadingInvoices, job: Job, document: Document): Promise<void> {
  const read = await services.documentReader.read(document);
  // The reader was unreachable, which says nothing about the document: the next attempt may succeed.
  if (read.status === "unreadable" && read.reason === "reader_down")
    throw new UpstreamError("document reader", "unavailable", "it did not answer");
  // The limit is a time that passes while other work runs too, so the queue tries once more before anybody is told.
  if (read.status === "unreadable" && read.reason === "too_slow" && job.attempts === 0)
    throw new UpstreamError("document reader", "unavailable", "reading took too long");
  await judge(services, job, read);
}

/**
 * Runs the rules on what was read and stores the result in one batch, on condition that this consumer still holds the
 * job.
 */
async function judge(services: ReadingInvoices, job: Job, read: DocumentRead): Promise<void> {
  const organizationId = job.organizationId ?? "";
  const id = job.subjectId ?? "";
  const [policy, mail] = await Promise.all([
    findPolicy(services, organizationId),
    findMail(services, organizationId, id),
  ]);
  const stored = read.status === "read" ? toStored(read) : undefined;
  const document = documentFacts(stored ?? (read as { status: "unreadable"; reason: UnreadableReason }));
  const facts = await gatherInvoiceFacts(
    services,
    { organizationId, invoiceId: id },
    { document, read: stored, timeZone: policy.timeZone, authentication: mail?.authentication ?? undefined },
  );
  const findings = runInvoiceRules(facts, policy.ruleLevels);
  const { verdict, identified } = judgeInvoice(facts);
  const stops = findings.filter(({ level }) => level === "stop").length;
  const payeeId = identified?.payee.id ?? null;
  const totalCents = stored ? totalOf(stored) : null;
  const invoiceNumber = stored?.invoiceNumber ?? null;
  const isStopped = stops > 0;
  const standing = { status: read.status, verdict, isStopped, decision: null, findings };
  const { title } = headlineOf(standing, identified?.payee.standing);
  const jobs = mail?.replyTo
    ? await queueEmail(services, organizationId, [mail.replyTo], {
        template: "invoiceAnswer",
        data: {
          payee: identified?.payee.name,
          verdict: title,
          organizationName: mail.organizationName,
          href: `${services.config.appOrigin}${appPaths.supplierInvoice(id)}`,
        },
      })
    : [];
  const now = services.clock.now();
  const result = await runCommand(services, systemActor(organizationId, job.id), {
    conditions: [jobIsLeased(services, job)],
    statements: [
      services.db
        .update(invoices)
        .set({
          status: read.status,
          fromAddress: stored?.email?.from?.address ?? mail?.fromAddress ?? null,
          kind: read.kind ?? null,
          unreadableReason: read.status === "unreadable" ? read.reason : null,
          read: stored ?? null,
          facts: JSON.stringify(facts),
          ruleSet: currentInvoiceRules(policy.ruleLevels),
          ...{ findings, verdict, isStopped, payeeId, payeeBy: identified?.by ?? null, totalCents },
          ...{ supplierName: stored?.supplierName ?? null, invoiceNumber, dueDate: stored?.dueDate ?? null },
          numberKey: invoiceNumber === null ? null : referenceKey(invoiceNumber) || null,
          version: sql`${invoices.version} + 1`,
          updatedAt: now,
        })
        .where(and(eq(invoices.organizationId, organizationId), eq(invoices.id, id), eq(invoices.status, "reading"))),
      endJob(services, job, "done"),
    ],
    audit: [
      {
        action: "invoice.read",
        entityType: "invoice",
        entityId: id,
        details: {
          ...{ verdict, payeeId, totalCents, stops },
          findings: findings.map(({ code, level }) => ({ code, level })),
        },
      },
    ],
    jobs,
  });
  if (!result.ok) services.log.info("invoice.read_elsewhere", { invoiceId: id });
}

/** What is known about an invoice that arrived by email; undefined for any other. */
async function findMail({ db }: ReadServices, organizationId: string, id: string) {
  const [row] = await db
    .select({
      authentication: invoices.mailAuthentication,
      replyTo: invoices.mailReplyTo,
      fromAddress: invoices.fromAddress,
      organizationName: organizations.name,
    })
    .from(invoices)
    .innerJoin(organizations, eq(organizations.id, invoices.organizationId))
    .where(and(eq(invoices.organizationId, organizationId), eq(invoices.id, id)));
  return row?.authentication ? row : undefined;
}

/** How long the request waits for all the files; the queue reads the rest. */
const WAIT_FOR_ALL_MS = 6_000;

/**
 * Stores several uploaded files independently: one that cannot be taken does not refuse the others.
 * @throws AppError 402 SUBSCRIPTION_REQUIRED
 */
export async function takeInSeveral(
  services: ReadingInvoices,
  actor: Actor,
  documents: readonly { name: string; bytes: Uint8Array<ArrayBuffer> }[],
): Promise<TakenFile[]> {
  const until = services.clock.now() + WAIT_FOR_ALL_MS;
  const files: TakenFile[] = [];
  for (const { name, bytes } of documents) {
    const waitMs = Math.max(0, Math.min(until - services.clock.now(), WAIT_MS));
    const refusal =
      files.length >= MAX_INVOICE_FILES ? ONE_TOO_MANY : bytes.length > MAX_INVOICE_BYTES ? TOO_LARGE : undefined;
    try {
      if (refusal) throw new AppError("TOO_LARGE", refusal);
      const invoice = { fileName: name, bytes, source: "upload" as const };
      const taken = await takeInInvoice(services, actor, invoice, waitMs);
      files.push({ name, ...taken, attention: null, text: "" });
    } catch (error) {
      if (!(error instanceof AppError) || error.status === 402) throw error;
      files.push(refusedFile(name, error.message));
    }
  }
  const standings = await readStandings(services, actor.organizationId, files);
  return files.map((file) => ({ ...file, ...standings.get(file.invoiceId) }));
}

const ONE_TOO_MANY = `Only ${MAX_INVOICE_FILES} are accepted at once. Choose it again.`;

/** How the invoices stand now, by their id. */
async function readStandings(services: ReadServices, organizationId: string, files: readonly TakenFile[]) {
  const { id, status, verdict, isStopped, decision, findings } = invoices;
  const rows = await services.db
    .select({ id, status, verdict, isStopped, decision, findings })
    .from(invoices)
    .where(
      and(
        eq(invoices.organizationId, organizationId),
        inArray(
          id,
          files.flatMap(({ invoiceId }) => invoiceId ?? []),
        ),
      ),
    );
  return new Map<string | null, Pick<TakenFile, "text" | "attention">>(
    rows.map((row) => [row.id, { text: shownStanding(row).word, attention: attentionOf(row) }]),
  );
}
