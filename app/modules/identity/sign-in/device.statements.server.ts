import type { Statement } from "@db/client";
import { knownDevices } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import type { Services } from "~/services";
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
