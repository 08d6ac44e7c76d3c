import * as z from "zod";
import { type FieldErrors, invalidInput } from "~/kernel/app-error";
import { LINE_STATUSES } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { sayPlainly } from "~/kernel/plain-issues";
import { cleanText } from "~/kernel/text";
import type { LineChoice } from "./decide-lines.queries.server";
import { LINES_PAGE_SIZE, type LineFilter } from "./file-lines.queries.server";
import type { LineTab } from "./payment-file.view";

const MAX_LINE = 10_000_000;

/** Which lines of a file an address asks for. Unknown values are no filter, so that no address is an error. */
const lineFilterSchema = z.object({
  status: z.enum(LINE_STATUSES).optional().catch(undefined),
  rule: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .optional()
    .catch(undefined),
  payeeId: z.string().refine(isId).optional().catch(undefined),
  line: z.coerce.number().int().min(1).max(MAX_LINE).optional().catch(undefined),
  after: z.coerce.number().int().min(0).max(MAX_LINE).optional().catch(undefined),
});

/** The filter of `?status=&rule=&payeeId=&cursor=`. */
export function readLineFilter(params: URLSearchParams): LineFilter {
  const given = (name: string) => params.get(name) ?? undefined;
  const asked = { status: given("status"), rule: given("rule"), payeeId: given("payeeId"), after: given("cursor") };
  const { line: _, ...filter } = lineFilterSchema.parse(asked);
  return filter;
}

const MAX_LIMIT = 1_000;
const INVALID_LIMIT = `Enter a limit from 1 to ${MAX_LIMIT.toLocaleString("en-AU")}`;

/** How many lines `?limit=` asks for; undefined where it asks for none. @throws AppError 400 */
export function readLineLimit(params: URLSearchParams): number | undefined {
  const given = params.get("limit");
  if (given === null) return undefined;
  const limit = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidInput({ limit: [INVALID_LIMIT] }, INVALID_LIMIT);
  return limit;
}

const tabSchema = z
  .enum(["all", ...LINE_STATUSES])
  .optional()
  .catch(undefined);

/** What the page of a file shows: `?lines=&rule=&payeeId=&after=&line=`; `line` is the one that is decided by itself. */
export function readPageFilter(params: URLSearchParams): LineFilter & { tab?: LineTab; line?: number } {
  const given = (name: string) => params.get(name) ?? undefined;
  const { status: _, ...filter } = lineFilterSchema.parse({
    rule: given("rule"),
    payeeId: given("payeeId"),
    after: given("after"),
    line: given("line"),
  });
  return { ...filter, tab: tabSchema.parse(given("lines")) };
}

/** The cursor of a list of files; anything that is no id is the beginning. */
export const readFilesCursor = (params: URLSearchParams): string | undefined => {
  const cursor = params.get("cursor") ?? params.get("after") ?? undefined;
  return cursor !== undefined && isId(cursor) ? cursor : undefined;
};

/** A line of a path; undefined for what is none. */
export const readLineNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;

const MAX_REASON_LENGTH = 500;

const reason = z
  .string({ error: "Give a reason" })
  .transform(cleanText)
  .refine((text) => text !== "", "Give a reason")
  .refine((text) => text.length <= MAX_REASON_LENGTH, `Keep the reason to ${MAX_REASON_LENGTH} characters`);

const decision = z.enum(["approve", "reject"], { error: "Choose approve or reject" });

/** The body of a decision about one line. */
export const lineDecisionSchema = z.object({ decision, reason });

/** A post of the page: which lines, what about them, and why. Ticked lines stand for themselves. */
const postedDecisionSchema = z.object({
  intent: decision,
  reason,
  rule: z.string().optional(),
  payeeId: z.string().optional(),
  line: z.array(z.string().regex(/^[1-9]\d{0,6}$/)).max(LINES_PAGE_SIZE),
});

/** What a person decides on the page of a file. @throws AppError 400 with the sentences beside their fields */
export function parseDecision(form: FormData): { decision: "approve" | "reject"; reason: string; choice: LineChoice } {
  const { intent, ...given } = Object.fromEntries(form);
  const posted = postedDecisionSchema.safeParse({ ...given, intent, line: form.getAll("line") }, { error: sayPlainly });
  if (!posted.success) throw invalidInput(z.flattenError(posted.error).fieldErrors as FieldErrors);
  const { rule, payeeId, line } = posted.data;
  if (!rule && !payeeId && line.length === 0) throw invalidInput({ line: ["Tick the lines that you decide about"] });
  const choice = rule ? { rule } : payeeId ? { payeeId } : { lines: line.map(Number) };
  return { decision: posted.data.intent, reason: posted.data.reason, choice };
}

/** `?clearing=`; anything that is no id asks for the newest. */
export const readClearingId = (params: URLSearchParams): string | undefined => {
  const id = params.get("clearing") ?? undefined;
  return id !== undefined && isId(id) ? id : undefined;
};

const SHA256 = /^[0-9a-f]{64}$/i;
const INVALID_SHA256 = "Choose a file, or enter a SHA-256 of 64 characters";

/** A SHA-256 as it was typed. @throws AppError 400 */
export function parseSha256(value: unknown): string {
  const text = typeof value === "string" ? value.replace(/\s/g, "") : "";
  if (!SHA256.test(text)) throw invalidInput({ sha256: [INVALID_SHA256] }, INVALID_SHA256);
  return text.toLowerCase();
}

/** The body of a proof by hash. */
export const proveSchema = z.object({ sha256: z.string({ error: INVALID_SHA256 }) });
