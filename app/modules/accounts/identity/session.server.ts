import { columnsOf, knownDevices, rowIn, type Statement, sessions } from "@db/database";
import { and, desc, eq, gt, ne } from "drizzle-orm";
import { AppError, notFound } from "~/kernel/app-error";
import { DAY_MS, formatDateTime, formatRelative, HOUR_MS, toIso } from "~/kernel/dates";
import { ipv6Groups } from "~/kernel/ip-address";
import { appPaths } from "~/kernel/paths/app";
import { type NewJob, runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type {
  Origin,
  Person,
  ReadServices,
  Services,
  SessionOrigin,
  TimedServices,
  WriteServices,
} from "~/services-and-actor";
import { type Account, aboutUser, asAccountActor, closeAllSessions } from "./account.server";
import { findPersonBySession, idleMs } from "./person.server";

/** A session ends this long after sign-in in any case. */
const SESSION_ABSOLUTE_MS = 7 * DAY_MS;

/** How long a provider's sign-in is valid: after this, a person who was removed at the provider has no session here. */
export const VOUCHED_MS = HOUR_MS;

/** A new session: the token for the cookie, and its person. */
export type SignedIn = {
  token: string;
  person: Person;
  /** The next page suggests passkeys: once, after a sign-in with the password. */
  offersPasskey?: boolean;
};

/** Reads a new session back as the next request finds it. @throws AppError 401 SIGNED_OUT when it is over already */
export async function getSignedIn(
  services: Services,
  origin: Origin,
  session: { token: string; sessionId: string },
): Promise<SignedIn> {
  const found = await findPersonBySession(services, session.sessionId, origin);
  if (!found) throw new AppError("SIGNED_OUT", "Sign in first.");
  return { token: session.token, person: found.person };
}

const MAX_SHOWN = 100;

/** A person's open sessions: this one first, then the most recently used. */
export async function listSessions(services: Services, person: Person) {
  const now = services.clock.now();
  const rows = await services.db
    .select(columnsOf(sessions, "id", "createdAt", "lastSeenAt", "ipAddress", "userAgent", "place", "method"))
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, person.userId),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, now - idleMs(person)),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt))
    .limit(MAX_SHOWN);
  const views = rows.map((row) => ({
    // Identifies it in the form that ends it; it cannot be used to sign in.
    id: row.id,
    device: describeDevice(row.userAgent),
    place: row.place,
    ipAddress: row.ipAddress,
    method: row.method,
    isThisOne: row.id === person.sessionId,
    signedIn: formatDateTime(row.createdAt),
    lastSeen: {
      dateTime: toIso(row.lastSeenAt),
      exact: formatDateTime(row.lastSeenAt),
      relative: formatRelative(row.lastSeenAt, now),
    },
  }));
  return views.sort((one, other) => Number(other.isThisOne) - Number(one.isThisOne));
}

/** An open session as shown to its person. */
export type SessionView = Awaited<ReturnType<typeof listSessions>>[number];

/** A session to be opened: the token is for the cookie and is not stored anywhere else. */
type NewSession = { token: string; sessionId: string; statement: Statement };

/** A new session for the batch that signs a person in. Every sign-in and change of privileges gets a new one. */
export async function openSession(
  services: Services,
  userId: string,
  origin: Origin,
  { signInMethod = null, passkeyCountsFrom, provenAt, vouchedBy }: SessionOrigin = {},
): Promise<NewSession> {
  const { db, clock, ids, secrets } = services;
  const token = ids.secret();
  const sessionId = await secrets.hashToken(token);
  const now = clock.now();
  const statement = db.insert(sessions).values({
    id: sessionId,
    userId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: vouchedBy?.until ?? now + SESSION_ABSOLUTE_MS,
    ipAddress: origin.ipAddress,
    userAgent: origin.userAgent,
    place: origin.place ?? null,
    method: signInMethod,
    passkeyCountsFrom,
    provenAt,
    providerOrganizationId: vouchedBy?.organizationId,
  });
  return { token, sessionId, statement };
}

/** Why a session is over that a browser still has the cookie of. Rows past their end are removed. */
export async function whySessionEnded({ db, clock }: TimedServices, sessionId: string): Promise<string> {
  const [kept] = await db.select({ expiresAt: sessions.expiresAt }).from(sessions).where(eq(sessions.id, sessionId));
  return kept && kept.expiresAt > clock.now()
    ? "You had not used PayeeProof for a while, or your organisation now asks for another way to sign in."
    : "A session ends after seven days at the latest, when you sign out or change how you sign in, or when an administrator ends it.";
}

/** Ends one session; ending one that is gone already changes nothing. */
export function closeSession(services: ReadServices, sessionId: string): Statement {
  return services.db.delete(sessions).where(eq(sessions.id, sessionId));
}

/** Replaces all of a person's sessions with a new one. The statements come after the command's own. */
export async function replaceSessions(
  services: Services,
  { userId, origin, ...sessionOrigin }: Pick<Person, "userId" | "origin"> & SessionOrigin,
): Promise<{ token: string; sessionId: string; statements: Statement[] }> {
  const { statement, ...session } = await openSession(services, userId, origin, sessionOrigin);
  return { ...session, statements: [closeAllSessions(services, userId), statement] };
}

/** Ends one of the person's own sessions, at once. @throws AppError 404 */
export async function revokeSession(services: WriteServices, person: Person, input: { sessionId: string }) {
  const { db } = services;
  const one = and(eq(sessions.id, input.sessionId), eq(sessions.userId, person.userId));
  const found = rowIn(db, sessions).where(one);
  const { ok } = await runCommand(services, asAccountActor(person), {
    conditions: [{ name: "session_over", found }],
    statements: [db.delete(sessions).where(one)],
    audit: [{ action: "session.revoked", ...aboutUser(person.userId) }],
    evenOnHold: true,
  });
  if (!ok) throw notFound();
}

export async function revokeOtherSessions(services: WriteServices, person: Person): Promise<void> {
  const { userId, sessionId } = person;
  const others = and(eq(sessions.userId, userId), ne(sessions.id, sessionId));
  await runCommand(services, asAccountActor(person), {
    statements: [services.db.delete(sessions).where(others)],
    audit: [{ action: "session.others_revoked", ...aboutUser(userId) }],
    evenOnHold: true,
  });
}

/** Ends this session. Signing out of a session that has ended already changes nothing. */
export async function signOut(services: WriteServices, person: Person): Promise<void> {
  await runCommand(services, asAccountActor(person), {
    statements: [closeSession(services, person.sessionId)],
    audit: [{ action: "session.ended", ...aboutUser(person.userId) }],
    evenOnHold: true,
  });
}

const hashOf = ({ secrets }: Services, { userAgent, ipAddress }: Origin) =>
  secrets.hashToken(`${describeDevice(userAgent)}\n${networkOf(ipAddress)}`);

/** A statement that stores the browser and network a person signs in from, for the batch of the sign-in. */
export async function rememberDevice(
  services: Services,
  userId: string,
  origin: Origin,
): Promise<{ statement: Statement }> {
  const now = services.clock.now();
  const statement = services.db
    .insert(knownDevices)
    .values({ userId, deviceHash: await hashOf(services, origin), firstSeenAt: now, lastSeenAt: now })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.deviceHash], set: { lastSeenAt: now } });
  return { statement };
}

/** True if a person has signed in before, but never with this kind of browser from this network. */
async function isNewDevice(services: Services, userId: string, origin: Origin): Promise<boolean> {
  const { db } = services;
  const isTheirs = eq(knownDevices.userId, userId);
  const devices = (which = isTheirs) =>
    db.select({ at: knownDevices.lastSeenAt }).from(knownDevices).where(which).limit(1);
  const [same] = await devices(and(isTheirs, eq(knownDevices.deviceHash, await hashOf(services, origin))));
  if (same) return false;
  const [any] = await devices();
  return any !== undefined;
}

/** Queues the email about a sign-in from a new browser or network, if it is one. */
export async function queueNewDeviceEmail(
  services: Services,
  origin: Origin,
  account: Pick<Account, "id" | "email" | "firstName" | "organizationId">,
): Promise<NewJob[]> {
  if (!(await isNewDevice(services, account.id, origin))) return [];
  return queueEmail(services, account.organizationId, [account.email], {
    template: "newDeviceSignIn",
    data: {
      firstName: account.firstName,
      device: describeDevice(origin.userAgent),
      place: origin.place ?? null,
      ipAddress: origin.ipAddress,
      at: formatDateTime(services.clock.now()),
      href: `${services.config.appOrigin}${appPaths.sessions}`,
    },
  });
}

/** Describes a session's browser and network for its person. Pure. */
type Known = readonly [pattern: RegExp, name: string];

// The order matters: most browsers' user agents also contain the names of browsers further down.
const BROWSERS: readonly Known[] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\b(Headless)?Chrome\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const SYSTEMS: readonly Known[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (known: readonly Known[], text: string) => known.find(([pattern]) => pattern.test(text))?.[1];

/** A browser in plain words: `Firefox on Windows`. */
export function describeDevice(userAgent: string | null): string {
  const text = userAgent ?? "";
  const [browser, system] = [nameIn(BROWSERS, text), nameIn(SYSTEMS, text)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system ? `A program on ${system}` : "An unknown program");
}

const V4_PARTS = 3;

const V6_PARTS = 3;

/** The part of an address that rarely changes: /24 of IPv4, /48 of IPv6. */
export function networkOf(ipAddress: string | null): string {
  if (!ipAddress) return "";
  if (!ipAddress.includes(":")) return ipAddress.split(".").slice(0, V4_PARTS).join(".");
  return ipv6Groups(ipAddress).slice(0, V6_PARTS).join(":");
}
