import { paymentFileLines, type Statement } from "@db/database";
import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, type FieldErrors, invalidInput } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import { nameLines } from "~/kernel/file-problem";
import { plainWords } from "~/kernel/plain-issues";
import { capital, cleanText } from "~/kernel/text";
import { requireSigned, type SignedFields } from "~/modules/accounts/identity/signed-approval.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import {
  type CommandAudit,
  type IdempotentRequest,
  runCommand,
  runOnce,
} from "~/modules/core/commands/run-command.server";
import { MAX_REASON_LENGTH } from "~/modules/payments/payment";
import { isDecidedIndividually } from "~/modules/rules";
import { saveRuleSet } from "~/modules/rules/decision-record.statements.server";
import type { PaymentReason } from "~/modules/rules/payment-holds";
import type { Actor, ReadServices, Services } from "~/services-and-actor";
import { type JudgedLine, judgeStoredLines } from "./check-file.server";
import { approvableFile } from "./clear-file.server";
import { type FileLineDetail, getLine, LINES_PAGE_SIZE } from "./file-lines.server";
import { findPasskeyRule, requireMayApprove } from "./may-approve-lines.server";
import { findNewHolds, isDecidable, type LeftLine, sumOf } from "./payment-file";
import {
  fileChanged,
  fileIsUnchanged,
  fileNotOpen,
  getPaymentFile,
  lineColumns,
  linesOf,
  type Owner,
  recount,
  updateJudgedLines,
} from "./payment-file.server";

/** The lines to decide: by line number, all held for one reason, or all of one payee. */
type LineChoice = { lines: readonly number[] } | { rule: string } | { payeeId: string };

const reason = z
  .string({ error: "Give a reason" })
  .transform(cleanText)
  .refine((text) => text !== "", "Give a reason")
  .refine((text) => text.length <= MAX_REASON_LENGTH, `Keep the reason to ${MAX_REASON_LENGTH} characters`);

const decision = z.enum(["approve", "reject"], { error: "Choose approve or reject" });

/** The body of a decision about one line. */
export const lineDecisionSchema = z.object({ decision, reason });

/** A form post of the file's page: which lines, which decision, and why. */
const postedDecisionSchema = z.object({
  intent: decision,
  reason,
  rule: z.string().optional(),
  payeeId: z.string().optional(),
  line: z.array(z.string().regex(/^[1-9]\d{0,6}$/)).max(LINES_PAGE_SIZE),
});

/** Parses a decision from the file's page. @throws AppError 400 with the sentences beside their fields */
export function parseDecision(form: FormData): { decision: "approve" | "reject"; reason: string; choice: LineChoice } {
  const { intent, ...given } = Object.fromEntries(form);
  const posted = postedDecisionSchema.safeParse({ ...given, intent, line: form.getAll("line") }, { error: plainWords });
  if (!posted.success) throw invalidInput(z.flattenError(posted.error).fieldErrors as FieldErrors);
  const { rule, payeeId, line } = posted.data;
  if (!rule && !payeeId && line.length === 0) throw invalidInput({ line: ["Tick the lines that you want to decide"] });
  const choice = rule ? { rule } : payeeId ? { payeeId } : { lines: line.map(Number) };
  return { decision: posted.data.intent, reason: posted.data.reason, choice };
}

type LinesDecision = {
  fileId: string;
  choice: LineChoice;
  decision: "approve" | "reject";
  reason: string;
  idempotencyKey?: string;
  /** The passkey signature from the page's form; absent for an API call. */
  signed?: SignedFields;
};

/** The lines that were decided, and each chosen line that was not, with the reason in a sentence. */
type LinesDecided = { lines: number[]; left: LeftLine[] };

/** Somebody else may decide at the same moment; the lines are then read again. */
const TRIES = 3;

/** At most this many lines are named in an audit entry; the count is always complete. */
const MAX_NAMED = 200;

/**
 * Decides held lines individually, by reason or by payee. Approving by reason authorises the lines that no other reason
 * holds; rejecting by reason rejects every line that the reason holds. If several people decide at once, exactly one
 * succeeds.
 *
 * A line with a finding against its account must be decided individually, with its own reason: a decision about several
 * lines leaves it as it is. If such a finding is new since the file was checked, the line is not approved either: the
 * new findings are stored on it, so that the person can decide knowing them.
 *
 * @throws AppError 404; the errors of `requireSigned` when the organisation asks for a passkey; 403
 * SECOND_PERSON_REQUIRED, APPROVAL_LIMIT with the lines; 409 FILE_NOT_OPEN, ALREADY_DECIDED with who decided,
 * NOTHING_HELD, DECIDE_ONE_BY_ONE with the lines when none of them could be decided together, FILE_CHANGED,
 * IDEMPOTENCY_CONFLICT
 */
export async function decideLines(services: Services, actor: Actor, input: LinesDecision): Promise<LinesDecided> {
  const { idempotencyKey: key, signed: _, ...asked } = input;
  const operation = "decide payment file lines one by one or together";
  const decided = await runOnce(services, actor, { operation, key, input: asked }, (request) =>
    writeDecision(services, actor, input, request),
  );
  if (decided.lines.length === 0) throw decideOneByOne(decided.left);
  return decided;
}

/** The error for lines that were not decided: each must be decided individually, or there is news about it. */
const decideOneByOne = (lines: readonly LeftLine[]) =>
  new AppError(
    "DECIDE_ONE_BY_ONE",
    `${capital(nameLines(lines.map(({ line }) => line)))} ${lines.length === 1 ? "was" : "were"} not decided. ${lines[0]?.message ?? ""}`.trim(),
    { extra: { lines: lines.slice(0, MAX_NAMED) } },
  );

async function writeDecision(
  services: Services,
  actor: Actor,
  { fileId, choice, decision, reason, signed: fields }: LinesDecision,
  request: IdempotentRequest | undefined,
): Promise<LinesDecided> {
  const { organizationId } = actor;
  const isApproval = decision === "approve";
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const file = await getPaymentFile(services, actor, fileId);
    if (!isDecidable(file.status)) throw fileNotOpen(file.status);
    const chosen = await listDecidableLines(services, { organizationId, fileId }, { choice, isApproval });
    if (chosen.length === 0) throw await whoWasFirst(services, actor, fileId, choice);
    const { payable, left: unpayable } = isApproval ? withAccounts(chosen) : { payable: chosen, left: [] };
    const { lines: open, left: apart } = isSingle(choice)
      ? { lines: payable, left: [] }
      : splitIndividualLines(payable);
    const left = [...unpayable, ...apart];
    const { fits, ownWork } = isApproval
      ? await requireMayApprove(services, actor, file, open)
      : { fits: [], ownWork: new Set<number>() };
    const judged = isApproval ? await judgeStoredLines(services, { ...file, organizationId }, open) : undefined;
    const { changed, newFindings } = findNewFindings(open, judged?.lines ?? []);
    const isChanged = new Set(changed.map(({ line }) => line));
    const lines = open.filter(({ line }) => !isChanged.has(line));
    const answer = {
      lines: lines.map(({ line }) => line),
      left: [...left, ...newFindings].sort((a, b) => a.line - b.line),
    };
    if (lines.length === 0 && changed.length === 0) return answer;
    const passkey = isApproval ? await findPasskeyRule(services, actor, file, lines) : undefined;
    const signed = passkey?.isAsked
      ? await requireSigned(services, actor, await approvableFile("approve_lines", file, lines), fields)
      : undefined;
    const ofNewFindings = await holdForNewFindings(services, organizationId, { fileId, changed, newFindings });
    const result = await runCommand(services, actor, {
      conditions: [
        fileIsUnchanged(services, organizationId, file),
        ...fits,
        ...(passkey?.fits ?? []),
        ...(signed?.conditions ?? []),
      ],
      statements: [
        ...markDecided(services, actor, { fileId, numbers: answer.lines, isApproval, reason }),
        ...ofNewFindings.statements,
        recount(services, { organizationId, fileId }),
      ],
      audit: [...auditOf({ fileId, choice, isApproval, reason, ownWork }, lines), ...ofNewFindings.audit],
      parts: signed ? [signed.part] : [],
      request,
      answer,
    });
    if (result.ok) return result.answer;
  }
  throw fileChanged();
}

const holds = sql`(SELECT count(*) FROM json_each(${paymentFileLines.reasons}) WHERE value ->> 'level' = 'hold')`;

function chosen(choice: LineChoice, isApproval: boolean): SQL | undefined {
  if ("payeeId" in choice) return eq(paymentFileLines.payeeId, choice.payeeId);
  // Approving by reason authorises only lines held by that reason alone, because the person has not looked at other
  // reasons.
  if ("rule" in choice)
    return and(
      sql`EXISTS (SELECT 1 FROM json_each(${paymentFileLines.reasons})
  WHERE value ->> 'rule' = ${choice.rule} AND value ->> 'level' = 'hold')`,
      isApproval ? sql`${holds} = 1` : undefined,
    );
  return sql`${paymentFileLines.line} IN (SELECT value FROM json_each(${JSON.stringify(choice.lines)}))`;
}

/** The chosen lines that can still be decided. A line that nothing holds can be rejected by its number. */
async function listDecidableLines(
  { db }: ReadServices,
  { organizationId, fileId }: Owner,
  { choice, isApproval }: { choice: LineChoice; isApproval: boolean },
) {
  const statuses = "lines" in choice && !isApproval ? (["held", "authorised"] as const) : (["held"] as const);
  return db
    .select({ ...lineColumns, facts: paymentFileLines.facts })
    .from(paymentFileLines)
    .where(
      and(
        ...linesOf({ organizationId, fileId }),
        inArray(paymentFileLines.status, [...statuses]),
        isNull(paymentFileLines.paymentId),
        chosen(choice, isApproval),
      ),
    )
    .orderBy(asc(paymentFileLines.line));
}

export type DecidableLine = Awaited<ReturnType<typeof listDecidableLines>>[number];

/** True if the choice is one line by its number. */
const isSingle = (choice: LineChoice): boolean => "lines" in choice && choice.lines.length === 1;

/** Splits the lines into those with an account to pay, and the others with the reason why nobody can approve them. */
function withAccounts(chosen: readonly DecidableLine[]): { payable: DecidableLine[]; left: LeftLine[] } {
  const payable = chosen.filter(({ bsb }) => bsb !== "");
  const left = chosen.flatMap(({ line, bsb, reasons }) =>
    bsb === "" ? [{ line, message: reasons[0]?.message ?? "It has no account." }] : [],
  );
  return { payable, left };
}

/** Splits the lines into those decided together, and the others, each with why it is decided individually. */
function splitIndividualLines(chosen: readonly DecidableLine[]): { lines: DecidableLine[]; left: LeftLine[] } {
  const lines = chosen.filter(({ reasons }) => !isDecidedIndividually(reasons));
  const left = chosen.flatMap(({ line, reasons }) => {
    const [first] = reasons.filter((reason) => isDecidedIndividually([reason]));
    return first
      ? [{ line, message: `Lines like this are decided one at a time, each with its own reason. ${first.message}` }]
      : [];
  });
  return { lines, left };
}

/** Lines with a new finding, since they were judged, that a person must decide about individually. */
function findNewFindings(lines: readonly { line: number; reasons: PaymentReason[] }[], judged: readonly JudgedLine[]) {
  const before = new Map(lines.map(({ line, reasons }) => [line, reasons]));
  const changed: JudgedLine[] = [];
  const newFindings: LeftLine[] = [];
  for (const line of judged) {
    const known = { reasons: before.get(line.line) ?? [], isApproved: true };
    const [first] = findNewHolds(known, line.reasons).filter((reason) => isDecidedIndividually([reason]));
    if (!first) continue;
    changed.push(line);
    newFindings.push({
      line: line.line,
      message: `This became known after the file was checked, so the line stays held. ${first.message}`,
    });
  }
  return { changed, newFindings };
}

/** Stores the new findings on their lines, in the batch that decides about the others. */
async function holdForNewFindings(
  services: Services,
  organizationId: string,
  {
    fileId,
    changed,
    newFindings,
  }: { fileId: string; changed: readonly JudgedLine[]; newFindings: readonly LeftLine[] },
): Promise<{ statements: Statement[]; audit: CommandAudit[] }> {
  if (changed.length === 0) return { statements: [], audit: [] };
  const { ruleLevels } = await findPolicy(services, organizationId);
  const { ruleSetId, statement } = await saveRuleSet(services, organizationId, ruleLevels);
  const held = changed.map((line) => ({ ...line, status: "held" as const }));
  return {
    statements: [statement, ...updateJudgedLines(services, { organizationId, fileId, ruleSetId }, held)],
    audit: [
      {
        action: "payment_file.lines_judged_again",
        entityId: fileId,
        details: { lines: newFindings.slice(0, MAX_NAMED), count: newFindings.length },
      },
    ],
  };
}

function markDecided(
  { db, clock }: Services,
  { organizationId, userId }: Actor,
  decided: { fileId: string; numbers: readonly number[]; isApproval: boolean; reason: string },
): Statement[] {
  const { fileId, numbers, isApproval, reason } = decided;
  if (numbers.length === 0) return [];
  const status = isApproval ? "authorised" : "rejected";
  return [
    db
      .update(paymentFileLines)
      .set({ status, decidedById: userId, decisionReason: reason, decidedAt: clock.now() })
      .where(
        and(
          ...linesOf({ organizationId, fileId }),
          sql`${paymentFileLines.line} IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`,
        ),
      ),
  ];
}

type Decided = Pick<LinesDecision, "fileId" | "choice" | "reason"> & {
  isApproval: boolean;
  ownWork: ReadonlySet<number>;
};

function auditOf(
  { fileId, choice, isApproval, reason, ownWork }: Decided,
  lines: readonly DecidableLine[],
): CommandAudit[] {
  if (lines.length === 0) return [];
  const numbers = lines.map(({ line }) => line);
  const own = lines.filter(({ line }) => ownWork.has(line));
  return [
    {
      action: isApproval ? "payment_file.lines_approved" : "payment_file.lines_rejected",
      entityId: fileId,
      details: {
        ...("lines" in choice ? {} : choice),
        lines: numbers.slice(0, MAX_NAMED),
        count: lines.length,
        cents: sumOf(lines),
        reason,
        ...(own.length > 0 && { selfApproval: true, ownCount: own.length, ownCents: sumOf(own) }),
      },
    },
  ];
}

async function whoWasFirst(services: Services, actor: Actor, fileId: string, choice: LineChoice) {
  const { timeZone } = await findPolicy(services, actor.organizationId);
  const [only, another] = "lines" in choice ? choice.lines : [];
  if ("rule" in choice) {
    const message = "No line is held for this reason alone: a line that other reasons hold too is decided by itself.";
    return new AppError("NOTHING_HELD", message);
  }
  if (only === undefined || another !== undefined) return nothingToDecide(undefined, timeZone);
  return nothingToDecide(await getLine(services, actor, { fileId, line: only }), timeZone);
}

const DECIDED = { authorised: "approved", rejected: "rejected", held: "put back on hold" } as const;

/** The error when nothing is left to decide: if several people decide at once, it names the first. */
function nothingToDecide(line: FileLineDetail | undefined, timeZone: string): AppError {
  if (!line || line.decidedAt === null) {
    const message = "None of these lines is still held: there is nothing to decide.";
    return new AppError("NOTHING_HELD", message);
  }
  const on = formatDateTime(line.decidedAt, timeZone);
  const message = `${line.decidedBy ?? "PayeeProof"} ${DECIDED[line.status]} this line on ${on}.`;
  const decision = { status: line.status, decidedBy: line.decidedBy, decidedAt: toIso(line.decidedAt) };
  return new AppError("ALREADY_DECIDED", message, { extra: { decision } });
}
