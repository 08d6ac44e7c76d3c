import { parseWithZod } from "@conform-to/zod/v4";
import { users } from "@db/database";
import { isUniqueError } from "@db/errors";
import * as z from "zod";
import { AppError, invalidInput } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import {
  abnField,
  confirmationField,
  emailField,
  firstNameField,
  INSTITUTION_NAME,
  isPersonName,
  lastNameField,
  newPasswordField,
  optionalId,
  organizationNameField,
} from "~/kernel/fields.schema.server";
import { ACCOUNT_EXISTS } from "~/kernel/messages";
import { plainWords } from "~/kernel/plain-issues";
import { initialName } from "~/modules/accounts/organizations/name-requests.server";
import type { OrganizationName } from "~/modules/accounts/organizations/organization";
import {
  addMember,
  createOrganization,
  getOrganizationName,
} from "~/modules/accounts/organizations/organization.server";
import { requireNoProvider } from "~/modules/accounts/single-sign-on/provider-rule.server";
import {
  type Acting,
  type CommandAudit,
  type CommandPart,
  type IdempotentRequest,
  runCommand,
  runOnce,
} from "~/modules/core/commands/run-command.server";
import { type Origin, PLATFORM_ORGANIZATION_ID, type Services, type WriteServices } from "~/services-and-actor";
import { aboutUser, accountIsUnchanged, asAccountActor, findAccount } from "./account.server";
import { queueConfirmation } from "./confirmation.server";
import { requireUnknownPassword } from "./password.server";
import { changedMeanwhile } from "./proof.server";
import { closeSession, getSignedIn, openSession, rememberDevice, type SignedIn } from "./session.server";

export type NewOrganization = { name: string; abn?: string };

/** The data that a person registers with, normalised. Without an organisation of either kind, they choose one later. */
export type Registration = {
  email: string;
  firstName: string;
  /** Empty when not given. */
  lastName: string;
  password: string;
  /** The organisation to join. */
  organizationId?: string;
  /** Or the organisation to create. */
  newOrganization?: NewOrganization;
};

/** How long a new organisation may use everything without paying. */
export const TRIAL_MS = 14 * DAY_MS;

/** A new organisation: part of a registration, and a separate form for people without one. */
export const newOrganizationField = z.object({ name: organizationNameField, abn: abnField });

const NOT_A_PERSON = { path: ["firstName"], error: INSTITUTION_NAME };

const NOT_CHOSEN = "Choose an organisation";
const chosenId = z.string({ error: NOT_CHOSEN }).min(1, { error: NOT_CHOSEN }).max(100, { error: NOT_CHOSEN });

const personFields = {
  email: emailField,
  firstName: firstNameField,
  lastName: lastNameField,
  password: newPasswordField,
};

/** POST /api/register, with both spellings of its fields. */
export const registrationCallSchema: z.ZodType<Registration> = z
  .object({
    ...personFields,
    organisationId: optionalId,
    organizationId: optionalId,
    newOrganisation: newOrganizationField.nullish(),
    newOrganization: newOrganizationField.nullish(),
  })
  .refine(isPersonName, NOT_A_PERSON)
  .transform(({ organisationId, organizationId, newOrganisation, newOrganization, ...person }) => ({
    ...person,
    organizationId: organisationId ?? organizationId,
    newOrganization: newOrganisation ?? newOrganization ?? undefined,
  }))
  .refine(({ organizationId, newOrganization }) => !(organizationId && newOrganization), {
    path: ["organisationId"],
    error: "Join an organisation or create one, not both",
  });

/**
 * The registration form: the fields of the API call, and those that only a form has. `createOrganisation` says which of
 * two options was chosen when the page offered both; without it, whatever was filled in counts. Created for one posted
 * form, so that every field's sentence is shown at once.
 */
function registrationFormSchema(form: FormData) {
  const choice = form.get("createOrganisation");
  const joins = choice === "false" || (choice !== "true" && Boolean(form.get("organisationId")));
  const fields = z.object({
    ...personFields,
    confirmPassword: confirmationField(form.get("password")),
    organisationId: joins ? chosenId : z.undefined().catch(undefined),
    newOrganisation: joins
      ? z.undefined().catch(undefined)
      : z.preprocess((fields) => fields ?? {}, newOrganizationField),
    acceptTerms: z.enum(["on", "true"], { error: "You must accept the Terms and Conditions to register" }),
    submissionId: z.uuid().optional(),
  });
  return fields.refine(isPersonName, NOT_A_PERSON);
}

/** Parses a posted registration form. @throws AppError 400 with the sentences beside their fields */
export function parseRegistrationForm(form: FormData): Registration & { submissionId?: string } {
  const submission = parseWithZod(form, { schema: registrationFormSchema(form), error: plainWords });
  if (submission.status !== "success") {
    const errors = Object.entries(submission.error ?? {}).filter((entry): entry is [string, string[]] => !!entry[1]);
    throw invalidInput(Object.fromEntries(errors));
  }
  const { email, firstName, lastName, password, organisationId, newOrganisation, submissionId } = submission.value;
  return {
    email,
    firstName,
    lastName,
    password,
    submissionId,
    organizationId: organisationId,
    newOrganization: newOrganisation,
  };
}

type Register = Registration & {
  /** The form's id: if it is sent twice, it is the same registration. */
  submissionId?: string;
  /** The request's session; registering ends it. */
  presentedSessionId?: string;
};

const ALREADY_SENT = "This form was already sent with different details. Reload the page to start again.";

/**
 * Registers a person and signs them in: account, organisation or membership, session, audit entries and the
 * confirmation email, all or nothing.
 *
 * Creating an organisation makes the person its active admin; joining one makes them a pending member; with neither,
 * they choose later.
 * @throws AppError 409 EMAIL_EXISTS with action LOGIN, 409 ALREADY_SENT, 404 ORGANIZATION_NOT_FOUND, 403
 * PROVIDER_REQUIRED, 400 for a common or breached password
 */
export async function register(services: Services, origin: Origin, input: Register): Promise<SignedIn> {
  await requireUnknownPassword(services, input.password);
  const { organizationId, password, ...person } = input;
  const joined = organizationId ? await getOrganizationName(services, organizationId) : undefined;
  if (joined) await requireNoProvider(services, joined.id, person);
  const built = await buildRegistration(services, origin, {
    ...person,
    joined,
    passwordHash: await services.passwords.hash(password),
  });
  const { userId } = await writeOnce(services, input, (request) => writeRegistration(services, input, built, request));
  if (userId === built.userId) return getSignedIn(services, origin, built.session);
  return signInToFirst(services, origin, input, userId);
}

/** The password is not part of the request's digest, because a fast digest of it would help attackers guess it. */
async function writeOnce(
  services: Services,
  { email, firstName, lastName, organizationId, newOrganization, submissionId }: Register,
  write: (request: IdempotentRequest | undefined) => Promise<{ userId: string }>,
): Promise<{ userId: string }> {
  const key = submissionId && `register:${submissionId}`;
  const input = { email, firstName, lastName, organizationId, newOrganization };
  const nobody = { userId: null, organizationId: PLATFORM_ORGANIZATION_ID };
  try {
    return await runOnce(services, nobody, { operation: "register", key, input }, write);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "IDEMPOTENCY_CONFLICT")) throw error;
    if (await findAccount(services, email)) throw accountExists();
    throw new AppError("ALREADY_SENT", ALREADY_SENT);
  }
}

async function writeRegistration(
  services: Services,
  { email, presentedSessionId }: Register,
  { userId, acting, partFor, confirmation, naming }: BuiltRegistration,
  request: IdempotentRequest | undefined,
): Promise<{ userId: string }> {
  for (const username of suggestUsernames(services, email)) {
    const result = await runCommand(services, acting, {
      uniques: { username_taken: "users.username", email_taken: "users.email" },
      parts: [partFor(username), ...naming, confirmation],
      statements: presentedSessionId ? [closeSession(services, presentedSessionId)] : [],
      request,
      answer: { userId },
    });
    if (result.ok) return result.answer;
    if (result.refused === "email_taken") throw accountExists();
  }
  throw changedMeanwhile();
}

const accountExists = () => new AppError("EMAIL_EXISTS", ACCOUNT_EXISTS, { extra: { action: "LOGIN" } });

/** The same form sent twice, e.g. by a double click: signs in to the first one's account, if the password matches. */
async function signInToFirst(services: Services, origin: Origin, { email, password }: Register, userId: string) {
  const account = await findAccount(services, email);
  if (!account || account.id !== userId || account.twoStep) throw accountExists();
  const { ok: isRight } = await services.passwords.verify(password, account.password);
  if (!isRight || account.status === "inactive") throw accountExists();
  const { statement, ...session } = await openSession(services, userId, origin, { signInMethod: "password" });
  const { ok } = await runCommand(services, asAccountActor({ ...account, userId, origin }), {
    conditions: [accountIsUnchanged(services, account)],
    statements: [statement],
    audit: [{ action: "session.started", ...aboutUser(userId) }],
  });
  if (!ok) throw changedMeanwhile();
  return getSignedIn(services, origin, session);
}

/** A registration with its password hashed and its organisation looked up. */
type CheckedRegistration = Omit<Registration, "password" | "organizationId"> & {
  passwordHash: string;
  /** The organisation to join. */
  joined?: OrganizationName;
};

/** Everything that registering writes; the username is chosen last, because it may be taken. */
type BuiltRegistration = {
  userId: string;
  acting: Acting;
  session: { token: string; sessionId: string };
  partFor(username: string): CommandPart;
  confirmation: CommandPart;
  /** The request for a name that needs approval; empty for nearly every name. */
  naming: readonly CommandPart[];
};

/** The organisation that a registration creates, and the approval that its name needs. */
async function prepareCreation(
  services: Services,
  { userId, firstName, newOrganization }: { userId: string; firstName: string; newOrganization?: NewOrganization },
  trialEndsAt: number,
) {
  if (!newOrganization) return { naming: [] };
  const id = services.ids.next();
  const named = { organizationId: id, userId, firstName, name: newOrganization.name };
  const { name, part } = await initialName(services, named);
  return { created: { id, ...newOrganization, name, trialEndsAt }, naming: part ? [part] : [] };
}

/** Account, organisation or membership, session, known device and audit entries of a registration. */
async function buildRegistration(
  services: Services,
  origin: Origin,
  input: CheckedRegistration,
): Promise<BuiltRegistration> {
  const { clock, ids } = services;
  const { email, firstName, lastName, joined } = input;
  const userId = ids.next();
  const trialEndsAt = clock.now() + TRIAL_MS;
  const { created, naming } = await prepareCreation(services, { userId, ...input }, trialEndsAt);
  const organization = created ?? joined;
  const place = {
    organizationId: organization?.id ?? null,
    role: created ? ("admin" as const) : ("member" as const),
    status: joined ? ("pending" as const) : ("active" as const),
  };
  const { statement: sessionRow, ...session } = await openSession(services, userId, origin, {
    signInMethod: "password",
  });
  const device = await rememberDevice(services, userId, origin);
  const confirmation = await queueConfirmation(services, {
    userId,
    email,
    firstName,
    lastName,
    organizationName: organization?.name ?? null,
    createdOrganizationId: created?.id ?? null,
  });
  return {
    userId,
    acting: { userId, organizationId: organization?.id ?? PLATFORM_ORGANIZATION_ID, origin },
    session,
    confirmation,
    naming,
    partFor: (username) => ({
      statements: [
        ...(created ? [createOrganization(services, created)] : []),
        insertPerson(services, input, { id: userId, username, ...place }),
        ...(organization ? [addMember(services, { ...place, organizationId: organization.id, userId })] : []),
        sessionRow,
        device.statement,
      ],
      audit: auditRegistration(userId, place, created),
    }),
  };
}

type Place = Pick<typeof users.$inferInsert, "id" | "username" | "organizationId" | "role" | "status">;

function insertPerson({ db, clock }: WriteServices, input: CheckedRegistration, place: Place) {
  const { email, firstName, lastName, passwordHash } = input;
  const now = clock.now();
  const person = { email, firstName, lastName, password: passwordHash, reviewKeys: true };
  return db.insert(users).values({ ...person, ...place, createdAt: now, updatedAt: now, lastLoginAt: now });
}

function auditRegistration(
  userId: string,
  { role, status }: Pick<Place, "role" | "status">,
  created: { id: string; name: string; abn?: string } | undefined,
): CommandAudit[] {
  const registered: CommandAudit = { action: "user.registered", ...aboutUser(userId), details: { role, status } };
  if (!created) return [registered];
  const { id, name, abn = null } = created;
  return [{ action: "organization.created", entityId: id, details: { name, abn } }, registered];
}

const MAX_LENGTH = 40;
const SUFFIX_LENGTH = 4;

/** The username suggested by an address: its local part, with unusual characters replaced. */
export function usernameFrom(email: string): string {
  const localPart = email.slice(0, Math.max(email.lastIndexOf("@"), 0)).toLowerCase();
  const plain = localPart.replace(/[^a-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "");
  return plain.slice(0, MAX_LENGTH) || "person";
}

/** Another username when the suggested one is taken. @param randomText a fresh secret, for the suffix */
export function usernameWithSuffix(username: string, randomText: string): string {
  const suffix = randomText
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .slice(0, SUFFIX_LENGTH);
  return `${username.slice(0, MAX_LENGTH - SUFFIX_LENGTH - 1)}-${suffix}`;
}

/** This many people may want the same username at the same moment. */
const TRIES = 8;

/** The username that an address suggests, then alternatives to try while they are taken. */
function* suggestUsernames({ ids }: Services, email: string): Generator<string> {
  const suggested = usernameFrom(email);
  yield suggested;
  for (let attempt = 1; attempt < TRIES; attempt++) yield usernameWithSuffix(suggested, ids.secret());
}

/** Writes a new person with the first suggested username that is free. */
export async function withFreeUsername(services: Services, email: string, write: (username: string) => Promise<void>) {
  let taken: unknown;
  for (const username of suggestUsernames(services, email)) {
    try {
      return await write(username);
    } catch (error) {
      if (!isUniqueError(error, "users.username")) throw error;
      taken = error;
    }
  }
  throw taken;
}
