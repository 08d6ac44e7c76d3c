import type { Statement } from "@db/client";
import { knownDevices } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices, Services } from "~/services";
import type { Account } from "../account.server";
import { describeDevice, networkOf } from "./device";

type Needs = Pick<Services, "db" | "clock" | "secrets">;

const hashOf = ({ secrets }: Needs, { userAgent, ipAddress }: Origin) =>
  secrets.hashToken(`${describeDevice(userAgent)}\n${networkOf(ipAddress)}`);

/** Remembers where a person signs in from: a statement for the batch that signs them in. */
export async function rememberDevice(
  services: Needs,
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

/** Whether a person has signed in before, but never with this kind of browser from this network. */
export async function isNewDevice(services: Needs, userId: string, origin: Origin): Promise<boolean> {
  const { db } = services;
  const isTheirs = eq(knownDevices.userId, userId);
  const devices = (which = isTheirs) =>
    db.select({ at: knownDevices.lastSeenAt }).from(knownDevices).where(which).limit(1);
  const [same] = await devices(and(isTheirs, eq(knownDevices.deviceHash, await hashOf(services, origin))));
  if (same) return false;
  const [any] = await devices();
  return any !== undefined;
}

/** The email that tells a person of a sign-in from a browser or network they have not used before; none otherwise. */
export async function queueNewDeviceEmail(
  services: NotifyServices,
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
