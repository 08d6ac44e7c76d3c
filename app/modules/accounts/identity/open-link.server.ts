import type { Condition } from "@db/precondition";
import { tokens, users } from "@db/schema";
import { and, eq, gt, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Services } from "~/services";

type MailedLink = { tokenId: string; userId: string; email: string };

/**
 * A mailed link is unused and in time, and the address it was sent to is still the person's, who is not shut out.
 * `besides`: what else must be true of the link or the person.
 */
export function linkIsOpen(
  { db, clock }: Pick<Services, "db" | "clock">,
  { tokenId, userId, email }: MailedLink,
  besides?: SQL,
): Condition<"link_over"> {
  const found = db
    .select({ one: sql`1` })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(
      and(
        eq(tokens.id, tokenId),
        isNull(tokens.usedAt),
        gt(tokens.expiresAt, clock.now()),
        eq(users.id, userId),
        eq(users.email, email),
        ne(users.status, "inactive"),
        besides,
      ),
    );
  return { name: "link_over", found };
}
