import { emailChanges } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Services, WriteServices } from "~/services";
import { aboutUser, asAccountActor } from "../account-actor";
import { emailChangeOver, getEmailChange } from "./email-change.server";

/**
 * Stops a change of address, from either mailbox, at any time before the change is made. Nobody has to sign in for it.
 * @throws AppError 404 NOT_FOUND, 410 LINK_EXPIRED, LINK_USED
 */
export async function stopEmailChange(
  services: WriteServices & Pick<Services, "secrets">,
  origin: Origin,
  token: string,
): Promise<void> {
  const { db, clock } = services;
  const change = await getEmailChange(services, token);
  const open = and(eq(emailChanges.id, change.id), isNull(emailChanges.endedAt));
  const found = db.select({ one: sql`1` }).from(emailChanges).where(open);
  const { ok } = await runCommand(services, asAccountActor({ ...change, origin }), {
    conditions: [{ name: "change_over", found }],
    statements: [db.update(emailChanges).set({ endedAt: clock.now() }).where(open)],
    audit: [
      {
        action: "user.email_change_stopped",
        ...aboutUser(change.userId),
        details: { mailbox: change.mailbox },
      },
    ],
    answer: undefined,
  });
  if (!ok) throw emailChangeOver("ended");
}
