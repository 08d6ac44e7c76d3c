import type { Condition } from "@db/precondition";
import { users } from "@db/schema";
import { and, eq, ne, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";
import type { Account } from "./account.queries.server";

/** The account still has the password that was compared, and is not inactive. */
export function accountIsUnchanged(
  { db }: ReadServices,
  account: Pick<Account, "id" | "password">,
): Condition<"account_changed"> {
  const found = db
    .select({ one: sql`1` })
    .from(users)
    .where(and(eq(users.id, account.id), eq(users.password, account.password), ne(users.status, "inactive")));
  return { name: "account_changed", found };
}
