import { users } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { Services } from "~/services";
import { endAllAccess, removeTwoStep, revokeInvitationsBy } from "../account-access.server";
import { requireUnknownPassword } from "../password/new-password.server";
import { type Proof, requirePassword } from "../reauthenticate.server";
import { openSession } from "../sessions/session.server";
import { rememberDevice } from "../sign-in/device.server";
import type { AccountProof } from "./confirmation";
import type { Confirmation } from "./confirmation.server";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "passwords" | "breachedPasswords">;

/** What a proof adds to the batch of the confirmation, and the session it opens, if it signs the person in. */
export type ProvedAccount = Proof & { session?: { token: string; sessionId: string } };

const WRONG_PASSWORD = "This is not the password of this account";

/**
 * Checks that the person with the link holds the account too. The password signs them in here unless the account has
 * two-step sign-in; a new password ends every session and token of the person who registered.
 * @throws AppError 403 ACCOUNT_NOT_PROVED, 400 beside `password`, 429 SIGN_IN_LOCKED
 */
export async function proveAccount(
  services: Needs,
  origin: Origin,
  confirmation: Confirmation,
  proof: AccountProof,
): Promise<ProvedAccount> {
  switch (proof.by) {
    case "session":
      if (proof.userId === confirmation.userId) return { conditions: [], statements: [] };
      throw new AppError("ACCOUNT_NOT_PROVED", 403, "Enter the password of this account to confirm the address.");
    case "password":
      return provePassword(services, origin, confirmation, proof.password);
    case "new_password":
      return chooseNewPassword(services, origin, confirmation, proof.password);
  }
}

async function provePassword(
  services: Needs,
  origin: Origin,
  confirmation: Confirmation,
  password: string,
): Promise<ProvedAccount> {
  const says = { field: "password", wrong: WRONG_PASSWORD };
  const { account, conditions, statements } = await requirePassword(services, confirmation, password, says);
  if (account.twoStep) return { conditions, statements };
  const signIn = await startSession(services, origin, account.id);
  return { conditions, statements: [...statements, ...signIn.statements], session: signIn.session };
}

async function chooseNewPassword(
  services: Needs,
  origin: Origin,
  { userId, createdOrganizationId }: Confirmation,
  password: string,
): Promise<ProvedAccount> {
  await requireUnknownPassword(services, password);
  const hash = await services.passwords.hash(password);
  const signIn = await startSession(services, origin, userId);
  return {
    conditions: [],
    statements: [
      services.db.update(users).set({ password: hash }).where(eq(users.id, userId)),
      ...endAllAccess(services, userId),
      ...removeTwoStep(services, userId),
      ...(createdOrganizationId ? [revokeInvitationsBy(services, userId, createdOrganizationId)] : []),
      ...signIn.statements,
    ],
    session: signIn.session,
  };
}

async function startSession(services: Needs, origin: Origin, userId: string) {
  const { statement, ...session } = await openSession(services, userId, origin);
  const device = await rememberDevice(services, userId, origin);
  const seen = services.db.update(users).set({ lastLoginAt: services.clock.now() }).where(eq(users.id, userId));
  return { session, statements: [statement, device.statement, seen] };
}
