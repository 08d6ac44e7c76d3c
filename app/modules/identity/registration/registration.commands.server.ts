import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isUniqueError } from "@db/errors";
import { users } from "@db/schema";
import type { Origin } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { ACCOUNT_EXISTS } from "~/kernel/messages";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import {
  findFirstAnswer,
  hashRequest,
  type IdempotentCall,
  isRepeatedCall,
  keepAnswer,
} from "~/modules/commands/idempotency.server";
import { jobIds, jobStatements } from "~/modules/notifications/notifications.statements.server";
import type { OrganizationName } from "~/modules/organizations/organization";
import { findOrganizationName } from "~/modules/organizations/organization.queries.server";
import { addMember, createOrganization } from "~/modules/organizations/organization.statements.server";
import type { Services } from "~/services";
import { findAccount } from "../account.queries.server";
import { queueConfirmation } from "../email/confirmation.statements.server";
import { requireUnknownPassword } from "../password/new-password.server";
import { isOpen, type SignedIn, welcome } from "../sessions/session.queries.server";
import { closeSession, openSession } from "../sessions/session.statements.server";
import { rememberDevice } from "../sign-in/device.statements.server";
import { withFreeUsername } from "./free-username.server";
import { type Registration, TRIAL_MS } from "./registration";

type Needs = Pick<
  Services,
  "db" | "clock" | "ids" | "secrets" | "passwords" | "breachedPasswords" | "queues" | "config"
>;

type Register = Registration & {
  /** The form's own id: sent twice, it is the same registration. */
  submissionId?: string;
  /** The session the request came with; registering ends it. */
  presentedSessionId?: string;
};

const ALREADY_SENT = "This form was already sent with another address. Reload the page to start again.";

/**
 * Registers a person and signs them in: account, organisation or membership, session, trail and the mail that asks them to
 * confirm the address, all or nothing.
 *
 * A new organisation makes its creator an active admin; joining one makes a pending member; neither leaves the choice for later.
 * @throws AppError 409 EMAIL_EXISTS with action LOGIN, 404 ORGANIZATION_NOT_FOUND, 400 for a password everybody knows
 */
export async function register(services: Needs, origin: Origin, input: Register): Promise<SignedIn> {
  await requireUnknownPassword(services, input.password);
  const joined = input.organizationId ? await findOrganizationName(services, input.organizationId) : undefined;
  const password = await services.passwords.hash(input.password);
  const call = input.submissionId ? await idempotentCall(services, input, input.submissionId) : undefined;
  const draft = await drawUp(services, origin, { ...input, password, joined, call });
  try {
    await withFreeUsername(services, input.email, (username) =>
      commit(services.db, draft.statements(username), () => isOpen(services, draft.session.sessionId)),
    );
  } catch (error) {
    if (isRepeatedCall(error)) throw new AppError("ALREADY_SENT", 409, ALREADY_SENT);
    if (!isUniqueError(error, "users.email")) throw error;
    const again = await repeat(services, origin, input, call);
    if (again) return again;
    throw new AppError("EMAIL_EXISTS", 409, ACCOUNT_EXISTS, { extra: { action: "LOGIN" } });
  }
  await services.queues.send("jobs", draft.jobIds);
  return welcome(services, origin, draft.session);
}

type Draft = {
  userId: string;
  session: { token: string; sessionId: string };
  jobIds: string[];
  /** Everything the registration writes, under a username that may still be taken. */
  statements: (username: string) => Statement[];
};

type Input = Omit<Register, "organizationId"> & { joined?: OrganizationName; call?: IdempotentCall };

async function drawUp(services: Needs, origin: Origin, input: Input): Promise<Draft> {
  const { db, clock, ids } = services;
  const { email, firstName, lastName, password, joined, call } = input;
  const now = clock.now();
  const userId = ids.next();
  const created = input.newOrganization && { id: ids.next(), ...input.newOrganization, trialEndsAt: now + TRIAL_MS };
  const organization = created ?? joined;
  const role = created ? ("admin" as const) : ("member" as const);
  const status = joined ? ("pending" as const) : ("active" as const);
  const acting = { userId, organizationId: organization?.id ?? PLATFORM_ORGANIZATION_ID, origin };
  const session = await openSession(services, userId, origin);
  const device = await rememberDevice(services, userId, origin);
  const mail = await queueConfirmation(services, {
    userId,
    email,
    firstName,
    lastName,
    organizationName: organization?.name ?? null,
    createdOrganizationId: created?.id ?? null,
  });
  const before = created ? [createOrganization(services, created)] : [];
  const after = [
    ...(organization ? [addMember(services, { organizationId: organization.id, userId, role, status })] : []),
    session.statement,
    device.statement,
    ...(input.presentedSessionId ? [closeSession(services, input.presentedSessionId)] : []),
    ...mail.statements,
    ...jobStatements(services, mail.jobs ?? []),
    ...(created
      ? [
          recordAudit(services, acting, {
            action: "organization.created",
            entityType: "organization",
            entityId: created.id,
            details: { name: created.name, abn: created.abn ?? null },
          }),
        ]
      : []),
    recordAudit(services, acting, {
      action: "user.registered",
      entityType: "user",
      entityId: userId,
      details: { role, status },
    }),
    ...(call ? [keepAnswer(services, call, { userId })] : []),
  ];
  const person = (username: string) =>
    db.insert(users).values({
      id: userId,
      username,
      password,
      email,
      firstName,
      lastName,
      role,
      status,
      organizationId: organization?.id ?? null,
      createdAt: now,
      updatedAt: now,
      lastLoginAt: now,
    });
  const statements = (username: string) => [...before, person(username), ...after];
  return { userId, session, jobIds: jobIds(mail.jobs ?? []), statements };
}

/** The password stays out of the digest: a fast digest of it would be worth guessing against. */
async function idempotentCall(services: Needs, input: Register, submissionId: string): Promise<IdempotentCall> {
  const { email, firstName, lastName, organizationId, newOrganization } = input;
  const asked = { email, firstName, lastName, organizationId, newOrganization };
  const requestHash = await hashRequest(services, "register", asked);
  return { organizationId: PLATFORM_ORGANIZATION_ID, key: `register:${submissionId}`, requestHash };
}

/** The same form sent twice, e.g. by a double click: signs in to what the first one registered, given its password. */
async function repeat(
  services: Needs,
  origin: Origin,
  input: Register,
  call: IdempotentCall | undefined,
): Promise<SignedIn | undefined> {
  if (!call) return undefined;
  const first = await findFirstAnswer<{ userId: string }>(services, call).catch(otherwiseFilledIn);
  const account = await findAccount(services, input.email);
  if (!first || first.userId !== account?.id || account.status === "inactive") return undefined;
  const { ok } = await services.passwords.verify(input.password, account.password);
  if (!ok) return undefined;
  const session = await openSession(services, account.id, origin);
  const organizationId = account.organizationId ?? PLATFORM_ORGANIZATION_ID;
  const acting = { userId: account.id, organizationId, origin };
  await commit(
    services.db,
    [
      session.statement,
      recordAudit(services, acting, { action: "session.started", entityType: "user", entityId: account.id }),
    ],
    () => isOpen(services, session.sessionId),
  );
  return welcome(services, origin, session);
}

/** The key was used for a registration with other details: this is not the same one. */
function otherwiseFilledIn(error: unknown): undefined {
  if (error instanceof AppError && error.code === "IDEMPOTENCY_CONFLICT") return undefined;
  throw error;
}
