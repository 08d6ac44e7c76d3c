import type { Statement } from "@db/client";
import { precondition } from "@db/precondition";
import { users } from "@db/schema";
import { and, eq, ne, sql } from "drizzle-orm";
import type { Services } from "~/services";
import type { Account } from "./account.queries.server";

/** Refuses the batch if the password was changed, or the person shut out, while it was compared. */
export function whileMayComeIn({ db }: Pick<Services, "db">, account: Pick<Account, "id" | "password">): Statement {
  return precondition(
    db,
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.id, account.id), eq(users.password, account.password), ne(users.status, "inactive"))),
  );
}
