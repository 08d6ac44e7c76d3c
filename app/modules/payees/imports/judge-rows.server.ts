import { payees, payeeTerms, type Statement } from "@db/database";
import { type SQL, sql } from "drizzle-orm";
import type { FieldErrors } from "~/kernel/app-error";
import { maskedAccount } from "~/kernel/bank-account";
import type { RowOutcome } from "~/kernel/enums";
import { type DetailsOrigin, FIELD_LABELS, type PayeeDetails, type PayeeField } from "~/kernel/payee";
import { cleanLine, foldDiacritics } from "~/kernel/text";
import type { Acting } from "~/modules/core/commands/run-command.server";
import { accountText, fingerprintPayee, spellingsOf } from "~/modules/core/payee-keys";
import { isExactMatch, prepareName } from "~/modules/name-match";
import type { ColumnMapping } from "~/modules/payees/imports/table/columns";
import type { TableRow } from "~/modules/payees/imports/table/read-table";
import { insertPayees } from "~/modules/payees/payee.server";
import { newPayeeSchema } from "~/modules/payees/payee-fields.server";
import { gatherEvidenceOfMany } from "~/modules/payees/verifications/evidence.server";
import { openVerifications } from "~/modules/payees/verifications/verification.server";
import type { ReadServices, Services, WriteServices } from "~/services-and-actor";
import type { RowResult } from "./import";
import { type CheckFields, type ReadRow, readPayeeRow } from "./read-payee";
import { readFormerAccountSentences } from "./row-notes.server";
import { oddAccountSentences } from "./table/account";

/** A readable row and what will be done with it. A new payee already has its id. */
export type JudgedRow = {
  row: ReadRow & { details: PayeeDetails };
  judgement: Judgement;
  payeeId: string;
  /** Sentences that name other payees which had a new payee's account before; absent: there are none. */
  formerAccount?: string[];
};

export type JudgedRows = { judged: JudgedRow[]; refused: Extract<ReadRow, { message: string }>[] };

/** How many payees with the same ABN each row is compared with. */
const MAX_PER_ABN = 20;

/**
 * Decides what to do with each row at this moment, with a few statements for all rows. Each row also takes account of
 * what the rows before it add.
 */
export async function judgeRows(
  services: Pick<Services, "db" | "ids">,
  organizationId: string,
  {
    rows,
    mapping,
    zeroColumns,
    timeZone,
  }: { rows: readonly TableRow[]; mapping: ColumnMapping; zeroColumns: readonly number[]; timeZone: string },
): Promise<JudgedRows> {
  const read = rows.map((row) => readPayeeRow(row, { mapping, zeroColumns, check: checkFields }));
  const readable = read.filter((row): row is JudgedRow["row"] => "details" in row);
  const judged = await judgeReadable(services, organizationId, readable);
  const added = judged.flatMap(({ row, judgement }) => (judgement.outcome === "added" ? [row.details] : []));
  const formerAccountOf = await readFormerAccountSentences(services, organizationId, { added, timeZone });
  return {
    judged: judged.map((each) =>
      each.judgement.outcome === "added"
        ? {
            ...each,
            row: { ...each.row, notes: [...each.row.notes, ...oddAccountSentences(each.row.details)] },
            formerAccount: formerAccountOf(each.row.details),
          }
        : each,
    ),
    refused: read.filter((row) => "message" in row),
  };
}

/** The same for rows that are already parsed. */
export async function judgeReadable(
  services: Pick<Services, "db" | "ids">,
  organizationId: string,
  readable: readonly JudgedRow["row"][],
): Promise<JudgedRow[]> {
  const [byAccount, byAbn] = await Promise.all([
    findByAccount(services, organizationId, readable),
    findByAbn(services, organizationId, readable),
  ]);
  return readable.map((row): JudgedRow => {
    const { details } = row;
    const account = accountText(details);
    const sameAbn = details.abn === null ? [] : (byAbn.get(details.abn) ?? []);
    const judgement = judgeRow(details, { byAccount: byAccount.get(account), byAbn: sameAbn });
    const payeeId = judgement.outcome === "added" ? services.ids.next() : judgement.known.id;
    if (judgement.outcome === "added") {
      const added: KnownPayee = { ...details, id: payeeId, isArchived: false };
      byAccount.set(account, added);
      if (details.abn !== null) byAbn.set(details.abn, [...sameAbn, added]);
    } else if (judgement.outcome === "filled") {
      byAccount.set(account, { ...judgement.known, ...judgement.fills });
    }
    return { row, judgement, payeeId };
  });
}

/** The result of each row, in file order. */
export function toResults({ judged, refused }: JudgedRows): RowResult[] {
  const taken = judged.map(({ row, judgement, payeeId, formerAccount = [] }): RowResult => {
    const said = judgement.outcome === "added" ? "" : judgement.message;
    const message = [said, ...formerAccount, ...row.notes].filter(Boolean).join(" ");
    return { line: row.line, outcome: judgement.outcome, message, payeeId, name: row.name };
  });
  const left = refused.map(({ line, name, refused: outcome, message, notes }): RowResult => {
    return { line, outcome, message: [message, ...notes].join(" "), payeeId: null, name };
  });
  return [...taken, ...left].sort((a, b) => a.line - b.line);
}

type Read = readonly { details: PayeeDetails }[];

const COLUMNS = sql`${payees.id}, ${payees.name}, ${payees.accountName}, ${payees.bsb}, ${payees.accountNumber},
  ${payees.abn}, ${payees.email}, ${payees.phone}, ${payees.address}, ${payees.archivedAt} IS NOT NULL AS "isArchived"`;

type KnownRow = Omit<KnownPayee, "isArchived"> & { isArchived: number };

const toKnown = (row: KnownRow): KnownPayee => ({ ...row, isArchived: row.isArchived === 1 });

const readKnown = async ({ db }: ReadServices, statement: SQL) => (await db.all<KnownRow>(statement)).map(toKnown);

/** The organisation's payees that have these accounts, in any spelling of the number. */
async function findByAccount(services: ReadServices, organizationId: string, rows: Read) {
  const accounts = new Map(rows.map(({ details }) => [accountText(details), details]));
  const asked = [...accounts.values()].flatMap(({ bsb, accountNumber }) =>
    spellingsOf(accountNumber).map((spelling) => [bsb, spelling]),
  );
  const found = await readKnown(
    services,
    sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(asked)}) AS "asked" CROSS JOIN ${payees}
      WHERE ${payees.organizationId} = ${organizationId} AND ${payees.bsb} = "asked"."value" ->> 0
        AND ${payees.accountNumber} = "asked"."value" ->> 1`,
  );
  return new Map(found.map((payee) => [accountText(payee), payee]));
}

/** The organisation's payees with these ids, by id. */
export async function findKnownPayees(services: ReadServices, organizationId: string, ids: readonly string[]) {
  const found = await readKnown(
    services,
    sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(ids)}) AS "asked" CROSS JOIN ${payees}
      WHERE ${payees.organizationId} = ${organizationId} AND ${payees.id} = "asked"."value"`,
  );
  return new Map(found.map((payee) => [payee.id, payee]));
}

/** The organisation's payees that have these ABNs, by ABN. */
async function findByAbn(services: ReadServices, organizationId: string, rows: Read) {
  const abns = [...new Set(rows.flatMap(({ details }) => details.abn ?? []))];
  const found = await readKnown(
    services,
    sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(abns)}) AS "asked" CROSS JOIN ${payees}
      WHERE ${payees.organizationId} = ${organizationId} AND ${payees.abn} = "asked"."value"
        AND ${payees.id} IN (SELECT ${payeeTerms.payeeId} FROM ${payeeTerms}
          WHERE ${payeeTerms.organizationId} = ${organizationId} AND ${payeeTerms.term} = "asked"."value"
          LIMIT ${MAX_PER_ABN})`,
  );
  const byAbn = new Map<string, KnownPayee[]>();
  for (const payee of found) byAbn.set(payee.abn ?? "", [...(byAbn.get(payee.abn ?? "") ?? []), payee]);
  return byAbn;
}

/** Checks the fields of a row by the rules of the add-payee form. */
export const checkFields: CheckFields = (fields) => {
  const result = newPayeeSchema.safeParse(fields);
  if (result.success) return { ok: true, details: result.data };
  const errors: FieldErrors = {};
  for (const { path, message } of result.error.issues) {
    const field = String(path[0] ?? "");
    errors[field] = [...(errors[field] ?? []), message];
  }
  return { ok: false, errors };
};

/** Decides what to do with a readable row. Pure. */

/** A payee that the organisation already has. */
export type KnownPayee = PayeeDetails & { id: string; isArchived: boolean };

/** Fields that a row may fill if the payee has no value. */
export const FILLABLE = ["abn", "email", "phone", "address"] as const satisfies readonly PayeeField[];
export type Fillable = (typeof FILLABLE)[number];

export type Judgement =
  | { outcome: "added" }
  | {
      outcome: Exclude<RowOutcome, "added" | "no_account" | "refused">;
      known: KnownPayee;
      message: string;
      /** The fields to fill; empty if none. */
      fills: Partial<Record<Fillable, string>>;
    };

/** An import never changes bank details: otherwise anybody who knows a supplier's ABN could redirect its payments. */
const ELSEWHERE =
  "already has different bank details. Nothing was changed. If they are right, change them on the payee's page, where the change is checked.";

/**
 * Compares a row with the organisation's payees: first by account, then by ABN if the name is the same. Only empty
 * fields are filled; differences are listed for a person.
 */
export function judgeRow(
  row: PayeeDetails,
  known: { byAccount: KnownPayee | undefined; byAbn: readonly KnownPayee[] },
): Judgement {
  if (known.byAccount) return compareWith(known.byAccount, row);
  const own = prepareName(row.name);
  const same = known.byAbn.find(({ name }) => isExactMatch(own, name));
  if (!same) return { outcome: "added" };
  const account = maskedAccount(same);
  return {
    outcome: "differs",
    known: same,
    fills: {},
    message: `${same.name} (same ABN, account ${account}) ${ELSEWHERE}`,
  };
}

function compareWith(known: KnownPayee, row: PayeeDetails): Judgement {
  const fills: Partial<Record<Fillable, string>> = {};
  for (const field of FILLABLE) {
    const value = row[field];
    if (known[field] === null && value !== null) fills[field] = value;
  }
  const differing = (["name", "accountName", ...FILLABLE] as const).filter((field) =>
    differs(known[field], row[field]),
  );
  const filled = Object.keys(fills) as Fillable[];
  const message = [
    known.isArchived ? "This payee is archived." : "",
    filled.length > 0 ? `Filled in: ${filled.map((field) => FIELD_LABELS[field]).join(", ")}.` : "",
    ...differing.map(
      (field) => `${FIELD_LABELS[field]} differs: we have “${known[field]}”, the file has “${row[field]}”.`,
    ),
  ];
  const outcome = filled.length > 0 ? "filled" : differing.length > 0 ? "differs" : "unchanged";
  return { outcome, known, fills, message: message.filter(Boolean).join(" ") };
}

/** Ignores case, accents and spaces. An empty cell counts as no difference. */
const differs = (held: string | null, given: string | null): boolean =>
  held !== null && given !== null && plain(held) !== plain(given);

const plain = (text: string) => foldDiacritics(cleanLine(text));

/** A row of a file, or a supplier from an accounting system with its origin. */
type Added = JudgedRow & { origin?: DetailsOrigin };

/** Adds new payees with their verifications, and everything known about their accounts. */
export async function addPayees(services: WriteServices, actor: Acting, added: readonly Added[]): Promise<Statement[]> {
  const subjects = added.map(({ row, payeeId, origin }) => ({ payeeId, details: row.details, origin }));
  const [evidence, digests] = await Promise.all([
    gatherEvidenceOfMany(services, actor.organizationId, subjects),
    Promise.all(subjects.map(({ details }) => fingerprintPayee(services, details))),
  ]);
  const opened = subjects.map(({ payeeId, details }, at) => {
    const known = evidence[at];
    if (!known) throw new Error("no evidence was gathered");
    return { id: services.ids.next(), payeeId, details, evidence: known, asks: "imported" as const };
  });
  const payees = subjects.flatMap(({ payeeId, details, origin }, at) => {
    const keyed = digests[at];
    return keyed ? [{ id: payeeId, details, accountingOrigins: origin && [origin], ...keyed }] : [];
  });
  return [...insertPayees(services, actor, payees), ...openVerifications(services, actor, opened)];
}

/** The values of a row that fill empty fields, as `fillPayees` takes them. */
export function toFilled({ judgement, payeeId }: JudgedRow) {
  if (judgement.outcome !== "filled") return [];
  const { id: _, isArchived: __, ...held } = judgement.known;
  const details: PayeeDetails = { ...held, ...judgement.fills };
  return [{ payeeId, fills: judgement.fills, details }];
}
