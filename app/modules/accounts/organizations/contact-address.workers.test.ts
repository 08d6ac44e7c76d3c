import { auditLogs, organizations } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { BURST_MS } from "~/modules/messages/alerts/burst.server";
import { findOrganizationAddress, raiseAlerts } from "~/modules/messages/alerts/trail.server";
import type { Actor } from "~/services-and-actor";
import { anAdministration, change } from "../../../../tests/support/organizations";
import { peek, refusal } from "../../../../tests/support/payees";
import { ORIGIN } from "../../../../tests/support/people";
import { aWorld } from "../../../../tests/support/simulators";
import { confirmContact, findContactLink, findContactState, sendContactLink } from "./contact-address.server";
import { changeDetails, findDetails } from "./details.server";

type World = ReturnType<typeof aWorld>;

async function setContact(world: World, actor: Actor, contactEmail: string | null) {
  const found = await findDetails(world, actor.organizationId);
  if (!found) throw new Error("the organisation exists");
  await changeDetails(world, actor, { details: { ...found.details, contactEmail } });
}

/** The token of the newest link sent to an address. */
async function linkTo(world: World, email: string): Promise<string> {
  await world.drain();
  const mails = (await world.mails()).filter(({ to }) => to.includes(email));
  const token = mails.map(({ text }) => /\/confirm-contact\/(\S+)/.exec(text)?.[1]).find(Boolean);
  if (!token) throw new Error(`no link was sent to ${email}`);
  return decodeURIComponent(token);
}

const addressOf = async (world: World, actor: Actor) =>
  (await findOrganizationAddress(world, actor.organizationId))?.email;

async function confirm(world: World, actor: Actor, email: string) {
  await setContact(world, actor, email);
  await sendContactLink(world, actor);
  await confirmContact(world, ORIGIN, await linkTo(world, email));
}

test("an address gets the organisation's alerts once its reader has confirmed it, and not before", async () => {
  const world = aWorld();
  const { admin } = await anAdministration(world);
  const office = `office-${admin.organizationId.slice(-8)}@elsewhere.example`;
  await setContact(world, admin, office);
  expect(await addressOf(world, admin)).toBe(admin.email);
  await sendContactLink(world, admin);
  const token = await linkTo(world, office);
  // Opening the link changes nothing, because email scanners open links.
  expect(await findContactLink(world, token)).toMatchObject({ state: "open", email: office });
  expect(await addressOf(world, admin)).toBe(admin.email);
  await confirmContact(world, ORIGIN, token);
  expect(await addressOf(world, admin)).toBe(office);
  expect(await findContactState(world, admin.organizationId)).toMatchObject({ isConfirmed: true, told: office });
  await confirmContact(world, ORIGIN, token);
  expect((await refusal(sendContactLink(world, admin))).code).toBe("NOTHING_TO_CONFIRM");
});

test("whoever has taken an administrator over types another address: the confirmed one goes on being told", async () => {
  const world = aWorld();
  const { admin } = await anAdministration(world);
  const tag = admin.organizationId.slice(-8);
  const [office, thief] = [`office-${tag}@elsewhere.example`, `thief-${tag}@mailbox.example`];
  await confirm(world, admin, office);
  await setContact(world, admin, thief);
  expect(await addressOf(world, admin)).toBe(office);
  await setContact(world, admin, null);
  expect(await addressOf(world, admin)).toBe(office);
  while ((await raiseAlerts(world)) > 0);
  await world.pass(BURST_MS);
  const told = (await world.mails()).filter(({ to, text }) => to.includes(office) && text.includes("contact email"));
  // Alerts within a minute are combined into one email.
  expect(told[0]?.subject).toContain(", and 3 more alerts");
});

test("a second administrator who types their own address, and demotes the first, is not told in their place", async () => {
  const world = aWorld();
  const { admin, add } = await anAdministration(world);
  const thief = await add({ role: "admin", firstName: "Vic" });
  await setContact(world, thief, thief.email);
  expect(await addressOf(world, admin)).toBe(admin.email);
  await change(world, thief, admin, { act: "change_role", role: "read_only" });
  expect(await addressOf(world, admin)).toBe(admin.email);
  expect(await findContactState(world, admin.organizationId)).toMatchObject({ isConfirmed: false, told: admin.email });
  const [entry] = await peek
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, admin.organizationId), eq(auditLogs.action, "member.role_changed")));
  expect(entry?.details).toMatchObject({ organizationAddress: admin.email });
});

test("an administrator who is demoted is not the organisation's address where another one gets its alerts", async () => {
  const world = aWorld();
  const { admin, add } = await anAdministration(world);
  const second = await add({ role: "admin", firstName: "Vic" });
  await change(world, admin, second, { act: "change_role", role: "member" });
  expect(await addressOf(world, admin)).toBe(admin.email);
  const office = `office-${admin.organizationId.slice(-8)}@elsewhere.example`;
  await confirm(world, admin, office);
  const third = await add({ role: "admin", firstName: "Tom" });
  await change(world, third, admin, { act: "change_role", role: "member" });
  expect(await addressOf(world, admin)).toBe(office);
});

test("the trail says so where a person whose access ends stays the organisation's address", async () => {
  const world = aWorld();
  const { admin, add } = await anAdministration(world);
  const second = await add({ role: "admin", firstName: "Vic" });
  const third = await add({ role: "member", firstName: "Tom" });
  await change(world, second, admin, { act: "change_role", role: "member" });
  await change(world, second, third, { act: "deactivate" });
  await change(world, second, admin, { act: "deactivate" });
  expect(await addressOf(world, admin)).toBe(admin.email);
  const ended = await peek
    .select({ who: auditLogs.entityId, details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, admin.organizationId), eq(auditLogs.action, "member.deactivated")));
  const addressIn = (userId: string) => ended.find(({ who }) => who === userId)?.details;
  expect(addressIn(admin.userId)).toMatchObject({ organizationAddress: admin.email });
  expect(addressIn(third.userId)).not.toHaveProperty("organizationAddress");
});

test("the address that got the alerts is told when another one is confirmed", async () => {
  const world = aWorld();
  const { admin } = await anAdministration(world);
  const tag = admin.organizationId.slice(-8);
  const [office, other] = [`office-${tag}@elsewhere.example`, `other-${tag}@elsewhere.example`];
  await confirm(world, admin, office);
  await confirm(world, admin, other);
  expect(await addressOf(world, admin)).toBe(other);
  await world.drain();
  const told = (await world.mails()).filter(({ to }) => to.includes(office));
  expect(told.some(({ text }) => text.includes("now go to a different address") && text.includes(other))).toBe(true);
});

test("a link of a former contact email, an old one and a forged one confirm nothing", async () => {
  const world = aWorld();
  const { admin } = await anAdministration(world);
  const tag = admin.organizationId.slice(-8);
  const [first, second] = [`first-${tag}@elsewhere.example`, `second-${tag}@elsewhere.example`];
  await setContact(world, admin, first);
  await sendContactLink(world, admin);
  const former = await linkTo(world, first);
  await setContact(world, admin, second);
  expect((await refusal(confirmContact(world, ORIGIN, former))).code).toBe("LINK_EXPIRED");
  await sendContactLink(world, admin);
  const token = await linkTo(world, second);
  world.clock.advance(7 * DAY_MS);
  expect((await refusal(confirmContact(world, ORIGIN, token))).status).toBe(410);
  expect((await refusal(confirmContact(world, ORIGIN, `${token.slice(0, -3)}abc`))).status).toBe(404);
  const [row] = await peek
    .select({ confirmed: organizations.confirmedContactEmail })
    .from(organizations)
    .where(eq(organizations.id, admin.organizationId));
  expect(row?.confirmed).toBeNull();
});

test("without a contact email there is nothing to send a link to", async () => {
  const world = aWorld();
  const { admin } = await anAdministration(world);
  expect((await refusal(sendContactLink(world, admin))).message).toBe("Save a contact email first.");
});
