import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { formatBsb } from "~/kernel/bsb";
import { toCsv, toCsvLines } from "~/kernel/csv";
import type { Services } from "~/services";
import { listPayees, type PayeesQuery } from "./payee-list.queries.server";
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
  "Last verified",
  "Last paid",
];

/** The payees of a list as a table for a spreadsheet, read page by page while it is sent; account numbers are masked as in the list. */
export const writePayeesFile = (services: Pick<Services, "db" | "clock">, actor: Actor, query: PayeesQuery) => ({
  name: "payees.csv",
  lines: readLines(services, actor, query),
});

async function* readLines(services: Pick<Services, "db" | "clock">, actor: Actor, { q, filter }: PayeesQuery) {
  yield toCsv(HEADINGS, []);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  let after: string | undefined;
  do {
    const page = await listPayees(services, actor, { q, filter, after, limit: ROWS_PER_READ });
    yield toCsvLines(
      page.payees.map((payee) => {
        const { status, verifiedAt, paidAt } = toPayeeRow(payee, zone);
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
          verifiedAt?.exact ?? null,
          paidAt?.exact ?? null,
        ];
      }),
    );
    after = page.next;
  } while (after !== undefined);
}
