import { users } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import { aboutUser, asAccountActor } from "./account-actor";

/** Changes a person's name. Saving the same name again writes nothing. */
export async function changeNames(
  services: WriteServices,
  person: Person,
  names: { firstName: string; lastName: string },
): Promise<void> {
  const { db, clock } = services;
  const { userId, firstName, lastName } = person;
  if (firstName === names.firstName && lastName === names.lastName) return;
  await runCommand(services, asAccountActor(person), {
    statements: [
      db
        .update(users)
        .set({ ...names, updatedAt: clock.now() })
        .where(eq(users.id, userId)),
    ],
    audit: [
      {
        action: "user.names_changed",
        ...aboutUser(userId),
        details: {
          firstName: { from: firstName, to: names.firstName },
          lastName: { from: lastName, to: names.lastName },
        },
      },
    ],
    answer: undefined,
  });
}
