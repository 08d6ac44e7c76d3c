import type { Statement } from "@db/client";
import { knownDevices } from "@db/schema/index";
import { and, eq } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { formatDateTime } from "~/kernel/dates";
import { ipv6Groups } from "~/kernel/ip-address";
import { appPaths } from "~/kernel/paths/app";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { Services } from "~/services";
import type { Account } from "./account.server";

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
