import { organizationPolicies, organizations } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { listMemberEmails, MAX_ALERTED_MEMBERS } from "~/modules/accounts/members/members.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import { anOrganization } from "../../../../tests/support/factories";
import { aPerson } from "../../../../tests/support/people";
import { testServices } from "../../../../tests/support/services";

test("an organisation that decided nothing has the default policy, as has an empty row", async () => {
  const services = testServices();
  const { id } = await anOrganization(services);
  expect(await findPolicy(services, id)).toEqual(DEFAULT_POLICY);
  await services.db.insert(organizationPolicies).values({ organizationId: id, updatedAt: 0 });
  expect(await findPolicy(services, id)).toEqual(DEFAULT_POLICY);
});

test("what an organisation decided is its policy, and no other organisation's", async () => {
  const services = testServices();
  const [mine, other] = [await anOrganization(services), await anOrganization(services)];
  const decided = {
    secondPersonRequired: true,
    ruleLevels: { unusual_amount: "hold" as const },
    reverifyAfterMonths: 6,
  };
  await services.db.insert(organizationPolicies).values({ organizationId: mine.id, ...decided, updatedAt: 0 });
  expect(await findPolicy(services, mine.id)).toEqual({ ...DEFAULT_POLICY, ...decided });
  expect(await findPolicy(services, other.id)).toEqual(DEFAULT_POLICY);
});

test("alerts go to active members who can act, without the one who acted", async () => {
  const services = testServices();
  const [mine, other] = [await anOrganization(services), await anOrganization(services)];
  const organizationId = mine.id;
  const admin = await aPerson(services, { organizationId, membership: "admin" });
  const actor = await aPerson(services, { organizationId });
  await aPerson(services, { organizationId, membership: "read_only" });
  for (const status of ["pending", "inactive", "rejected"] as const)
    await aPerson(services, { organizationId, status });
  await aPerson(services, { organizationId: other.id });
  const emails = await listMemberEmails(services, organizationId, actor.id);
  expect(emails).toEqual([admin.email]);
  expect(await listMemberEmails(services, organizationId)).toEqual([admin.email, actor.email]);
});

test("a very large organisation's alerts are bounded", async () => {
  const services = testServices();
  const { id: organizationId } = await anOrganization(services);
  for (let i = 0; i < MAX_ALERTED_MEMBERS + 5; i++) await aPerson(services, { organizationId });
  const emails = await listMemberEmails(services, organizationId);
  expect(emails).toHaveLength(MAX_ALERTED_MEMBERS);
});

test("without a live subscription a write answers 402, for an unknown organisation too", async () => {
  const services = testServices();
  const { id } = await anOrganization(services);
  await expect(requireLiveSubscription(services, id)).resolves.toBeUndefined();
  await services.db
    .update(organizations)
    .set({ subscriptionStatus: "canceled", firstPaidAt: services.clock.now() })
    .where(eq(organizations.id, id));
  const refused = { status: 402, code: "SUBSCRIPTION_REQUIRED" };
  await expect(requireLiveSubscription(services, id)).rejects.toMatchObject(refused);
  await expect(requireLiveSubscription(services, services.ids.next())).rejects.toMatchObject(refused);
});
