import { sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import { fingerprintsOfAccount } from "~/modules/account-fingerprints/payee-fingerprint.server";
import { describeInstitution } from "~/modules/bsb-directory/directory";
import { findDirectoryEntries } from "~/modules/bsb-directory/directory.queries.server";
import type { Policy } from "~/modules/organizations/policies/policy";
import { DUPLICATE_DAYS } from "~/modules/payment-rules/duplicate-payment";
import type { DuplicateFacts, PaymentFacts } from "~/modules/payment-rules/facts";
import { referenceKey } from "~/modules/payment-rules/reference-key";
import type { ReadServices, Services } from "~/services";
import { findLookalikeDomains, findNamesakes } from "./candidates.queries.server";
import type { FileSettings } from "./file-settings";
import { findPayeesByAccount, type LinePayee } from "./payees-of-lines.queries.server";
import { accountKey, type FileLine } from "./payment-file";
import type { WholeFile } from "./whole-file";

/** Rows of one statement: its parameter stays far below the largest value that the database takes. */
const ROWS_PER_STATEMENT = 5_000;

export type FactsReading = Pick<Services, "db" | "clock" | "secrets">;

/** What is the same for every line of a file. */
export type FileContext = {
  organizationId: string;
  policy: Pick<Policy, "timeZone" | "reverifyAfterMonths" | "firstPaymentLimitCents">;
  settings: FileSettings;
  /** What the lines say of each other. */
  whole: WholeFile;
  /** Payments that clearing this very file recorded are no duplicates of its lines. */
  fileId: string;
  /** Characters of a name that the file carries; null: all. */
  nameWidth: number | null;
};

/**
 * What the rules look at, for each line. Everything is asked in statements about many lines at once, so that a line costs
 * no query of its own.
 */
export async function gatherLineFacts(
  services: FactsReading,
  context: FileContext,
  lines: readonly FileLine[],
): Promise<PaymentFacts[]> {
  const { organizationId } = context;
  const now = services.clock.now();
  const payees = await findPayeesByAccount(services, organizationId, { accounts: lines, now });
  const payeeOf = (line: FileLine) => payees.get(accountKey(line));
  const unknown = lines.filter((line) => !payeeOf(line)).map(({ accountName }) => accountName);
  const [bsbProblems, duplicates, staff, namesakes, lookalikes] = await Promise.all([
    findBsbProblems(services, lines),
    findDuplicates(services, context, { now, lines, payeeOf }),
    findStaffAccounts(services, organizationId, lines),
    findNamesakes(services, organizationId, unknown),
    findLookalikeDomains(services, organizationId, [...payees.values()]),
  ]);
  return lines.map((line) => {
    const payee = payeeOf(line) ?? null;
    return {
      ...factsOfFile(context, now),
      ...factsOfLine(context, line, payee),
      bsbProblem: bsbProblems.get(line.bsb) ?? null,
      duplicate: duplicates.get(line.line) ?? null,
      isStaffAccount: staff.has(accountKey(line)),
      ...(payee
        ? { lookalikeDomain: lookalikes.get(payee.id) ?? null }
        : { namesakes: namesakes.get(line.accountName) }),
    };
  });
}

const factsOfFile = ({ policy, settings }: FileContext, now: number) => ({
  now,
  timeZone: policy.timeZone,
  reverifyAfterMonths: policy.reverifyAfterMonths,
  firstPaymentLimitCents: policy.firstPaymentLimitCents,
  approvalLimitCents: settings.memberLimitCents ?? settings.adminLimitCents,
  workingHours: settings.workingHours,
});

function factsOfLine({ whole, nameWidth }: FileContext, line: FileLine, payee: LinePayee | null) {
  const { amount, reference, accountName, bsb, accountNumber } = line;
  const {
    email: _,
    formerBsbs,
    editsInLastDay,
    ...facts
  } = payee ?? { email: null, formerBsbs: [], editsInLastDay: 0 };
  const account = payee ? { bsb: payee.bsb, accountNumber: payee.accountNumber } : { bsb, accountNumber };
  return {
    amount,
    reference,
    givenName: accountName,
    nameWidth,
    account: { accountName, ...account },
    payee: payee ? (facts as PaymentFacts["payee"]) : null,
    otherTitles: whole.otherTitlesOf(line),
    earlierLine: whole.earlierLineOf(line),
    newDetails: line.newDetails,
    ...(payee ? { formerBsbs, editsInLastDay } : {}),
  };
}

/** Why nothing can be paid to a BSB, in a sentence, by BSB; absent when nothing is wrong with it. */
async function findBsbProblems({ db }: ReadServices, lines: readonly FileLine[]): Promise<Map<string, string>> {
  const bsbs = [...new Set(lines.map(({ bsb }) => bsb))];
  const entryOf = await findDirectoryEntries({ db }, bsbs);
  const problems = new Map<string, string>();
  for (const bsb of bsbs) {
    const institution = describeInstitution(bsb, entryOf(bsb));
    const problem = institution ? institution.problem : "No institution has this BSB.";
    if (problem) problems.set(bsb, problem);
  }
  return problems;
}

type DuplicateRow = DuplicateFacts & { line: number };

/** The newest payment of the last days to the same payee, of the same amount, with the same reference. By line. */
async function findDuplicates(
  { db }: ReadServices,
  { organizationId, fileId }: FileContext,
  asked: { now: number; lines: readonly FileLine[]; payeeOf: (line: FileLine) => LinePayee | undefined },
): Promise<Map<number, DuplicateFacts>> {
  const { now, lines, payeeOf } = asked;
  const found = new Map<number, DuplicateFacts>();
  const known = lines.flatMap((line) => {
    const payee = payeeOf(line);
    return payee ? [[line.line, payee.id, line.amount, referenceKey(line.reference)]] : [];
  });
  for (let at = 0; at < known.length; at += ROWS_PER_STATEMENT) {
    const part = JSON.stringify(known.slice(at, at + ROWS_PER_STATEMENT));
    const rows = await db.all<DuplicateRow>(sql`SELECT "asked"."value" ->> 0 AS "line", "same"."id", "same"."status",
        "same"."createdAt", "same"."reference"
      FROM json_each(${part}) AS "asked" CROSS JOIN "payment_records" AS "same"
      WHERE "same"."organizationId" = ${organizationId} AND "same"."payeeId" = "asked"."value" ->> 1
        AND "same"."amount" = "asked"."value" ->> 2 AND "same"."referenceKey" = "asked"."value" ->> 3
        AND "same"."status" <> 'failed'
        AND "same"."createdAt" > ${now - DUPLICATE_DAYS * DAY_MS}
        AND NOT EXISTS (SELECT 1 FROM "payment_file_lines" AS "own"
          WHERE "own"."organizationId" = ${organizationId} AND "own"."paymentId" = "same"."id"
            AND "own"."fileId" = ${fileId})
      ORDER BY "same"."createdAt"`);
    for (const { line, ...duplicate } of rows) found.set(line, duplicate);
  }
  return found;
}

/** Which of the accounts belong to the organisation's staff, by `accountKey`. Nothing is computed where none is loaded. */
async function findStaffAccounts(
  { db, secrets }: FactsReading,
  organizationId: string,
  lines: readonly FileLine[],
): Promise<Set<string>> {
  const [any] = await db.all<{ one: number }>(
    sql`SELECT 1 AS "one" FROM "staff_accounts" WHERE "organizationId" = ${organizationId} LIMIT 1`,
  );
  if (!any) return new Set();
  const byFingerprint = new Map<string, string>();
  for (const line of new Map(lines.map((each) => [accountKey(each), each])).values()) {
    for (const digest of await fingerprintsOfAccount({ secrets }, line)) byFingerprint.set(digest, accountKey(line));
  }
  const rows = await db.all<{ accountFingerprint: string }>(
    sql`SELECT "accountFingerprint" FROM json_each(${JSON.stringify([...byFingerprint.keys()])}) AS "asked"
      CROSS JOIN "staff_accounts" WHERE "organizationId" = ${organizationId} AND "accountFingerprint" = "asked"."value"`,
  );
  return new Set(rows.map(({ accountFingerprint }) => byFingerprint.get(accountFingerprint) ?? ""));
}
