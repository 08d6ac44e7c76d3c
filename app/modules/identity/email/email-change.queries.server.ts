import { emailChanges, users } from "@db/schema";
import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import type { Services } from "~/services";
import { type EmailChangeState, emailChangeState, type Mailbox } from "./email-change";

/** What is behind a link of a change of address. */
export type EmailChange = {
  id: string;
  state: EmailChangeState;
  mailbox: Mailbox;
  userId: string;
  organizationId: string | null;
  firstName: string;
  oldEmail: string;
  newEmail: string;
  oldConfirmedAt: number | null;
  newConfirmedAt: number | null;
};

/** The change that a link is about; undefined for a token that was never ours. */
export async function findEmailChange(
  services: Pick<Services, "db" | "clock" | "secrets">,
  token: string,
): Promise<EmailChange | undefined> {
  const { db, clock, secrets } = services;
  const hash = await secrets.hashToken(token);
  const [row] = await db
    .select({
      id: emailChanges.id,
      userId: emailChanges.userId,
      organizationId: users.organizationId,
      firstName: users.firstName,
      status: users.status,
      oldEmail: emailChanges.oldEmail,
      newEmail: emailChanges.newEmail,
      oldTokenHash: emailChanges.oldTokenHash,
      oldConfirmedAt: emailChanges.oldConfirmedAt,
      newConfirmedAt: emailChanges.newConfirmedAt,
      expiresAt: emailChanges.expiresAt,
      endedAt: emailChanges.endedAt,
    })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.userId))
    .where(or(eq(emailChanges.oldTokenHash, hash), eq(emailChanges.newTokenHash, hash)));
  if (!row || row.status === "inactive") return undefined;
  const { oldTokenHash, expiresAt, endedAt, status: _, ...change } = row;
  const mailbox = oldTokenHash === hash ? "old" : "new";
  return { ...change, mailbox, state: emailChangeState({ ...change, expiresAt, endedAt }, mailbox, clock.now()) };
}

/** The address that a person's open change leads to, and which mailboxes have still to say yes. */
export async function findOpenEmailChange(
  { db, clock }: Pick<Services, "db" | "clock">,
  person: Person,
): Promise<{ newEmail: string; waitsForOld: boolean; waitsForNew: boolean } | undefined> {
  const [row] = await db
    .select({
      newEmail: emailChanges.newEmail,
      oldConfirmedAt: emailChanges.oldConfirmedAt,
      newConfirmedAt: emailChanges.newConfirmedAt,
    })
    .from(emailChanges)
    .where(
      and(
        eq(emailChanges.userId, person.userId),
        isNull(emailChanges.endedAt),
        gt(emailChanges.expiresAt, clock.now()),
      ),
    );
  if (!row) return undefined;
  return {
    newEmail: row.newEmail,
    waitsForOld: row.oldConfirmedAt === null,
    waitsForNew: row.newConfirmedAt === null,
  };
}
