import { payees, payeeTerms } from "@db/schema";
import { type SQL, sql } from "drizzle-orm";
import type { PayeeDetails } from "~/kernel/payee";
import { accountText, spellingsOf } from "~/modules/core/payee-fingerprint";
import type { ReadServices, Services } from "~/services";
import { checkFields } from "./check-fields.server";
import { sayFormerAccounts } from "./former-account-notes.server";
import type { RowResult } from "./import";
import { type ReadRow, readPayeeRow } from "./read-payee";
import { type Judgement, judgeRow, type KnownPayee } from "./row-judgement";
import type { ColumnMapping } from "./table/columns";
import type { TableRow } from "./table/read-table";

/** A row that could be read, with what becomes of it. A new payee has its id already. */
export type JudgedRow = {
  row: ReadRow & { details: PayeeDetails };
  judgement: Judgement;
  payeeId: string;
  /** Whose account a new payee's was before, in sentences; absent: no other payee's. */
  formerAccount?: string[];
};

export type JudgedRows = { judged: JudgedRow[]; refused: Extract<ReadRow, { message: string }>[] };

/** Of one ABN more payees than these say nothing more. */
const MAX_PER_ABN = 20;

/**
 * What becomes of each row, as things stand now. A few statements for all rows; a row also sees what the rows before it
 * add.
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
  const formerAccountOf = await sayFormerAccounts(services, organizationId, { added, timeZone });
  return {
    judged: judged.map((each) =>
      each.judgement.outcome === "added" ? { ...each, formerAccount: formerAccountOf(each.row.details) } : each,
    ),
    refused: read.filter((row) => "message" in row),
  };
}

/** What becomes of rows that could be read. */
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

/** The outcome of each row, in the order of the file. */
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

/** The organisation's payees that have these accounts, however their numbers are written. */
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
