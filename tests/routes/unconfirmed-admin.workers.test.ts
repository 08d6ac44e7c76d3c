import { bulkChecks, users } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { toMissingConfirmation } from "~/modules/messages/notifications/outside-messages";
import * as payeesPage from "~/routes/_app+/payees._index";
import * as payeePage from "~/routes/_app+/payees.$id";
import * as checksPage from "~/routes/_app+/payees.checks._index";
import * as checkPage from "~/routes/_app+/payees.checks.$id";
import * as requestsPage from "~/routes/_app+/payees.requests";
import * as newPayeePage from "~/routes/_app+/payees.verify";
import * as profilePage from "~/routes/_app+/profile";
import * as membersPage from "~/routes/_app+/settings.members";
import * as verificationPage from "~/routes/_app+/verifications.$id";
import * as queuePage from "~/routes/_app+/verifications.pending";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { aColleague, anAddedPayee, peek } from "../support/payees";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";
import { changeVerification } from "../support/verifications";

const startCheckCall = routeOf("/api/bulk-checks/{id}/start");
const requestsCall = routeOf("/api/payee-requests");
const checkCall = routeOf("/api/verifications/{id}/check");
const reviewCall = routeOf("/api/verifications/{id}/review");
const sendLinkCall = routeOf("/api/verifications/{id}/send-link");
const consentCall = routeOf("/api/verifications/{id}/verify-basiq");

/**
 * Before an administrator has confirmed their address no bank is asked and nothing is sent. Every page that offers either
 * says so before its form, and the API refuses with a code.
 */

type World = { services: ReturnType<typeof testServices>; admin: Actor; payeeId: string; verificationId: string };

async function aNewOrganization(): Promise<World> {
  const made = testServices();
  const lookUp = () => Promise.reject(new Error("no bank is asked"));
  const services = { ...made, instantBankData: { lookUp } as unknown as NonNullable<typeof made.instantBankData> };
  const admin = await aMember(services, { role: "admin" });
  const { payeeId, verificationId } = await anAddedPayee(services, admin);
  return { services, admin: { ...admin, emailVerified: false }, payeeId, verificationId };
}

const setConfirmed = (actor: Actor, at: number | null) =>
  peek.update(users).set({ emailVerifiedAt: at }).where(eq(users.id, actor.userId));

/** What each page that offers a check, a link or an invitation knows to be missing. */
async function missingOn({ services, verificationId }: World, actor: Actor) {
  const get = (path: string, params: Record<string, string> = {}) => routeArgs(services, actor, path, params);
  const verification = await verificationPage.loader(await get("/verifications/1", { id: verificationId }));
  return {
    verification: verification.view.missingConfirmation,
    newPayee: (await newPayeePage.loader(await get("/payees/verify"))).missing,
    queue: (await queuePage.loader(await get("/verifications/pending"))).missing,
    bulkChecks: (await checksPage.loader(await get("/payees/checks"))).missing,
    requests: (await requestsPage.loader(await get("/payees/requests"))).missing,
    members: (await membersPage.loader(await get("/settings/members"))).missing,
  };
}

test("every page that offers a check or a message says before its form what is missing, and nothing once it is confirmed", async () => {
  const world = await aNewOrganization();
  const { services, admin, verificationId } = world;
  await setConfirmed(admin, null);
  const own = toMissingConfirmation(admin.email, ["Mira Okafor"]);
  expect(new Set(Object.values(await missingOn(world, admin)).map((each) => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify(own)]),
  );
  const read = async () =>
    (await verificationPage.loader(await routeArgs(services, admin, "/verifications/1", { id: verificationId }))).view;
  const before = await read();
  expect(before.checks).toEqual([]);
  expect(before.primary).not.toBe("approve");
  expect(before.approving.note).toContain("recorded and certified as: approved by a person, no bank was asked.");
  await setConfirmed(admin, 1);
  expect(new Set(Object.values(await missingOn(world, admin)))).toEqual(new Set([null]));
  expect((await read()).checks.map(({ value }) => value)).toEqual(["check-now", "verify-basiq"]);
});

test("a member is told which administrator has to confirm, and read-only people are told nothing", async () => {
  const world = await aNewOrganization();
  const { services, admin, verificationId } = world;
  await setConfirmed(admin, null);
  const member = await aColleague(services, admin, { firstName: "Dana" });
  const others = toMissingConfirmation(null, ["Mira Okafor"]);
  const { members, ...pages } = await missingOn(world, member);
  expect(members).toBeNull();
  for (const missing of Object.values(pages)) expect(missing).toEqual(others);
  const reader = await aColleague(services, admin, { role: "read_only" });
  const { view } = await verificationPage.loader(
    await routeArgs(services, reader, "/verifications/1", { id: verificationId }),
  );
  expect(view.missingConfirmation).toBeNull();
  const second = await aColleague(services, admin, { role: "admin", firstName: "Ada" });
  expect((await missingOn(world, member)).queue).toBeNull();
  await setConfirmed(second, null);
  expect((await missingOn(world, { ...second, emailVerified: false })).queue?.text).toContain(second.email);
  expect((await missingOn(world, member)).queue?.text).toContain("(Mira Okafor, Ada Okafor)");
});

test("what the payee's page and the list of payees still offer before that is done, and not refused", async () => {
  const { services, admin, payeeId, verificationId } = await aNewOrganization();
  await setConfirmed(admin, null);
  const post = async (path: string, params: Record<string, string>, form: Record<string, string>) =>
    routeArgs(services, admin, path, params, { form });
  const place = { organizationId: admin.organizationId, verificationId };
  await changeVerification(services, place, { status: "failed" });
  const started = await payeePage.action(await post("/payees/1", { id: payeeId }, { intent: "verify" }));
  expect((started as Response).status).toBe(303);
  const counted = (await payeesPage.action(await post("/payees", {}, { intent: "check", payeeId }))) as Response;
  expect(counted.status).toBe(303);
});

test("a decided verification asks for no confirmation", async () => {
  const world = await aNewOrganization();
  const { services, admin, verificationId } = world;
  await setConfirmed(admin, null);
  const place = { organizationId: admin.organizationId, verificationId };
  await changeVerification(services, place, { status: "rejected" });
  const args = await routeArgs(services, admin, "/verifications/1", { id: verificationId });
  expect((await verificationPage.loader(args)).view.missingConfirmation).toBeNull();
});

test("what is missing is said in a person's words", () => {
  const names = ["Ada Byrne", "Ben Cole", "Cy Dunn", "Di East", "Ed Fox"];
  expect(toMissingConfirmation("ada@harbour.example", names)).toEqual({
    title: "Confirm your email first",
    text: "We sent a link to ada@harbour.example. Until you have opened it, no bank can be asked, and nothing is sent to payees or anyone else outside your organisation.",
    isOwn: true,
  });
  expect(toMissingConfirmation(null, names).text).toContain("(Ada Byrne, Ben Cole, Cy Dunn and 2 more)");
  expect(toMissingConfirmation(null, ["Ada Byrne"])).toMatchObject({
    text: expect.stringContaining("(Ada Byrne)"),
    isOwn: false,
  });
});

test("the API refuses every check and every link with 403 EMAIL_NOT_CONFIRMED, and says of an approval what it is", async () => {
  const world = await aNewOrganization();
  const { services, admin, verificationId } = world;
  const counted = await checksPage.action(
    await routeArgs(services, admin, "/payees/checks", {}, { form: { verified: "any", paid: "any", status: "all" } }),
  );
  const bulkCheckId = (counted as Response).headers.get("Location")?.split("/").at(-1) ?? "";
  await setConfirmed(admin, null);
  const post = (id: string, json: unknown = {}) => routeArgs(services, admin, "/api/x", { id }, { json });
  const answers = [
    await checkCall.action(await post(verificationId)),
    await consentCall.action(await post(verificationId)),
    await sendLinkCall.action(await post(verificationId)),
    await requestsCall.action(await post("", { name: "Tallowwood Timber", email: "accounts@tallowwood.example" })),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: "EMAIL_NOT_CONFIRMED",
      message: expect.stringContaining("link"),
    });
  }
  await peek.update(bulkChecks).set({ status: "ready", payeeCount: 1 }).where(eq(bulkChecks.id, bulkCheckId));
  const bulk = await checkPage.loader(await routeArgs(services, admin, "/payees/checks/1", { id: bulkCheckId }));
  expect(bulk).toMatchObject({ check: { mayStart: false }, missing: { isOwn: true } });
  const started = await startCheckCall.action(await post(bulkCheckId));
  expect(started.status).toBe(403);
  expect(await started.json()).toMatchObject({ code: "EMAIL_NOT_CONFIRMED" });
  const review = { approved: true, addToGlobalWhitelist: false };
  const approved = await reviewCall.action(await post(verificationId, review));
  expect(await approved.json()).toMatchObject({
    verification: { status: "verified", grade: { name: "person", text: "Approved by a person, no bank was asked" } },
  });
});

test("the link is sent again from the page that asks for it, and leads back there, never to another site", async () => {
  const { services, admin } = await aNewOrganization();
  await setConfirmed(admin, null);
  const resend = async (next: string) => {
    const form = { intent: "resend", next };
    const answer = await profilePage.action(await routeArgs(services, admin, "/profile", {}, { form }));
    return (answer as Response).headers.get("Location");
  };
  expect(await resend("/verifications/pending?match=fuzzy")).toBe("/verifications/pending?match=fuzzy");
  expect(await resend("//elsewhere.example")).toBe("/profile");
});
