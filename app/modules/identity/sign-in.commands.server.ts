import { commit } from "@db/commit";
import { isPreconditionError } from "@db/errors";
import { precondition } from "@db/precondition";
import { users } from "@db/schema";
import { and, eq, ne, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { Services } from "~/services";
import { type Account, findAccount, findMembership, type Membership } from "./account.queries.server";
import type { Origin, Person } from "./actor";
import { WRONG_CREDENTIALS } from "./messages";
import { isOpen, type SignedIn, welcome } from "./session.queries.server";
import { closeSession, openSession } from "./session.statements.server";
import type { Credentials } from "./sign-in";
import { countFailure, forgetFailures, requireUnlocked, signInCounterKey, whileUnlocked } from "./sign-in-lock.server";

type Needs = Pick<Services, "db" | "clock" | "ids" | "secrets" | "passwords">;

type SignIn = Credentials & {
  /** Take `organizationId` as a wish: someone who does not belong to it lands where they were last. */
  organizationIsHint?: boolean;
  /** The session the request came with; a sign-in ends it. */
  presentedSessionId?: string;
};

/** Nobody's id, for look-ups that are made whether or not there is an account. */
const NOBODY = "nobody";

/**
 * Signs a person in: always a new session, and the one presented is gone.
 *
 * The same answer, after the same work, whether the account does not exist, the password is wrong, the person may not
 * come in, or the organisation is not theirs.
 * @throws AppError 401 INVALID_CREDENTIALS, 429 SIGN_IN_LOCKED after 10 failures of this account in 15 minutes
 */
export async function signIn(services: Needs, origin: Origin, input: SignIn): Promise<SignedIn> {
  try {
    return await trySigningIn(services, origin, input);
  } catch (error) {
    if (!isPreconditionError(error)) throw error;
  }
  // Something changed while the password was compared: a lock, a new password, or only its hash renewed by another
  // sign-in. What holds now decides.
  try {
    return await trySigningIn(services, origin, input);
  } catch (error) {
    throw isPreconditionError(error) ? invalidCredentials() : error;
  }
}

async function trySigningIn(services: Needs, origin: Origin, input: SignIn): Promise<SignedIn> {
  const account = await findAccount(services, input.login);
  const counterKey = await signInCounterKey(services, input.login, account?.id);
  await requireUnlocked(services, counterKey);

  const { ok, needsRehash } = await services.passwords.verify(input.password, account?.password);
  const { organizationId } = input;
  const chosen = organizationId ? await findMembership(services, organizationId, account?.id ?? NOBODY) : undefined;
  const isMine = !organizationId || chosen !== undefined || input.organizationIsHint === true;
  if (!account || !ok || account.status === "inactive" || !isMine) {
    throw await refuse(services, origin, counterKey, account);
  }

  const current = organizationId && chosen ? { id: organizationId, ...chosen } : undefined;
  const rehashed = needsRehash ? await services.passwords.hash(input.password) : undefined;
  return enter(services, origin, account, { counterKey, current, rehashed, presented: input.presentedSessionId });
}

type Entry = {
  counterKey: string;
  current?: Membership & { id: string };
  rehashed?: string;
  presented?: string;
};

async function enter(services: Needs, origin: Origin, account: Account, entry: Entry): Promise<SignedIn> {
  const { db, clock } = services;
  const { id: userId, role } = account;
  const session = await openSession(services, userId, origin);
  const organizationId = entry.current?.id ?? account.organizationId ?? PLATFORM_ORGANIZATION_ID;
  const mirrored = entry.current && role !== "super_admin" ? entry.current.role : role;
  await commit(
    db,
    [
      whileUnlocked(services, entry.counterKey),
      whileMayComeIn(services, account),
      session.statement,
      ...(entry.presented ? [closeSession(services, entry.presented)] : []),
      db
        .update(users)
        .set({
          lastLoginAt: clock.now(),
          ...(entry.current ? { organizationId: entry.current.id, role: mirrored, status: entry.current.status } : {}),
          ...(entry.rehashed ? { password: entry.rehashed } : {}),
        })
        .where(eq(users.id, userId)),
      forgetFailures(services, entry.counterKey),
      recordAudit(
        services,
        { userId, organizationId, origin },
        { action: "session.started", entityType: "user", entityId: userId },
      ),
    ],
    () => isOpen(services, session.sessionId),
  );
  return welcome(services, origin, session);
}

/** Refuses the batch if the password was changed, or the person shut out, while it was compared. */
function whileMayComeIn({ db }: Pick<Services, "db">, account: Account) {
  return precondition(
    db,
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(eq(users.id, account.id), eq(users.password, account.password), ne(users.status, "inactive"))),
  );
}

async function refuse(
  services: Needs,
  origin: Origin,
  counterKey: string,
  account: Account | undefined,
): Promise<AppError> {
  const acting = { userId: null, organizationId: PLATFORM_ORGANIZATION_ID, origin };
  const entityId = account?.id ?? "unknown";
  await services.db.batch([recordAudit(services, acting, { action: "session.refused", entityType: "user", entityId })]);
  await countFailure(services, counterKey);
  return invalidCredentials();
}

const invalidCredentials = () => new AppError("INVALID_CREDENTIALS", 401, WRONG_CREDENTIALS);

/** Signs a person out of this session. Signing out of a session that is over already changes nothing. */
export async function signOut(services: Pick<Services, "db" | "clock" | "ids">, person: Person): Promise<void> {
  const { userId, sessionId, origin } = person;
  const organizationId = person.organizationId ?? PLATFORM_ORGANIZATION_ID;
  await services.db.batch([
    closeSession(services, sessionId),
    recordAudit(
      services,
      { userId, organizationId, origin },
      { action: "session.ended", entityType: "user", entityId: userId },
    ),
  ]);
}
