import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { formatBsb } from "~/kernel/bsb";
import { toCsv, toCsvLines } from "~/kernel/csv";
import type { Services } from "~/services";
import { type ListedPayee, listPayees, type PayeesQuery } from "./payee-list.server";
import { toPayeeRow } from "./payee-list.view";

const ROWS_PER_READ = 400;
const HEADINGS = [
  "Payee",
  "Account name",
  "BSB",
  "Account number",
  "ABN",
  "Email",
  "Phone",
  "Status",
  "How it was verified",
  "Last verified",
  "Last paid",
];

/** Columns that another module knows: their headings, and the cells of each payee of a page, in its order. */
export type MoreColumns = {
  headings: readonly string[];
  cellsOf(payees: readonly ListedPayee[]): Promise<(readonly string[])[]>;
};

/** The payees of a list as a table for a spreadsheet, read page by page while it is sent; account numbers are masked as in the list. */
export const writePayeesFile = (
  services: Pick<Services, "db" | "clock">,
  actor: Actor,
  query: PayeesQuery,
  more: MoreColumns,
) => ({
  name: "payees.csv",
  lines: readLines(services, actor, query, more),
});

async function* readLines(
  services: Pick<Services, "db" | "clock">,
  actor: Actor,
  { q, filter }: PayeesQuery,
  more: MoreColumns,
) {
  yield toCsv([...HEADINGS, ...more.headings], []);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  let after: string | undefined;
  do {
    const page = await listPayees(services, actor, { q, filter, after, limit: ROWS_PER_READ });
    const moreCells = await more.cellsOf(page.payees);
    yield toCsvLines(
      page.payees.map((payee, at) => {
        const { status, grade, verifiedAt, paidAt } = toPayeeRow(payee, zone);
        const { name, accountName, bsb, accountNumber, abn, email, phone } = payee;
        const account = [formatBsb(bsb), maskAccountNumber(accountNumber)];
        return [
          name,
          accountName,
          ...account,
          abn,
          email,
          phone,
          status,
          grade,
          verifiedAt?.exact ?? null,
          paidAt?.exact ?? null,
          ...(moreCells[at] ?? []),
        ];
      }),
    );
    after = page.next;
  } while (after !== undefined);
}
