import * as z from "zod";
import { invalidInput } from "~/kernel/app-error";
import { maskedAccount } from "~/kernel/bank-account";
import { decodeBytes, sha256Hex } from "~/kernel/encodings";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { Asking, Services } from "~/services-and-actor";
import { type AbaFile, type AbaLine, DEBIT_CODE, readAba } from "./aba";
import { type ClearingDetail, findClearingBySha256, listNewestClearings, toClearingView } from "./clearings.server";
import { MAX_LINES } from "./payment-file";
import { getBytes } from "./payment-file.server";

const SHA256 = /^[0-9a-f]{64}$/i;
const INVALID_SHA256 = "Choose a file, or enter a SHA-256 of 64 characters";

/** Parses a typed SHA-256. @throws AppError 400 */
export function parseSha256(value: unknown): string {
  const text = typeof value === "string" ? value.replace(/\s/g, "") : "";
  if (!SHA256.test(text)) throw invalidInput({ sha256: [INVALID_SHA256] }, INVALID_SHA256);
  return text.toLowerCase();
}

/** The API body for proving a file by its hash. */
export const proveSchema = z.object({ sha256: z.string({ error: INVALID_SHA256 }) });

type Proving = Pick<Services, "db" | "secrets">;

export type Proof =
  | { cleared: true; clearing: ClearingDetail }
  | {
      cleared: false;
      sha256: string;
      /** The most similar clearing; null when none of the recent ones is similar. */
      nearest: ClearingDetail | null;
      differences: Difference[];
    };

/** The result page for an uploaded file or a typed SHA-256. @throws AppError 400 */
export async function readProofPage(
  services: Proving & Pick<Services, "clock">,
  actor: Asking,
  shown: Uint8Array<ArrayBuffer> | FormDataEntryValue | null,
) {
  const proof =
    shown instanceof Uint8Array
      ? await proveFile(services, actor, shown)
      : await proveHash(services, actor, parseSha256(shown));
  const { timeZone } = await findPolicy(services, actor.organizationId);
  const zone = { timeZone, now: services.clock.now() };
  if (!proof.cleared) return { ...proof, nearest: proof.nearest && toClearingView(proof.nearest, zone) };
  const { clearing } = proof;
  return { ...proof, clearing: toClearingView(clearing, zone), href: appPaths.paymentFile(clearing.fileId) };
}

export type ProofPage = Awaited<ReturnType<typeof readProofPage>>;

/** How many clearings with a similar number of lines are read and compared. */
const MAX_READ = 5;

/** Answers "Is this the file that was cleared?" by SHA-256 alone; listing differences requires the file itself. */
export async function proveHash(services: Proving, actor: Asking, sha256: string): Promise<Proof> {
  const clearing = await findClearingBySha256(services, actor, sha256.toLowerCase());
  return clearing ? { cleared: true, clearing } : { cleared: false, sha256, nearest: null, differences: [] };
}

/** Answers the same by the bytes: a file that was not cleared is compared with the most similar cleared one. */
export async function proveFile(services: Proving, actor: Asking, bytes: Uint8Array<ArrayBuffer>): Promise<Proof> {
  const sha256 = await sha256Hex(bytes);
  const proof = await proveHash(services, actor, sha256);
  if (proof.cleared) return proof;
  const reading = readAba(decodeBytes(bytes), MAX_LINES);
  if (!reading.ok) {
    const differences = reading.problems.map(({ line, message }) => ({ kind: "record" as const, line, message }));
    return { ...proof, differences };
  }
  const nearest = await findNearest(services, actor, reading.file);
  if (!nearest) return proof;
  return { ...proof, nearest: nearest.clearing, differences: compareFiles(reading.file, nearest.file) };
}

async function findNearest(services: Proving, actor: Asking, shown: AbaFile) {
  const distance = ({ lineCount }: ClearingDetail) => Math.abs(lineCount - shown.lines.length);
  const likely = (await listNewestClearings(services, actor)).sort((a, b) => distance(a) - distance(b));
  let nearest: { clearing: ClearingDetail; file: AbaFile; same: number } | undefined;
  for (const clearing of likely.slice(0, MAX_READ)) {
    const owner = { organizationId: actor.organizationId, ownerId: clearing.id, byteCount: clearing.byteCount };
    const reading = readAba(decodeBytes(await getBytes(services, owner)), MAX_LINES);
    if (!reading.ok) continue;
    const same = countSame(shown, reading.file);
    if (!nearest || same > nearest.same) nearest = { clearing, file: reading.file, same };
  }
  return nearest;
}

type Difference = {
  kind: "account" | "amount" | "title" | "added" | "missing" | "record";
  /** Line of the submitted file; null for a payment that it lacks. */
  line: number | null;
  /** A plain sentence; account numbers masked. */
  message: string;
};

/** More differences than a person would read. */
const MAX_DIFFERENCES = 200;

const describe = (line: AbaLine) => `${formatAud(line.amount)} to ${line.title}, ${maskedAccount(line)}`;

const WAYS: readonly {
  kind: Difference["kind"];
  key: (line: AbaLine) => string;
  say: (now: AbaLine, then: AbaLine) => string;
}[] = [
  {
    kind: "account",
    key: ({ title, amount, reference }) => JSON.stringify([title, amount, reference]),
    say: (now, then) =>
      maskedAccount(now) === maskedAccount(then)
        ? `pays ${now.title} at a different account from the cleared one: ${maskedAccount(now)} with other hidden digits.`
        : `pays ${now.title} at ${maskedAccount(now)}. ${maskedAccount(then)} was cleared.`,
  },
  {
    kind: "amount",
    key: ({ bsb, accountNumber, reference }) => JSON.stringify([bsb, accountNumber, reference]),
    say: (now, then) => `pays ${now.title} ${formatAud(now.amount)}. ${formatAud(then.amount)} was cleared.`,
  },
  {
    kind: "title",
    key: ({ bsb, accountNumber, amount }) => JSON.stringify([bsb, accountNumber, amount]),
    say: (now, then) => `names “${now.title}”, “${now.reference}”. “${then.title}”, “${then.reference}” was cleared.`,
  },
];

/** Removes from two lists the pairs with equal keys. */
function pair(now: AbaLine[], before: AbaLine[], key: (line: AbaLine) => string) {
  const waiting = new Map<string, AbaLine[]>();
  for (const line of before) waiting.set(key(line), [...(waiting.get(key(line)) ?? []), line]);
  const pairs: [AbaLine, AbaLine][] = [];
  const rest = now.filter((line) => {
    const other = waiting.get(key(line))?.shift();
    if (other) pairs.push([line, other]);
    return !other;
  });
  return { pairs, now: rest, before: [...waiting.values()].flat() };
}

/** How many payments of the two files have identical records. */
function countSame(shown: AbaFile, cleared: AbaFile): number {
  return pair(shown.lines, cleared.lines, ({ record }) => record).pairs.length;
}

/** Lists how the file differs from the cleared one line by line, payments first. */
function compareFiles(shown: AbaFile, cleared: AbaFile): Difference[] {
  const isPayment = ({ code }: AbaLine) => code !== DEBIT_CODE;
  let left = pair(shown.lines.filter(isPayment), cleared.lines.filter(isPayment), ({ record }) => record);
  const differences: Difference[] = [];
  for (const { kind, key, say } of WAYS) {
    left = pair(left.now, left.before, key);
    for (const [now, then] of left.pairs) {
      differences.push({ kind, line: now.line, message: `Line ${now.line} ${say(now, then)}` });
    }
  }
  for (const line of left.now) {
    differences.push({
      kind: "added",
      line: line.line,
      message: `Line ${line.line} was not cleared: ${describe(line)}.`,
    });
  }
  for (const line of left.before) {
    differences.push({ kind: "missing", line: null, message: `A cleared payment is missing: ${describe(line)}.` });
  }
  if (shown.header.record.trimEnd() !== cleared.header.record.trimEnd()) {
    differences.push({ kind: "record", line: 1, message: "The header record is not the one that was cleared." });
  }
  if (differences.length === 0) {
    const message =
      "Every payment is as it was cleared. Other bytes differ, such as blanks, line ends or the order of lines.";
    differences.push({ kind: "record", line: null, message });
  }
  return differences.slice(0, MAX_DIFFERENCES);
}
