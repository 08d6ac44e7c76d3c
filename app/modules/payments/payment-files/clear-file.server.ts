import {
  columnsOf,
  jsonRows,
  paymentFileClearings,
  paymentFileLines,
  paymentRecords,
  type Statement,
} from "@db/database";
import { and, asc, sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { AppError } from "~/kernel/app-error";
import { formatBsb } from "~/kernel/bank-account";
import { dayCode } from "~/kernel/dates";
import { canonicalJson, decodeBytes, sha256Hex } from "~/kernel/encodings";
import { nameLines } from "~/kernel/file-problem";
import { formatAud, MAX_AMOUNT_CENTS } from "~/kernel/money";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import {
  type Approvable,
  requireSigned,
  type SignedFields,
  type SignedPart,
} from "~/modules/accounts/identity/signed-approval.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { type IdempotentRequest, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import {
  type FileSettings,
  findFileSettings,
  type PayerDetails,
  payingAccountsHold,
} from "~/modules/payments/approval-limits.server";
import { factsHold } from "~/modules/payments/payment-facts/facts.server";
import type { CameFrom } from "~/modules/payments/payment-facts/payees.server";
import { saveRuleSet } from "~/modules/rules/decision-record.statements.server";
import { referenceKey } from "~/modules/rules/duplicate-payment";
import type { Actor, ReadServices, Services } from "~/services-and-actor";
import {
  type AbaFile,
  type AbaPayer,
  DEBIT_CODE,
  fitsOneFile,
  lackingSentence,
  readAba,
  withAmount,
  writeAba,
  writeDetail,
  writeHeader,
} from "./aba";
import { type JudgedLine, judgeLines } from "./check-file.server";
import {
  checkPayingAccount,
  type FileLine,
  findNewHolds,
  isDecidable,
  MAX_LINES,
  STOPPED_SHORTLY,
  sumOf,
} from "./payment-file";
import {
  figuresNow,
  fileChanged,
  fileIsUnchanged,
  fileNotOpen,
  getBytes,
  getPaymentFile,
  insertBytes,
  lineColumns,
  linesOf,
  type Owner,
  type PaymentFileDetail,
  recount,
  updateJudgedLines,
} from "./payment-file.server";

/** Facts may change while a file is being cleared; the lines are then judged again. */
const TRIES = 3;

/** At most this many lines are named in an answer or audit entry. */
const MAX_NAMED = 200;

const DESCRIPTION = "PAYMENTS";

/**
 * Clears a file for the bank: judges its authorised lines once more, and writes a file with only those lines, its
 * SHA-256, and one payment for each line. If a rule now holds a line, the line is held again and nothing is cleared. A
 * line that was cleared before is not cleared again: it may already be at the bank.
 *
 * @throws AppError 404; 402 SUBSCRIPTION_REQUIRED; the errors of `requireSigned` when the organisation asks for a
 * passkey; 409 FILE_NOT_OPEN, NOTHING_TO_CLEAR, LINES_HELD_AGAIN with the lines, OTHER_PAYING_ACCOUNT for a file that
 * names an undeclared paying account, PAYER_REQUIRED for a table without a paying account or a header without bank or
 * user number, FILE_TOTAL_TOO_LARGE, FILE_CHANGED, IDEMPOTENCY_CONFLICT
 */
export async function clearFile(
  services: Services,
  actor: Actor,
  { fileId, idempotencyKey: key, signed }: { fileId: string; idempotencyKey?: string; signed?: SignedFields },
) {
  return runOnce(services, actor, { operation: "clear payment file", key, input: fileId }, async (request) => {
    await requireLiveSubscription(services, actor.organizationId);
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const cleared = await tryToClear(services, actor, { fileId, signed }, request);
      if (cleared) return cleared;
    }
    throw fileChanged();
  });
}

/** @returns undefined when something changed between reading and writing */
async function tryToClear(
  services: Services,
  actor: Actor,
  { fileId, signed: fields }: { fileId: string; signed: SignedFields | undefined },
  request: IdempotentRequest | undefined,
) {
  const { organizationId } = actor;
  const [file, settings, all, { passkeyForFiles }] = await Promise.all([
    getPaymentFile(services, actor, fileId),
    findFileSettings(services, organizationId),
    readAllLines(services, { organizationId, fileId }),
    findPolicy(services, organizationId),
  ]);
  if (!isDecidable(file.status)) throw fileNotOpen(file.status);
  const paying = checkPayingAccount(file.paysFrom, settings.payingAccounts);
  if (paying.state === "other") throw otherPayingAccount(paying.problems);
  const lines = all.filter(isClearable);
  if (lines.length === 0) throw nothingToClear();
  if (!canBeOneFile(lines)) throw tooMuchForOneFile();
  const aba = file.format === "aba" ? await readUploadedAba(services, organizationId, file) : undefined;
  const judged = await judgeAgain(services, organizationId, file, aba, all);
  if (judged.heldAgain.length > 0) {
    if (await holdAgain(services, actor, file, judged)) throw linesHeldAgain(nameHeldLines(judged.heldAgain));
    return undefined;
  }
  const signed = passkeyForFiles
    ? await requireSigned(services, actor, await approvableFile("clear_file", file, lines), fields)
    : undefined;
  const { payer } = settings;
  const bytes = new TextEncoder().encode(await writeCleared(services, organizationId, { aba, lines, payer }));
  return saveClearing(services, actor, { file, settings, lines, judged, bytes, request, signed });
}

const nothingToClear = () => new AppError("NOTHING_TO_CLEAR", "No authorised line is waiting to be cleared.");

const otherPayingAccount = (problems: readonly string[]) =>
  new AppError("OTHER_PAYING_ACCOUNT", `This file is stopped. ${problems[0]} ${STOPPED_SHORTLY}`, {
    extra: { problems },
  });

const tooMuchForOneFile = () =>
  new AppError(
    "FILE_TOTAL_TOO_LARGE",
    `A direct entry file can carry ${formatAud(MAX_AMOUNT_CENTS)} in total. Reject some lines here and pay them in another file.`,
  );

/** Every line of a file, with the reasons that it was last judged with and who decided about it. */
async function readAllLines({ db }: ReadServices, { organizationId, fileId }: Owner) {
  const rows = await db
    .select({ ...lineColumns, ...columnsOf(paymentFileLines, "status", "paymentId", "decidedById") })
    .from(paymentFileLines)
    .where(and(...linesOf({ organizationId, fileId })))
    .orderBy(asc(paymentFileLines.line));
  return rows.map(({ decidedById, ...line }) => ({
    ...line,
    approvedById: decidedById,
    isApproved: decidedById !== null,
  }));
}

type StoredLine = Awaited<ReturnType<typeof readAllLines>>[number];

/** True if the line is authorised and not cleared yet. */
const isClearable = ({ status, paymentId }: StoredLine): boolean => status === "authorised" && paymentId === null;

/** The direct entry file as it was uploaded: its records go to the bank unchanged. */
async function readUploadedAba(services: Services, organizationId: string, { id, byteCount }: PaymentFileDetail) {
  const bytes = await getBytes(services, { organizationId, ownerId: id, byteCount });
  const reading = readAba(decodeBytes(bytes), MAX_LINES);
  if (!reading.ok) throw new Error("a stored payment file can no longer be read");
  return reading.file;
}

/** The parts of a line that an approver sees. */
type SignedLine = Pick<
  typeof paymentFileLines.$inferSelect,
  "line" | "accountName" | "bsb" | "accountNumber" | "amount" | "reference"
>;

/** At most this many lines are in the text that a passkey signs; with more, it contains a digest of them all. */
const MAX_SIGNED_LINES = 100;

/** What a passkey signs for a file: which bytes were uploaded, and which of its payments are cleared or approved. */
export async function approvableFile(
  decision: "clear_file" | "approve_lines",
  { id, name, sha256 }: Pick<PaymentFileDetail, "id" | "name" | "sha256">,
  lines: readonly SignedLine[],
): Promise<Approvable> {
  const told = lines.map(({ line, accountName, bsb, accountNumber, amount, reference }) => ({
    term: `Line ${line}`,
    value: `${formatAud(amount)} to ${accountName}, ${formatBsb(bsb)} ${accountNumber}, ${reference}`,
  }));
  return {
    decision,
    entityType: "payment_file",
    entityId: id,
    shows: [
      {
        term: "Decision",
        value: decision === "clear_file" ? "Clear these payments for the bank" : "Approve these held payments",
      },
      { term: "File", value: name },
      { term: "SHA-256 of the file", value: sha256 },
      { term: "Payments", value: String(lines.length) },
      { term: "Total", value: formatAud(sumOf(lines)) },
      { term: "SHA-256 of the payments", value: await sha256Hex(new TextEncoder().encode(canonicalJson(told))) },
      ...(told.length > MAX_SIGNED_LINES ? [] : told),
    ],
  };
}

/** What a passkey would sign to clear this file, as its page shows it. */
export async function findClearable(
  services: ReadServices,
  actor: Pick<Actor, "organizationId">,
  file: PaymentFileDetail,
): Promise<Approvable> {
  const { organizationId } = actor;
  const lines = await readAllLines(services, { organizationId, fileId: file.id });
  return approvableFile("clear_file", file, lines.filter(isClearable));
}

async function judgeAgain(
  services: Services,
  organizationId: string,
  file: PaymentFileDetail,
  aba: AbaFile | undefined,
  all: readonly StoredLine[],
) {
  const marked = new Set(aba?.lines.flatMap(({ line, indicator }) => (indicator === "N" ? [line] : [])));
  const lines = all.map((line) => ({ ...line, newDetails: marked.has(line.line) }));
  const asked = lines.filter(isClearable);
  const { lines: judged, levels } = await judgeLines(services, { ...file, organizationId }, lines, asked);
  const before = new Map(asked.map((line) => [line.line, line]));
  const heldAgain = judged.flatMap((line) => {
    const known = before.get(line.line);
    const [first] = known ? findNewHolds(known, line.reasons) : [];
    return first ? [{ ...line, message: first.message }] : [];
  });
  return { lines: judged, heldAgain, ruleLevels: levels };
}

type Judged = Awaited<ReturnType<typeof judgeAgain>>;

/** @returns false when the file changed meanwhile and nothing was written */
async function holdAgain(services: Services, actor: Actor, file: PaymentFileDetail, { heldAgain, ruleLevels }: Judged) {
  const owner = { organizationId: actor.organizationId, fileId: file.id };
  const { ruleSetId, statement } = await saveRuleSet(services, owner.organizationId, ruleLevels);
  const held = heldAgain.map((line) => ({ ...line, status: "held" as const }));
  const result = await runCommand(services, actor, {
    conditions: [fileIsUnchanged(services, owner.organizationId, file)],
    statements: [statement, ...updateJudgedLines(services, { ...owner, ruleSetId }, held), recount(services, owner)],
    audit: [
      {
        action: "payment_file.lines_held_again",
        entityId: file.id,
        details: { lines: nameHeldLines(heldAgain), count: heldAgain.length, cents: sumOf(heldAgain) },
      },
    ],
  });
  return result.ok;
}

const nameHeldLines = (lines: Judged["heldAgain"]) =>
  lines.slice(0, MAX_NAMED).map(({ line, message }) => ({ line, message }));

const linesHeldAgain = (lines: readonly { line: number; message: string }[]) =>
  new AppError(
    "LINES_HELD_AGAIN",
    `Something changed since this file was checked, so ${nameLines(lines.map(({ line }) => line))} ${lines.length === 1 ? "is" : "are"} held again and nothing was cleared. ${lines[0]?.message ?? ""}`.trim(),
    { extra: { lines } },
  );

/** @throws AppError 409 PAYER_REQUIRED */
async function writeCleared(
  services: Services,
  organizationId: string,
  { aba, lines, payer }: { aba: AbaFile | undefined; lines: readonly StoredLine[]; payer: FileSettings["payer"] },
): Promise<string> {
  const lacking = aba && lackingSentence(aba.header);
  if (lacking) throw headerLacks(lacking);
  if (aba) return clearAba(aba, new Set(lines.map(({ line }) => line)));
  if (!payer) throw payerRequired();
  const { timeZone } = await findPolicy(services, organizationId);
  return clearTable(lines, { payer, description: DESCRIPTION, date: dayCode(services.clock.now(), timeZone) });
}

const payerRequired = () =>
  new AppError(
    "PAYER_REQUIRED",
    "A table does not name the paying account. Enter the details of the paying account before you clear this file.",
  );

const headerLacks = (what: string) =>
  new AppError(
    "PAYER_REQUIRED",
    `In this file ${what} Banks refuse such a file. Enter both for the paying account in your accounting system, export the file again, and upload that one.`,
  );

/** @returns undefined, with nothing written, when the file changed or a fact that its lines were judged by did */
async function saveClearing(
  services: Services,
  actor: Actor,
  {
    file,
    settings,
    lines,
    judged,
    bytes,
    request,
    signed,
  }: {
    file: PaymentFileDetail;
    settings: FileSettings;
    lines: readonly StoredLine[];
    judged: Judged;
    bytes: Uint8Array<ArrayBuffer>;
    request: IdempotentRequest | undefined;
    signed: SignedPart | undefined;
  },
) {
  const { organizationId } = actor;
  const owner = { organizationId, fileId: file.id };
  const id = services.ids.next();
  const [sha256, totalCents, lineCount] = [await sha256Hex(bytes), sumOf(lines), lines.length];
  const clearing = {
    ...owner,
    id,
    sha256,
    byteCount: bytes.length,
    lineCount,
    totalCents,
    clearedById: actor.userId,
    createdAt: services.clock.now(),
  };
  const facts = judged.lines.map((line) => line.facts);
  const figuresAtClearing = file.figuresAtClearing ?? (await figuresNow(services, owner));
  const details = { clearingId: id, sha256, lineCount, totalCents, ...firstFromAccounting(judged.lines) };
  const result = await runCommand(services, actor, {
    conditions: [
      fileIsUnchanged(services, organizationId, file),
      payingAccountsHold(organizationId, settings),
      ...factsHold(owner, facts),
      ...(signed?.conditions ?? []),
    ],
    statements: [
      services.db.insert(paymentFileClearings).values(clearing),
      ...(await insertBytes(services, { organizationId, ownerId: id }, bytes)),
      ...recordClearedLines(services, { ...owner, clearingId: id, recordedById: file.uploadedById }, lines),
      // Stores the figures that the approver saw, because payees and payments change later.
      recount(services, owner, { status: "cleared", figuresAtClearing }),
    ],
    audit: [{ action: "payment_file.cleared", entityId: file.id, details }],
    parts: signed ? [signed.part] : [],
    request,
    answer: { id, sha256, lines: lineCount, totalCents },
  });
  return result.ok ? result.answer : undefined;
}

/** How many lines one statement writes: 20,000 of them are 2 MB. */
const LINES_PER_STATEMENT = 5_000;

/**
 * Records one payment for each cleared line and stores its id on the line, where a UNIQUE constraint refuses a second
 * payment. The uploader is recorded as the person who made the payments, with the line's account and reasons.
 */
function recordClearedLines(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  {
    organizationId,
    fileId,
    clearingId,
    recordedById,
  }: { organizationId: string; fileId: string; clearingId: string; recordedById: string | null },
  lines: readonly { line: number; reference: string }[],
): Statement[] {
  const now = clock.now();
  return inParts(lines, LINES_PER_STATEMENT).flatMap((part) => {
    const rows = part.map(({ line, reference }) => [line, ids.next(), referenceKey(reference)]);
    return [
      db.insert(paymentRecords).select(sql`SELECT "cleared"."value" ->> 1, ${organizationId}, "line"."payeeId",
        "line"."amount", NULL, "line"."reference", NULL, 'authorised', NULL, "line"."accountName", "line"."bsb",
        "line"."accountNumber", "line"."reasons", NULL, ${recordedById}, 1, ${now}, ${now}, "cleared"."value" ->> 2
        FROM json_each(${JSON.stringify(rows)}) AS "cleared" CROSS JOIN "payment_file_lines" AS "line"
        WHERE "line"."organizationId" = ${organizationId} AND "line"."fileId" = ${fileId}
          AND "line"."line" = "cleared"."value" ->> 0`),
      db
        .update(paymentFileLines)
        .set({ paymentId: sql`"given"."value" ->> 1`, clearingId })
        .from(jsonRows(rows))
        .where(and(...linesOf({ organizationId, fileId }), sql`${paymentFileLines.line} = "given"."value" ->> 0`)),
    ];
  });
}

/** At most this many payees with an account that is paid for the first time are named in an audit entry. */
const MAX_FIRST_NAMED = 5;

/** Payees whose imported account is paid for the first time by this file; undefined when there are none. */
function firstFromAccounting(lines: readonly JudgedLine[]) {
  const payees = new Map<string, { id: string; name: string; cents: number } & CameFrom>();
  for (const { amount, facts } of lines) {
    const { payee, accountingOrigin: origin } = facts;
    if (!payee || !origin?.isFirstPayment) continue;
    const { system, editedBy, isEditorKnown } = origin;
    const cents = (payees.get(payee.id)?.cents ?? 0) + amount;
    payees.set(payee.id, { id: payee.id, name: payee.name, cents, system, editedBy, isEditorKnown });
  }
  if (payees.size === 0) return undefined;
  const all = [...payees.values()];
  return {
    firstFromAccounting: {
      count: all.length,
      cents: all.reduce((sum, { cents }) => sum + cents, 0),
      payees: all.slice(0, MAX_FIRST_NAMED),
    },
  };
}

/* The bytes for the bank. */

const CREDIT_CODE = "50";

/** True if one direct entry file can carry these payments. */
export const canBeOneFile = (lines: readonly { amount: number }[]): boolean =>
  fitsOneFile(lines.map(({ amount }) => ({ amount, code: CREDIT_CODE })));

/**
 * A direct entry file with only the authorised lines: the header and payment records unchanged, a balancing debit for
 * the new total if the file had one, and a recalculated total record.
 */
export function clearAba(file: AbaFile, authorised: ReadonlySet<number>): string {
  const payments = file.lines.filter(({ line, code }) => code !== DEBIT_CODE && authorised.has(line));
  const total = sumOf(payments);
  const balancing = file.lines
    .filter(({ line }) => line === file.balancingLine)
    .map((line) => ({ ...line, amount: total, record: withAmount(line.record, total) }));
  return writeAba(file.header.record, [...payments, ...balancing], file.lineEnding);
}

/** A direct entry file made from the authorised lines of a table. */
export function clearTable(
  lines: readonly Omit<FileLine, "newDetails">[],
  { payer, date, description }: { payer: PayerDetails } & Pick<AbaPayer, "date" | "description">,
): string {
  const { bank, userName, userId, bsb, accountNumber, remitter } = payer;
  const details = lines.map(({ accountName, amount, reference, ...line }) => ({
    code: CREDIT_CODE,
    amount,
    record: writeDetail({
      bsb: line.bsb,
      accountNumber: line.accountNumber,
      indicator: " ",
      code: CREDIT_CODE,
      amount,
      title: accountName,
      reference,
      trace: { bsb, accountNumber },
      remitter,
      withholding: 0,
    }),
  }));
  return writeAba(writeHeader({ bank, userName, userId, description, date }), details);
}
