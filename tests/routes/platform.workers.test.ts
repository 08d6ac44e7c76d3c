import { auditLogs, contactSubmissions, organizations, users } from "@db/database";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { action } from "~/routes/_app+/admin.data-requests";
import { action as organizationsAction } from "~/routes/_app+/admin.organizations";
import { action as usersAction, loader as usersLoader } from "~/routes/_app+/admin.users";
import { aMember } from "../support/factories";
import { anAdministration, standingOf } from "../support/organizations";
import { anAddedPayee, peek } from "../support/payees";
import { belongs } from "../support/people";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";

const PATH = "/admin/data-requests";

async function aSuperAdmin() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  await peek.update(users).set({ role: "super_admin" }).where(eq(users.id, actor.userId));
  const look = async (form: Record<string, string>) =>
    action(await routeArgs(services, actor, PATH, {}, { form: { intent: "look-up", ...form } }));
  return { services, actor, look };
}

test("a super admin finds where a person is on record in any organisation, without bank details, and it is audited", async () => {
  const { services, actor, look } = await aSuperAdmin();
  const bookkeeper = await aMember(services, { role: "member" });
  const email = `${services.ids.next()}@payee.example`;
  const account = { bsb: "062000", accountNumber: "55500123" };
  await anAddedPayee(services, bookkeeper, { name: "Nerida Vale", email: email.toUpperCase(), ...account });
  const message = { firstName: "N", lastName: "V", company: "", phone: "", message: "Hello" };
  await peek
    .insert(contactSubmissions)
    .values({ id: services.ids.next(), ...message, email, interest: "privacy", createdAt: 1 });
  const byEmail = await look({ email });
  const found = { name: "Nerida Vale", organization: bookkeeper.organizationName };
  expect(byEmail).toMatchObject({
    data: { code: "NEXT_STEP", extra: { found: { payees: [found], messages: [{ interest: "privacy" }], next: null } } },
  });
  expect(JSON.stringify(byEmail)).not.toContain(account.accountNumber);
  expect(await look({ bsb: "062-000", accountNumber: "05550 0123" })).toMatchObject({
    data: { extra: { found: { payees: [found], accounts: null, messages: null } } },
  });
  expect(await look({ email: bookkeeper.email })).toMatchObject({
    data: { extra: { found: { accounts: [{ organization: bookkeeper.organizationName }], payees: [] } } },
  });
  const trail = await peek.select().from(auditLogs).where(eq(auditLogs.userId, actor.userId));
  const looks = trail.filter((entry) => entry.action === "platform.person_looked_up").map((entry) => entry.details);
  expect(looks).toEqual([{ by: "email" }, { by: "account" }, { by: "email" }]);
});

test("of more payees than one answer shows the rest are shown by the next, and accounts are not searched again", async () => {
  const { services, look } = await aSuperAdmin();
  const bookkeeper = await aMember(services, { role: "member" });
  const email = `${services.ids.next()}@payee.example`;
  await peek.run(sql`INSERT INTO payees
      (id, organizationId, name, accountName, bsb, accountNumber, email, hash, accountFingerprint, createdAt, updatedAt)
    WITH RECURSIVE n(i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < 1201)
    SELECT 'data-request-' || i, ${bookkeeper.organizationId}, 'Payee ' || i, 'Payee', '062000', i, ${email}, i, i, 1, 1
    FROM n`);
  const found = (some: object) => ({ data: { extra: { found: some } } });
  const next = "data-request-1200";
  const many = { payees: expect.objectContaining({ length: 200 }), next };
  expect(await look({ email })).toMatchObject(found(many));
  const rest = { payees: [{ name: "Payee 1201" }], next: null, accounts: null, messages: null };
  expect(await look({ email, after: next })).toMatchObject(found(rest));
});

test.each([
  [{}, "email"],
  [{ bsb: "062000" }, "accountNumber"],
  [{ accountNumber: "12345678" }, "bsb"],
  [{ bsb: "06200", accountNumber: "12345678" }, "bsb"],
])("%j is refused beside the field %s, and nothing is looked up", async (form, field) => {
  const { look } = await aSuperAdmin();
  expect(await look(form)).toMatchObject({
    init: { status: 400 },
    data: { errors: { [field]: [expect.any(String)] } },
  });
});

test("suspending an organisation asks first, with its name, and says what it does", async () => {
  const { services, actor } = await aSuperAdmin();
  const bookkeeper = await aMember(services, { role: "admin" });
  const suspend = async (more: Record<string, string>) =>
    organizationsAction(
      await routeArgs(
        services,
        actor,
        "/admin/organizations",
        {},
        { form: { intent: "suspend", organizationId: bookkeeper.organizationId, ...more } },
      ),
    );
  const isActive = async () =>
    (
      await peek
        .select({ active: organizations.active })
        .from(organizations)
        .where(eq(organizations.id, bookkeeper.organizationId))
    )[0]?.active;
  expect(await suspend({})).toMatchObject({ data: { code: "NEXT_STEP", extra: { asks: true } } });
  expect(await isActive()).toBe(true);
  expect(await suspend({ sure: "yes" })).toMatchObject({ status: 303 });
  expect(await isActive()).toBe(false);
});

test("in the list of one organisation a super admin changes its membership, not that of the person's current one", async () => {
  const { services, actor } = await aSuperAdmin();
  const { organization, admin } = await anAdministration(services);
  const bookkeeper = await aMember(services, { role: "member" });
  await belongs(services, bookkeeper.userId, organization.id, "member");
  const path = `/admin/users?organization=${organization.id}`;
  const { rows } = (await usersLoader(await routeArgs(services, actor, path))) as { rows: { userId: string }[] };
  expect(rows.map(({ userId }) => userId).sort()).toEqual([admin.userId, bookkeeper.userId].sort());
  const form = { intent: "deactivate", userId: bookkeeper.userId };
  const answer = (await usersAction(await routeArgs(services, actor, path, {}, { form }))) as Response;
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, path]);
  expect(await standingOf(organization.id, bookkeeper.userId)).toMatchObject({ status: "inactive" });
  expect(await standingOf(bookkeeper.organizationId, bookkeeper.userId)).toMatchObject({ status: "active" });
});
