import { singleSignOn } from "@db/database";
import { eq } from "drizzle-orm";
import type { SingleSignOnMode } from "~/kernel/enums";
import {
  type Begun,
  beginCompanySignIn,
  beginTest,
  finishCompanySignIn,
} from "~/modules/accounts/single-sign-on/company-sign-in.server";
import { chooseMode, saveProvider } from "~/modules/accounts/single-sign-on/settings.server";
import type { Actor, Person, Services } from "~/services-and-actor";
import { CLIENT_ID, CLIENT_SECRET } from "../../simulators/identity/party";
import type { Lie } from "../../simulators/identity/tokens";
import { someone } from "./account";
import { anOrganization } from "./factories";
import { aDomain, claims, ORIGIN, PASSWORD } from "./people";
import type { World } from "./simulators";
import { SIMULATORS_ORIGIN } from "./test-env";

type Tenant = "microsoft" | "google" | "okta";
export const issuerOf = (tenant: Tenant) => `${SIMULATORS_ORIGIN}/identity/${tenant}`;

export const proof = { currentPassword: PASSWORD };

/** A person as the commands of their organisation take them. */
export function asActor(person: Person): Actor {
  const { organizationId, organizationName } = person;
  if (organizationId === null || organizationName === null) throw new Error("of no organisation");
  return { ...person, organizationId, organizationName };
}

export type ProviderUser = {
  email: string;
  lie?: Lie;
  sub?: string;
  firstName?: string;
  lastName?: string;
  withTwoFactors?: boolean;
  cancels?: boolean;
};

/** What a person does at the provider that a browser was sent to. @returns what it comes back with */
export async function signInThere(world: World, address: string, who: ProviderUser): Promise<URLSearchParams> {
  const form = new URLSearchParams({
    answer: who.cancels ? "cancel" : "allow",
    email: who.email,
    lie: who.lie ?? "none",
    firstName: who.firstName ?? "Mira",
    lastName: who.lastName ?? "Okafor",
    ...(who.sub === undefined ? {} : { sub: who.sub }),
    ...(who.withTwoFactors ? { usesTwoFactors: "on" } : {}),
  });
  const answer = await world.ask(new Request(address, { method: "POST", body: form }));
  if (answer.status !== 302) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
  return new URL(answer.headers.get("location") ?? "").searchParams;
}

type Company = {
  tenant?: Tenant;
  mode?: SingleSignOnMode;
  newcomerRole?: "read_only" | "member";
};

/** An organisation whose people sign in at a provider: set up, tested and allowed by its administrator. */
export async function aCompany(
  world: World,
  { tenant = "okta", mode = "allowed", newcomerRole = "read_only" }: Company = {},
) {
  const organization = await anOrganization(world);
  const domain = aDomain(world, "bigcorp");
  await claims(world, organization.id, domain);
  const admin = asActor(
    await someone(world, {
      organizationId: organization.id,
      membership: "admin",
      role: "admin",
      email: `ada@${domain}`,
    }),
  );
  const other = asActor(
    await someone(world, {
      organizationId: organization.id,
      membership: "admin",
      role: "admin",
      email: `bo@${domain}`,
    }),
  );
  const provider = { issuer: issuerOf(tenant), clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, ...proof };
  await saveProvider(world, admin, provider);
  await test(world, admin);
  if (mode !== "off") {
    const waysIn = mode === "required" ? { wayInOne: admin.userId, wayInTwo: other.userId } : {};
    await chooseMode(world, admin, { mode, newcomerRole, ...waysIn, ...proof });
  }
  return { organization, domain, admin, other, provider };
}

/** The administrator tests with their own account. */
export async function test(world: World, admin: Actor, who: Partial<ProviderUser> = {}) {
  const begun = await beginTest(world, admin);
  const query = await signInThere(world, begun.address, { email: admin.email, ...who });
  return comeBack(world, begun, query, { person: admin });
}

type Back = { presentedSessionId?: string; person?: Actor; organizationId?: string };

export const comeBack = (world: Services, begun: Begun, query: URLSearchParams, back: Back = {}) =>
  finishCompanySignIn(world, ORIGIN, {
    begun,
    organizationId: back.organizationId ?? begun.organizationId,
    query,
    presentedSessionId: back.presentedSessionId,
    person: back.person ?? null,
  });

/** The complete sign-in of a person with this address. */
export async function comeIn(world: World, who: ProviderUser, back: Back = {}) {
  const begun = await beginCompanySignIn(world, { email: who.email, next: null });
  return comeBack(world, begun, await signInThere(world, begun.address, who), back);
}

/** Signs in through the company's provider, and returns the person. */
export async function signInWithCompany(world: World, who: ProviderUser, back: Back = {}) {
  const outcome = await comeIn(world, who, back);
  if (!("signedIn" in outcome)) throw new Error(`not signed in: ${JSON.stringify(outcome)}`);
  return outcome.signedIn.person;
}

export async function settingsOf(services: Services, organizationId: string) {
  const [row] = await services.db.select().from(singleSignOn).where(eq(singleSignOn.organizationId, organizationId));
  if (!row) throw new Error("there are no settings");
  return row;
}
