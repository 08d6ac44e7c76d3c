import { organizationPolicies, passkeys, sessions } from "@db/database";
import { eq } from "drizzle-orm";
import { addPasskey, addPasskeySchema, beginPasskey } from "~/modules/accounts/identity/passkeys.server";
import type { Policy } from "~/modules/accounts/organizations/policy";
import type { Actor, Person } from "~/services-and-actor";
import { again, signedIn } from "./account";
import { aPerson, PASSWORD } from "./people";
import type { TestServices } from "./services";
import { aSoftwareKey } from "./software-authenticator";

/** The origin that the devices see. */
export const siteOf = ({ config }: TestServices) => ({
  origin: config.appOrigin,
  rpId: new URL(config.appOrigin).hostname,
});

/** Adds a new key as the page does. It takes effect when the page says: a day later if no older key confirmed it. */
export async function addNewKey(services: TestServices, person: Person, name = "Work laptop", code?: string) {
  const key = await aSoftwareKey(siteOf(services), true);
  const { options, kept } = await beginPasskey(services, person, { currentPassword: PASSWORD, code });
  const made = await key.make(options.challenge);
  const { passkey: response } = addPasskeySchema.parse({ name, passkey: made });
  const added = await addPasskey(services, person, { name, response, kept });
  return { key, person: added.person };
}

/** The same with a key that was added more than a day ago. */
export async function addKey(services: TestServices, person: Person, name?: string, code?: string) {
  const { key, person: added } = await addNewKey(services, person, name, code);
  const { db } = services;
  await db.update(passkeys).set({ countsFrom: 0 }).where(eq(passkeys.userId, person.userId));
  await db.update(sessions).set({ passkeyCountsFrom: 0 }).where(eq(sessions.userId, person.userId));
  return { key, person: await again(services, added.sessionId) };
}

/** The person as the actor of commands. */
export function actorOf(person: Person): Actor {
  const { organizationId, organizationName } = person;
  if (organizationId === null || organizationName === null) throw new Error("a person without an organisation");
  return { ...person, organizationId, organizationName };
}

/** A person of an organisation with a passkey, and the passkey. */
export async function anApprover(
  services: TestServices,
  organization: { id: string },
  membership: "admin" | "member" = "member",
) {
  const who = { organizationId: organization.id, membership, role: membership };
  const begun = await signedIn(services, (await aPerson(services, who)).id);
  const { key, person } = await addKey(services, begun);
  return { key, actor: actorOf(await again(services, person.sessionId)) };
}

/** Sets an organisation's policies without the delay of weaker ones. */
export async function decideFor(
  { db, clock }: TestServices,
  organizationId: string,
  policy: Partial<Policy> & { passkeysRequiredSince?: number },
) {
  const row = { ...policy, updatedAt: clock.now() };
  await db
    .insert(organizationPolicies)
    .values({ organizationId, ...row })
    .onConflictDoUpdate({ target: organizationPolicies.organizationId, set: row });
}
