import { type Condition, providerPeople, rowIn, type Statement, singleSignOn, users } from "@db/database";
import { and, eq, isNull } from "drizzle-orm";
import * as z from "zod";
import { REFUSALS } from "~/kernel/access";
import { AppError, invalidInput, OUTAGES, UpstreamError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";
import { emailDomain, isEmail, normalizeEmail } from "~/kernel/email";
import { currentPasswordField, emailField } from "~/kernel/fields.schema.server";
import { companyReturnUrl } from "~/kernel/paths/site";
import {
  type Account,
  aboutUser,
  findAccount,
  findAccountById,
  findMembership,
} from "~/modules/accounts/identity/account.server";
import { spendChallenge } from "~/modules/accounts/identity/passkey-assertion.server";
import { findPersonBySession } from "~/modules/accounts/identity/person.server";
import { requireCode, requirePassword } from "~/modules/accounts/identity/proof.server";
import { type SignedIn, VOUCHED_MS } from "~/modules/accounts/identity/session.server";
import { signInVouched } from "~/modules/accounts/identity/sign-in-steps.server";
import { type CommandPart, runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { NotSignedIn, type ProviderAnswer } from "~/ports/identity-provider";
import type { Actor, Origin, ReadServices, Services, Vouched } from "~/services-and-actor";
import { joinByProvider, signInNewcomer } from "./newcomer.server";
import { findProviderOf, hasSoleClaim, isSoleClaim } from "./provider-rule.server";
import {
  findSettings,
  openClient,
  type ProviderSettings,
  providerProblemSentence,
  settingsAreUnchanged,
} from "./settings.server";

/** How long a sign-in at the provider may take, and how long a person then has to sign in here for linking. */
export const BEGUN_TTL_MS = 10 * MINUTE_MS;

/** A sign-in that a browser started at a provider: the browser keeps it, encrypted, and it can be used once. */
export const begunSchema = z.object({
  organizationId: z.string(),
  /** The version of the settings at the start. */
  version: z.number(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  purpose: z.enum(["sign_in", "renew", "test"]),
  /** The page that the person wanted. */
  next: z.string().nullable(),
  /** The provider's address to send the browser to. */
  address: z.string(),
  issuedAt: z.number(),
  /** For a test: the administrator who runs it. */
  userId: z.string().optional(),
});
export type Begun = z.infer<typeof begunSchema>;

export const companyEmailSchema = z.object({ email: emailField });

type Beginning = Pick<Begun, "purpose" | "next" | "userId"> & { email?: string; silently?: boolean };

const unavailable = (error: unknown) =>
  new AppError(
    "UPSTREAM_UNAVAILABLE",
    "Your company's sign-in does not answer. Try again in a few minutes, or ask your administrator.",
    { cause: error },
  );

async function begin(services: Services, settings: ProviderSettings, beginning: Beginning): Promise<Begun> {
  const { ids, clock, config, identityProvider } = services;
  const { organizationId, issuer, clientId, updatedAt } = settings;
  const { purpose, next, userId, email, silently = false } = beginning;
  const secrets = { state: ids.secret(), nonce: ids.secret(), codeVerifier: ids.secret() };
  const returnUrl = companyReturnUrl(config.appOrigin, organizationId);
  const address = await identityProvider
    .signInUrl({ issuer, clientId }, { ...secrets, returnUrl }, { silently, email })
    .catch((error: unknown) => {
      if (error instanceof UpstreamError || error instanceof NotSignedIn) throw unavailable(error);
      throw error;
    });
  return { organizationId, version: updatedAt, ...secrets, purpose, next, address, issuedAt: clock.now(), userId };
}

/**
 * Starts a sign-in at the provider for people with this address.
 * @throws AppError 400 beside `email` when there is none, 503 UPSTREAM_UNAVAILABLE
 */
export async function beginCompanySignIn(services: Services, { email, next }: { email: string; next: string | null }) {
  const domain = emailDomain(email);
  const provider = await findProviderOf(services, domain);
  const settings = provider && (await findSettings(services, provider.organizationId));
  if (!settings) {
    throw invalidInput({ email: [`No organisation has set up a sign-in of its own for addresses at ${domain}.`] });
  }
  return begin(services, settings, { purpose: "sign_in", next, email });
}

/**
 * The person behind a session that a provider vouched for, even if the vouching has expired; undefined for other
 * sessions, and past the idle limit.
 */
export async function findVouchedSession(services: Services, origin: Origin, sessionId: string) {
  const found = await findPersonBySession(services, sessionId, origin, { evenOver: true });
  const { person } = found ?? {};
  return person?.vouchedBy && { ...person, organizationId: person.vouchedBy.organizationId };
}

type VouchedSession = NonNullable<Awaited<ReturnType<typeof findVouchedSession>>>;

/**
 * Asks the provider again about a person whose session needs renewal.
 * @param options.silently without asking the person anything
 * @returns undefined if the organisation no longer has such a sign-in
 */
export async function beginRenewal(
  services: Services,
  session: VouchedSession,
  { next, silently }: { next: string | null; silently: boolean },
): Promise<Begun | undefined> {
  const settings = await findSettings(services, session.organizationId);
  if (!settings || settings.mode === "off") return undefined;
  // If the person is asked, the provider's answer is final; asking once more would give the same.
  return begin(services, settings, { purpose: silently ? "renew" : "sign_in", next, silently, email: session.email });
}

/** Starts a test sign-in at the provider for an administrator. @throws AppError 404, 503 UPSTREAM_UNAVAILABLE */
export async function beginTest(services: Services, actor: Actor): Promise<Begun> {
  const settings = await findSettings(services, actor.organizationId);
  if (!settings) throw new AppError("NOT_FOUND", "Not found");
  return begin(services, settings, { purpose: "test", next: null, userId: actor.userId, email: actor.email });
}

export const notBegun = () =>
  new AppError(
    "SIGN_IN_EXPIRED",
    "This browser did not begin this sign-in, or began it too long ago. Please start again.",
  );

type Returned = {
  begun: Begun | null;
  /** From the address that the provider sent the browser back to. */
  organizationId: string;
  query: URLSearchParams;
  /** From the session cookie, whether or not the session still exists. */
  presentedSessionId?: string;
  /** The signed-in person, for a test. */
  person: Actor | null;
};

/** The result: signed in, tested, or a person who still has to prove once that an account is theirs. */
type Outcome = { signedIn: SignedIn } | { ticket: LinkTicket } | { tested: string };

/**
 * Handles a browser that returns from the provider.
 * @throws AppError 401 SIGN_IN_EXPIRED, PROVIDER_REFUSED, 503 UPSTREAM_UNAVAILABLE; TotpRequired; NotSignedIn when a
 * silent renewal is not possible
 */
export async function finishCompanySignIn(services: Services, origin: Origin, returned: Returned): Promise<Outcome> {
  const { begun, organizationId, query, presentedSessionId, person } = returned;
  const isOver = !begun || begun.issuedAt + BEGUN_TTL_MS <= services.clock.now();
  if (isOver || begun.organizationId !== organizationId) throw notBegun();
  const settings = await findSettings(services, organizationId);
  const isClosed = begun.purpose !== "test" && settings?.mode === "off";
  if (!settings || settings.updatedAt !== begun.version || isClosed) throw notBegun();
  await spend(services, begun);
  const answer = await readAnswer(services, origin, { settings, begun, query });
  if (begun.purpose === "test") return { tested: await finishTest(services, { settings, begun, answer, person }) };
  const previous = presentedSessionId ? await findVouchedSession(services, origin, presentedSessionId) : undefined;
  const isRenewal = begun.purpose === "renew";
  return admit(services, origin, { settings, answer, next: begun.next, presentedSessionId, previous, isRenewal });
}

/** Marks the sign-in as returned, which is possible once. */
async function spend(services: Services, { state, issuedAt }: Begun): Promise<void> {
  const { condition, statement } = await spendChallenge(services, { challenge: state, issuedAt });
  const { ok } = await runStep(services, { conditions: [condition], statements: [statement], evenOnHold: true });
  if (!ok) throw notBegun();
}

type Reading = { settings: ProviderSettings; begun: Begun; query: URLSearchParams };

async function readAnswer(services: Services, origin: Origin, { settings, begun, query }: Reading) {
  const { state, nonce, codeVerifier, purpose, organizationId } = begun;
  const returnUrl = companyReturnUrl(services.config.appOrigin, organizationId);
  try {
    const client = await openClient(services, settings);
    return await services.identityProvider.readAnswer(client, { state, nonce, codeVerifier, returnUrl }, query);
  } catch (error) {
    if (error instanceof UpstreamError && OUTAGES.has(error.kind)) throw unavailable(error);
    if (error instanceof NotSignedIn && error.reason === "asks_person" && purpose === "renew") throw error;
    const why = providerProblemSentence(error);
    const sentence =
      purpose === "test" ? why : "Your company's sign-in did not let you in. Start again, or ask your administrator.";
    throw await refuse(services, origin, { organizationId, why, sentence });
  }
}

/** Records the refusal for the organisation's administrators. @returns what to throw */
async function refuse(
  services: Services,
  origin: Origin,
  { organizationId, why, sentence }: { organizationId: string; why: string; sentence: string },
): Promise<AppError> {
  const acting = { userId: null, organizationId, origin };
  const about = { entityType: "organization", entityId: organizationId } as const;
  await runCommand(services, acting, {
    audit: [{ action: "session.vouched_refused", ...about, details: { why: why.slice(0, 200) } }],
    evenOnHold: true,
  });
  return new AppError("PROVIDER_REFUSED", sentence);
}

/** Why the provider's statement about an address cannot link anybody; undefined when it can. */
async function findProblem(services: Services, organizationId: string, answer: ProviderAnswer) {
  if (answer.email === null || !isEmail(normalizeEmail(answer.email))) {
    return "Your company's provider does not say what your email address is. Your administrator has to let it send the address.";
  }
  const email = normalizeEmail(answer.email);
  if (!answer.isEmailVerified) {
    return `Your company's provider does not say that ${email} is verified as yours. Your administrator has to let it say so.`;
  }
  if (!(await hasSoleClaim(services, organizationId, email))) {
    return `${emailDomain(email)} does not belong to your organisation alone, so its provider cannot open an account with this address.`;
  }
  return undefined;
}

type Admitting = {
  settings: ProviderSettings;
  answer: ProviderAnswer;
  next: string | null;
  presentedSessionId?: string;
  previous?: VouchedSession;
  /** The renewal was silent. */
  isRenewal: boolean;
};

/** Finds the person by the linked subject, never by the address, which only serves for somebody new here. */
async function admit(services: Services, origin: Origin, admitting: Admitting): Promise<Outcome> {
  const { settings, answer, next, presentedSessionId } = admitting;
  const { organizationId, issuer } = settings;
  const linkedId = await findLinked(services, settings, answer.subject);
  const linked = linkedId && (await findAccountById(services, linkedId));
  if (linked) return { signedIn: await enter(services, origin, linked, admitting) };

  const why = await findProblem(services, organizationId, answer);
  if (why) throw await refuse(services, origin, { organizationId, why, sentence: why });
  const email = normalizeEmail(answer.email ?? "");
  const account = await findAccount(services, email);
  const vouchedBy = vouch(services, settings);
  if (!account) {
    const newcomer = { settings, answer, email, vouchedBy, presentedSessionId };
    return { signedIn: await signInNewcomer(services, origin, newcomer) };
  }
  if (await isUnused(services, organizationId, account.id)) {
    const part = link(services, { settings, userId: account.id, subject: answer.subject, email });
    return { signedIn: await enter(services, origin, account, admitting, part) };
  }
  const { subject, usedTwoFactors } = answer;
  const issuedAt = services.clock.now();
  const asked = { userId: account.id, email, asksCode: account.twoStep !== null };
  return {
    ticket: { organizationId, version: settings.updatedAt, issuer, subject, usedTwoFactors, next, issuedAt, ...asked },
  };
}

const vouch = ({ clock }: Services, { organizationId }: ProviderSettings): Vouched => ({
  organizationId,
  until: clock.now() + VOUCHED_MS,
});

/** The person whom the organisation linked with this subject of its provider. */
async function findLinked({ db }: ReadServices, { organizationId, issuer }: ProviderSettings, subject: string) {
  const [row] = await db
    .select({ userId: providerPeople.userId })
    .from(providerPeople)
    .where(
      and(
        eq(providerPeople.organizationId, organizationId),
        eq(providerPeople.issuer, issuer),
        eq(providerPeople.subject, subject),
      ),
    );
  return row?.userId;
}

/** True if the directory created the account and nobody ever signed in to it: no other sign-in can be asked for. */
async function isUnused({ db }: ReadServices, organizationId: string, userId: string): Promise<boolean> {
  const rows = await rowIn(db, providerPeople)
    .innerJoin(users, eq(users.id, providerPeople.userId))
    .where(
      and(
        eq(providerPeople.organizationId, organizationId),
        eq(providerPeople.userId, userId),
        eq(providerPeople.isMadeHere, true),
        isNull(providerPeople.subject),
        isNull(users.lastLoginAt),
        isNull(users.emailVerifiedAt),
      ),
    );
  return rows.length > 0;
}

type Linking = { settings: ProviderSettings; userId: string; subject: string; email: string };
type Part = CommandPart & { conditions: readonly Condition[] };

/** Links an account with a subject of the provider, which from now on identifies the person instead of the address. */
function link(services: Services, { settings, userId, subject, email }: Linking): Part {
  const { db, clock, ids } = services;
  const { organizationId, issuer } = settings;
  const now = clock.now();
  const linked = { issuer, subject, lastSignInAt: now, removedAt: null };
  const sole = isSoleClaim(organizationId, emailDomain(email));
  const sameAddress = rowIn(db, users).where(and(eq(users.id, userId), eq(users.email, email)));
  return {
    conditions: [
      settingsAreUnchanged(services, settings),
      { name: "domain_changed", found: sole },
      { name: "address_changed", found: sameAddress },
    ],
    statements: [
      db
        .insert(providerPeople)
        .values({ id: ids.next(), organizationId, userId, createdAt: now, ...linked })
        .onConflictDoUpdate({ target: [providerPeople.organizationId, providerPeople.userId], set: linked }),
    ],
    audit: [{ action: "user.provider_linked", ...aboutUser(userId), details: { email } }],
  };
}

/** Requires a person whom the provider may sign in: an active member who is not one of our own staff. */
async function requireMembership(services: Services, origin: Origin, organizationId: string, account: Account) {
  const membership = await findMembership(services, organizationId, account.id);
  const refused = (sentence: string) => refuse(services, origin, { organizationId, why: sentence, sentence });
  if (account.role === "super_admin") throw await refused("PayeeProof's own staff sign in with their password.");
  if (!membership) throw await refused("Your organisation has ended your access.");
  const closed = REFUSALS[membership.status];
  if (closed) throw await refused(closed.message);
  return { id: organizationId, ...membership };
}

async function enter(services: Services, origin: Origin, account: Account, admitting: Admitting, part?: Part) {
  const { settings, answer, presentedSessionId, previous } = admitting;
  const { organizationId } = settings;
  const current = await requireMembership(services, origin, organizationId, account);
  const isSame = previous?.userId === account.id && previous.organizationId === organizationId;
  return signInVouched(services, origin, {
    account,
    vouchedBy: vouch(services, settings),
    current,
    hasTakenTwoSteps: answer.usedTwoFactors,
    isRenewal: admitting.isRenewal,
    carriedOn: isSame ? previous : undefined,
    part: part ?? {
      conditions: [settingsAreUnchanged(services, settings)],
      statements: [seen(services, organizationId, account.id)],
    },
    presentedSessionId,
  });
}

const seen = ({ db, clock }: Services, organizationId: string, userId: string): Statement =>
  db
    .update(providerPeople)
    .set({ lastSignInAt: clock.now() })
    .where(and(eq(providerPeople.organizationId, organizationId), eq(providerPeople.userId, userId)));

/**
 * A person who came from the provider with the address of an existing account: the browser keeps this, encrypted, until
 * they prove that it is theirs.
 */
export const linkTicketSchema = z.object({
  organizationId: z.string(),
  version: z.number(),
  issuer: z.string(),
  subject: z.string(),
  usedTwoFactors: z.boolean(),
  userId: z.string(),
  email: z.string(),
  asksCode: z.boolean(),
  next: z.string().nullable(),
  issuedAt: z.number(),
});
export type LinkTicket = z.infer<typeof linkTicketSchema>;

export const linkSchema = z.object({ password: currentPasswordField, code: z.string().trim().max(100).optional() });

/**
 * Links an existing account after its person has signed in as they did before, and signs them in. Somebody who does not
 * belong to the organisation joins it as a newcomer.
 * @throws AppError 400 beside `password` or `code`, 401 SIGN_IN_EXPIRED, PROVIDER_REFUSED, 429 SIGN_IN_LOCKED
 */
export async function linkAccount(
  services: Services,
  origin: Origin,
  ticket: LinkTicket,
  given: z.infer<typeof linkSchema> & { presentedSessionId?: string },
): Promise<SignedIn> {
  const { organizationId, userId, email, subject } = ticket;
  const settings = await findSettings(services, organizationId);
  const isOver = ticket.issuedAt + BEGUN_TTL_MS <= services.clock.now();
  if (isOver || !settings || settings.updatedAt !== ticket.version || settings.mode === "off") throw notBegun();
  const says = { field: "password", wrong: "This is not the password of this account" };
  const proof = await requirePassword(services, { userId, email }, given.password, says);
  const { account } = proof;
  if (account.twoStep && !given.code) throw invalidInput({ code: ["Enter the code"] });
  const second = account.twoStep && (await requireCode(services, userId, account.twoStep, given.code ?? ""));
  const joining = await joinByProvider(services, settings, account);
  const current = joining?.current ?? (await requireMembership(services, origin, organizationId, account));
  if (account.role === "super_admin") await requireMembership(services, origin, organizationId, account);
  const linking = link(services, { settings, userId, subject, email });
  const proven = { ...proof, conditions: proof.conditions.filter(({ name }) => name !== "account_changed") };
  const parts = [linking, proven, second, joining].filter((part) => part != null);
  return signInVouched(services, origin, {
    account,
    vouchedBy: vouch(services, settings),
    current,
    hasTakenTwoSteps: ticket.usedTwoFactors || second !== null,
    part: {
      conditions: parts.flatMap(({ conditions }) => conditions),
      statements: parts.flatMap(({ statements }) => statements ?? []),
      audit: [...(linking.audit ?? []), ...(joining?.audit ?? [])],
    },
    presentedSessionId: given.presentedSessionId,
  });
}

type Testing = { settings: ProviderSettings; begun: Begun; answer: ProviderAnswer; person: Actor | null };

/** Completes the administrator's test sign-in, which must meet every requirement of linking. It links their account. */
async function finishTest(services: Services, { settings, begun, answer, person }: Testing): Promise<string> {
  const { db, clock } = services;
  const { organizationId } = settings;
  if (!person || person.userId !== begun.userId || person.organizationId !== organizationId) throw notBegun();
  const refused = (sentence: string) => new AppError("PROVIDER_REFUSED", sentence);
  const why = await findProblem(services, organizationId, answer);
  if (why) throw refused(why);
  const email = normalizeEmail(answer.email ?? "");
  if (email !== person.email) {
    throw refused(
      `The provider signed in ${email}, and your account here is ${person.email}. Test with an account that has the same email address in both.`,
    );
  }
  const linking = link(services, { settings, userId: person.userId, subject: answer.subject, email });
  const result = await runCommand(services, person, {
    conditions: linking.conditions,
    uniques: { linked_to_another: "provider_people" },
    statements: [
      ...linking.statements,
      db.update(singleSignOn).set({ testedAt: clock.now() }).where(eq(singleSignOn.organizationId, organizationId)),
    ],
    audit: [
      { action: "organization.provider_tested", entityId: organizationId, details: { email } },
      ...(linking.audit ?? []),
    ],
    answer: email,
  });
  if (result.ok) return result.answer;
  if (result.refused === "linked_to_another") {
    throw refused("This person at the provider is already linked to another account here.");
  }
  throw notBegun();
}
