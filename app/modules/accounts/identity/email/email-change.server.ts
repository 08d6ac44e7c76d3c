import { emailChanges, users } from "@db/schema";
import { and, eq, gt, isNull, or } from "drizzle-orm";
import { displayName, type Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
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
  /** Whose account it is, and when they asked. */
  askedBy: string;
  askedAt: number;
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
      lastName: users.lastName,
      askedAt: emailChanges.createdAt,
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
  const { oldTokenHash, expiresAt, endedAt, status: _, lastName, ...change } = row;
  const mailbox = oldTokenHash === hash ? "old" : "new";
  const askedBy = displayName({ firstName: row.firstName, lastName });
  return {
    ...change,
    askedBy,
    mailbox,
    state: emailChangeState({ ...change, expiresAt, endedAt }, mailbox, clock.now()),
  };
}

/**
 * A change that is neither made, stopped nor expired.
 * @throws AppError 404 NOT_FOUND, 410 LINK_EXPIRED, LINK_USED
 */
export async function getEmailChange(
  services: Pick<Services, "db" | "clock" | "secrets">,
  token: string,
): Promise<EmailChange> {
  const change = await findEmailChange(services, token);
  if (!change) throw new AppError("NOT_FOUND", 404, "This link is not known. Please use the link in the newest email.");
  if (change.state === "ended" || change.state === "expired") throw emailChangeOver(change.state);
  return change;
}

/** The same, not yet answered in this mailbox. @throws AppError also 409 ALREADY_CONFIRMED */
export async function getOpenEmailChange(
  services: Pick<Services, "db" | "clock" | "secrets">,
  token: string,
): Promise<EmailChange> {
  const change = await getEmailChange(services, token);
  if (change.state === "waiting") {
    throw new AppError("ALREADY_CONFIRMED", 409, "You have agreed already. The other mailbox has not.");
  }
  return change;
}

export const emailChangeOver = (state: "ended" | "expired") =>
  state === "expired"
    ? new AppError("LINK_EXPIRED", 410, "This link has expired. It worked for 24 hours.")
    : new AppError("LINK_USED", 410, "This change of address was made, stopped, or replaced by another.");

/** The address that a person's open change leads to, and which mailboxes have still to agree. */
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
