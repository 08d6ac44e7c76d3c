import { auditLogs, organizationPolicies, organizationUsers, policyChanges } from "@db/database";
import { asc, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "~/kernel/dates";
import { findPersonBySession } from "~/modules/accounts/identity/person.server";
import { openSession } from "~/modules/accounts/identity/session.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { BURST_MS } from "~/modules/messages/alerts/burst.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import type { Actor } from "~/services-and-actor";
import { raiseAllAlerts } from "../../../../tests/support/alerts";
import { aMember } from "../../../../tests/support/factories";
import { peek, refusal } from "../../../../tests/support/payees";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { aWorld } from "../../../../tests/support/simulators";
import type { Policy } from "./policy";
import { changePolicy, findPolicy, findPolicyState, policyIsUnchanged } from "./policy.server";
import { applyDueChanges, cancelChange, confirmChange, listWaitingChanges } from "./policy-changes.server";

/** Changes that other tests left waiting. */
beforeEach(async () => {
  await peek.delete(policyChanges);
});

/** An organisation that requires a second person, with two long-standing administrators. */
async function anOffice(services: TestServices, policy: Partial<Policy> = { secondPersonRequired: true }) {
  const ada = await aMember(services, { role: "admin", firstName: "Ada" });
  const organization = { id: ada.organizationId, name: ada.organizationName };
  const bo = await aMember(services, { organization, role: "admin", firstName: "Bo" });
  const standing = eq(organizationUsers.organizationId, organization.id);
  await peek.update(organizationUsers).set({ updatedAt: 0 }).where(standing);
  await peek.insert(organizationPolicies).values({ organizationId: organization.id, updatedAt: 1, ...policy });
  return { ada, bo, organization };
}

async function change(services: TestServices, actor: Actor, change: Partial<Policy>) {
  const { policy, version } = await findPolicyState(services, actor.organizationId);
  return changePolicy(services, actor, { version, policy: { ...policy, ...change } });
}

const trail = async ({ organizationId }: Actor) =>
  (
    await peek
      .select({ action: auditLogs.action })
      .from(auditLogs)
      .where(eq(auditLogs.organizationId, organizationId))
      .orderBy(asc(auditLogs.position))
  ).map(({ action }) => action.replace("organization.policy_", ""));

const asksTwo = async (services: TestServices, { organizationId }: Actor) =>
  (await findPolicy(services, organizationId)).secondPersonRequired;

test("an administrator who switches the second person off, pays and switches it on again has only asked", async () => {
  const services = testServices();
  const { ada } = await anOffice(services);
  const { waitsUntil } = await change(services, ada, { secondPersonRequired: false });
  expect(waitsUntil).toBe(services.clock.now() + DAY_MS);
  expect(await asksTwo(services, ada)).toBe(true);
  services.clock.advance(DAY_MS - 1);
  expect(await asksTwo(services, ada)).toBe(true);
  expect(await applyDueChanges(services)).toBe(0);
  expect(await listWaitingChanges(services, ada)).toMatchObject([
    { words: 'the policy "a second person approves" from on to off', askedBy: "Ada Okafor", isOwn: true },
  ]);
});

test("from the minute it is due it holds for whoever reads it, and the schedule writes it once", async () => {
  const services = testServices();
  const { ada } = await anOffice(services);
  await change(services, ada, { secondPersonRequired: false, ruleLevels: { duplicate_payment: "off" } });
  services.clock.advance(DAY_MS);
  const { policy, version } = await findPolicyState(services, ada.organizationId);
  expect(policy).toMatchObject({ secondPersonRequired: false, ruleLevels: { duplicate_payment: "off" } });
  const holds = async (secondPersonRequired: boolean) => {
    const judged = policyIsUnchanged(ada.organizationId, { secondPersonRequired }, services.clock.now());
    const looked = { action: "records.exported", entityType: "organization", details: { what: "nothing" } } as const;
    const audit = [{ ...looked, entityId: ada.organizationId }];
    return (await runCommand(services, ada, { conditions: [judged], audit })).ok;
  };
  expect([await holds(false), await holds(true)]).toEqual([true, false]);
  expect(await applyDueChanges(services)).toBe(2);
  expect(await applyDueChanges(services)).toBe(0);
  const after = await findPolicyState(services, ada.organizationId);
  expect(after.policy).toEqual(policy);
  expect(after.version).toBeGreaterThan(version);
  expect(await holds(false)).toBe(true);
  expect(await peek.select().from(policyChanges).where(eq(policyChanges.organizationId, ada.organizationId))).toEqual(
    [],
  );
});

test("what makes fraud harder holds at once, beside what waits in the same form", async () => {
  const services = testServices();
  const { ada } = await anOffice(services);
  const answer = await change(services, ada, { firstPaymentLimitCents: 100, autoApproveExact: true });
  expect(answer).toEqual({ isChanged: true, waitsUntil: services.clock.now() + DAY_MS });
  expect(await findPolicy(services, ada.organizationId)).toMatchObject({
    firstPaymentLimitCents: 100,
    autoApproveExact: false,
  });
  expect(await trail(ada)).toEqual(["changed", "weakening_asked"]);
});

test("any administrator cancels what waits, and nothing was weakened", async () => {
  const services = testServices();
  const { ada, bo } = await anOffice(services);
  await change(services, ada, { secondPersonRequired: false });
  const [waiting] = await listWaitingChanges(services, bo);
  await cancelChange(services, bo, waiting?.id ?? "");
  services.clock.advance(2 * DAY_MS);
  expect(await applyDueChanges(services)).toBe(0);
  expect(await asksTwo(services, ada)).toBe(true);
  expect(await refusal(cancelChange(services, bo, waiting?.id ?? ""))).toMatchObject({ status: 409 });
  expect(await trail(ada)).toEqual(["weakening_asked", "weakening_cancelled"]);
});

test("a second administrator puts it into effect at once; who asked for it cannot", async () => {
  const services = testServices();
  const { ada, bo } = await anOffice(services);
  await change(services, ada, { secondPersonRequired: false });
  const [waiting] = await listWaitingChanges(services, bo);
  const asked = { id: waiting?.id ?? "", policy: DEFAULT_POLICY };
  expect(await refusal(confirmChange(services, ada, asked))).toMatchObject({ code: "SECOND_PERSON_REQUIRED" });
  expect(await asksTwo(services, ada)).toBe(true);
  await confirmChange(services, bo, asked);
  expect(await asksTwo(services, ada)).toBe(false);
  expect(await trail(ada)).toEqual(["weakening_asked", "weakening_confirmed"]);
});

test("a second mailbox, invited for it an hour ago, confirms nothing", async () => {
  const services = testServices();
  const { ada, organization } = await anOffice(services);
  const mallory = await aMember(services, { organization, role: "admin" });
  services.clock.advance(HOUR_MS);
  await change(services, ada, { secondPersonRequired: false });
  const [waiting] = await listWaitingChanges(services, mallory);
  const asked = { id: waiting?.id ?? "", policy: DEFAULT_POLICY };
  expect(await refusal(confirmChange(services, mallory, asked))).toMatchObject({ status: 403 });
  expect(await asksTwo(services, ada)).toBe(true);
});

test("the delay is shortened only after the delay", async () => {
  const services = testServices();
  const { ada } = await anOffice(services, { secondPersonRequired: true, weakeningDelayHours: 48 });
  await change(services, ada, { weakeningDelayHours: 1, secondPersonRequired: false });
  services.clock.advance(DAY_MS);
  expect(await findPolicy(services, ada.organizationId)).toMatchObject({
    weakeningDelayHours: 48,
    secondPersonRequired: true,
  });
});

test("asking again neither shortens nor lengthens the time, and switching it on again ends the wait", async () => {
  const services = testServices();
  const { ada } = await anOffice(services);
  await change(services, ada, { secondPersonRequired: false, reverifyAfterMonths: 24 });
  services.clock.advance(HOUR_MS);
  expect(await change(services, ada, { secondPersonRequired: false })).toMatchObject({ isChanged: false });
  await change(services, ada, { reverifyAfterMonths: 6 });
  expect(await listWaitingChanges(services, ada)).toHaveLength(1);
  services.clock.advance(23 * HOUR_MS);
  expect(await findPolicy(services, ada.organizationId)).toMatchObject({
    secondPersonRequired: false,
    reverifyAfterMonths: 6,
  });
});

test("two-step sign-in that is to be dropped is asked for until the minute it is due, and every page says that it waits", async () => {
  const services = testServices();
  const { ada } = await anOffice(services, { twoStepRequired: true });
  const needed = async () => {
    const { sessionId, statement } = await openSession(services, ada.userId, ada.origin);
    await runCommand(services, ada, {
      statements: [statement],
      audit: [{ action: "session.started", entityType: "user", entityId: ada.userId }],
    });
    const found = await findPersonBySession(services, sessionId, ada.origin);
    return [found?.person.needsTwoStep, found?.person.notices?.[0]?.text];
  };
  await change(services, ada, { twoStepRequired: false });
  expect(await needed()).toEqual([
    true,
    expect.stringMatching(
      /^A weaker policy is waiting: the policy "people who approve must use two-step sign-in" from on to off\. It takes effect on /,
    ),
  ]);
  services.clock.advance(DAY_MS);
  expect(await needed()).toEqual([false, undefined]);
});

test("the other administrator and the organisation's own address are told at once, whatever they chose", async () => {
  const world = aWorld();
  await raiseAllAlerts(world);
  const { ada, bo } = await anOffice(world);
  await change(world, ada, { secondPersonRequired: false });
  await raiseAllAlerts(world);
  await world.pass(BURST_MS);
  const mails = (await world.mails()).filter(
    ({ subject, to }) => subject === "A weaker policy is waiting" && [ada.email, bo.email].includes(to),
  );
  expect(mails.map(({ to }) => to).sort()).toEqual([ada.email, bo.email].sort());
  expect(mails.find(({ to }) => to === bo.email)?.text).toContain(
    'the policy "a second person approves" from on to off',
  );
  // Ada acted and is told as the first administrator: her session may have been stolen without her mailbox.
  expect(mails.find(({ to }) => to === ada.email)?.text).toContain("confirmed address of the organisation");
});
