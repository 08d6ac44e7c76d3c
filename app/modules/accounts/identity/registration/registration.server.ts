import { parseWithZod } from "@conform-to/zod/v4";
import * as z from "zod";
import type { Origin } from "~/kernel/actor";
import { AppError, invalidInput } from "~/kernel/app-error";
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
import { sayPlainly } from "~/kernel/plain-issues";
import { PLATFORM_ORGANIZATION_ID } from "~/kernel/platform";
import { getOrganizationName } from "~/modules/accounts/organizations/organization.server";
import { type IdempotentRequest, runOnce } from "~/modules/core/commands/idempotency.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { NotifyServices, Services } from "~/services";
import { accountIsUnchanged, findAccount } from "../account.server";
import { aboutUser, asAccountActor } from "../account-actor";
import { requireUnknownPassword } from "../password/new-password.server";
import { changedMeanwhile } from "../reauthenticate.server";
import { closeSession, openSession } from "../sessions/session.server";
import { getSignedIn, type SignedIn } from "../sessions/signed-in.server";
import { type BuiltRegistration, buildRegistration } from "./build-registration.server";
import { suggestUsernames } from "./free-username.server";
import type { Registration } from "./registration";

/** A new organisation: part of a registration, and a form of its own for people who belong to none. */
export const newOrganizationField = z.object({
  name: organizationNameField,
  abn: abnField,
});

const NOT_A_PERSON = { path: ["firstName"], error: INSTITUTION_NAME };

const NOT_CHOSEN = "Choose an organisation";
const chosenId = z.string({ error: NOT_CHOSEN }).min(1, { error: NOT_CHOSEN }).max(100, { error: NOT_CHOSEN });

const personFields = {
  email: emailField,
  firstName: firstNameField,
  lastName: lastNameField,
  password: newPasswordField,
};

/** POST /api/register, in both spellings. */
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
 * The registration form: what the call takes, and what only a form asks. `createOrganisation` tells which of the two ways
 * was chosen where the page offered both; without it, whatever was filled in is meant. Made for one posted form, so that
 * every field's sentence is shown at once.
 */
export function registrationFormSchema(form: FormData) {
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

/** What a posted registration form asks for. @throws AppError 400 with the sentences beside their fields */
export function parseRegistrationForm(form: FormData): Registration & { submissionId?: string } {
  const submission = parseWithZod(form, { schema: registrationFormSchema(form), error: sayPlainly });
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

type Registering = NotifyServices & Pick<Services, "passwords" | "breachedPasswords">;

type Register = Registration & {
  /** The form's own id: sent twice, it is the same registration. */
  submissionId?: string;
  /** The session the request came with; registering ends it. */
  presentedSessionId?: string;
};

const ALREADY_SENT = "This form was already sent with other details. Reload the page to start again.";

/**
 * Registers a person and signs them in: account, organisation or membership, session, audit entries and the email that
 * asks them to confirm the address, all or nothing.
 *
 * A new organisation makes its creator an active admin; joining one makes a pending member; neither leaves the choice for later.
 * @throws AppError 409 EMAIL_EXISTS with action LOGIN, 409 ALREADY_SENT, 404 ORGANIZATION_NOT_FOUND, 400 for a password
 * that attackers know
 */
export async function register(services: Registering, origin: Origin, input: Register): Promise<SignedIn> {
  await requireUnknownPassword(services, input.password);
  const { organizationId, password, ...person } = input;
  const joined = organizationId ? await getOrganizationName(services, organizationId) : undefined;
  const built = await buildRegistration(services, origin, {
    ...person,
    joined,
    passwordHash: await services.passwords.hash(password),
  });
  const { userId } = await writeOnce(services, input, (request) => writeRegistration(services, input, built, request));
  if (userId === built.userId) return getSignedIn(services, origin, built.session);
  return signInToFirst(services, origin, input, userId);
}

/** The password stays out of the digest of the request: a fast digest of it would be worth guessing against. */
async function writeOnce(
  services: Registering,
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
    throw new AppError("ALREADY_SENT", 409, ALREADY_SENT);
  }
}

async function writeRegistration(
  services: Registering,
  { email, presentedSessionId }: Register,
  { userId, acting, partFor, confirmation }: BuiltRegistration,
  request: IdempotentRequest | undefined,
): Promise<{ userId: string }> {
  for (const username of suggestUsernames(services, email)) {
    const result = await runCommand(services, acting, {
      uniques: { username_taken: "users.username", email_taken: "users.email" },
      parts: [partFor(username), confirmation],
      statements: presentedSessionId ? [closeSession(services, presentedSessionId)] : [],
      request,
      answer: { userId },
    });
    if (result.ok) return result.answer;
    if (result.refused === "email_taken") throw accountExists();
  }
  throw changedMeanwhile();
}

const accountExists = () => new AppError("EMAIL_EXISTS", 409, ACCOUNT_EXISTS, { extra: { action: "LOGIN" } });

/** The same form sent twice, e.g. by a double click: signs in to the account that the first one made, given its password. */
async function signInToFirst(
  services: Registering,
  origin: Origin,
  { email, password }: Register,
  userId: string,
): Promise<SignedIn> {
  const account = await findAccount(services, email);
  if (!account || account.id !== userId || account.twoStep) throw accountExists();
  const { ok: isRight } = await services.passwords.verify(password, account.password);
  if (!isRight || account.status === "inactive") throw accountExists();
  const { statement, ...session } = await openSession(services, userId, origin);
  const { ok } = await runCommand(services, asAccountActor({ ...account, userId, origin }), {
    conditions: [accountIsUnchanged(services, account)],
    statements: [statement],
    audit: [{ action: "session.started", ...aboutUser(userId) }],
    answer: undefined,
  });
  if (!ok) throw changedMeanwhile();
  return getSignedIn(services, origin, session);
}
