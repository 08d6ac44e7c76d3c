import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isPreconditionError } from "@db/errors";
import type { Person } from "~/kernel/actor";
import type { Services } from "~/services";
import { changedMeanwhile } from "../proof.server";
import { isOpen, type SignedIn, welcome } from "./session.queries.server";
import { closeAllSessions, openSession } from "./session.statements.server";

/**
 * Commits what changes how a person signs in: every session they had is over, at once, and here they have a new one.
 * @throws AppError 409 CHANGED_MEANWHILE when a precondition of the batch did not hold
 */
export async function commitWithNewSession(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets">,
  person: Person,
  statements: readonly Statement[],
): Promise<SignedIn> {
  const { userId, origin } = person;
  const session = await openSession(services, userId, origin);
  try {
    await commit(services.db, [...statements, closeAllSessions(services, userId), session.statement], () =>
      isOpen(services, session.sessionId),
    );
  } catch (error) {
    throw isPreconditionError(error) ? changedMeanwhile() : error;
  }
  return welcome(services, origin, session);
}
