import type { Person } from "~/kernel/actor";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import { aboutUser, asAccountActor } from "../account-actor";
import { closeSession } from "../sessions/session.server";

/** Signs a person out of this session. Signing out of a session that has ended already changes nothing. */
export async function signOut(services: WriteServices, person: Person): Promise<void> {
  await runCommand(services, asAccountActor(person), {
    statements: [closeSession(services, person.sessionId)],
    audit: [{ action: "session.ended", ...aboutUser(person.userId) }],
    answer: undefined,
  });
}
