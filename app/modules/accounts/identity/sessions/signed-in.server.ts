import type { Origin, Person } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { Services } from "~/services";
import { findPersonBySession } from "../identity.server";

/** A session that has just begun: the token for the cookie, and the person it belongs to. */
export type SignedIn = { token: string; person: Person };

/**
 * A new session as the very next request will find it.
 * @throws AppError 401 SIGNED_OUT when it was ended, or the person made inactive, in the meantime
 */
export async function getSignedIn(
  services: Pick<Services, "db" | "clock">,
  origin: Origin,
  session: { token: string; sessionId: string },
): Promise<SignedIn> {
  const found = await findPersonBySession(services, session.sessionId, origin);
  if (!found) throw new AppError("SIGNED_OUT", 401, "Sign in first.");
  return { token: session.token, person: found.person };
}
