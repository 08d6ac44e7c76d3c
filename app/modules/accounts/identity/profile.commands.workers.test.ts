import { users } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { HOUR_MS } from "~/kernel/dates";
import { again, mailsTo, someone, tokenSentTo, trailOf } from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { aRegistration, confirmAddress, ORIGIN } from "../../../../tests/support/people";
import { testServices } from "../../../../tests/support/services";
import { resendConfirmation } from "./confirmation.server";
import { changeNames } from "./profile.server";
import { register } from "./register.server";

test("a new name is there at once, and the trail says what it was", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const person = await someone(services, { organizationId: organization.id });
  await changeNames(services, person, { firstName: "Zoë", lastName: "" });
  expect(await again(services, person.sessionId)).toMatchObject({ firstName: "Zoë", lastName: "" });
  expect(await trailOf(services, organization.id, person.userId)).toEqual(["user.names_changed"]);
});

test("saving the same name leaves no trail", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const person = await someone(services, { organizationId: organization.id });
  await changeNames(services, person, { firstName: person.firstName, lastName: person.lastName });
  expect(await trailOf(services, organization.id, person.userId)).toEqual([]);
});

test("the confirmation is sent again, and does what the first one would have done", async () => {
  const services = testServices();
  const { person } = await register(services, ORIGIN, aRegistration(services));
  await resendConfirmation(services, person);
  expect(await mailsTo(services, person.email)).toEqual(["emailConfirmation", "emailConfirmation"]);
  await confirmAddress(services, await tokenSentTo(services, person.email));
  expect(await trailOf(services, person.organizationId ?? "", person.userId)).toContain("organization.domain_claimed");
  const [user] = await services.db.select().from(users).where(eq(users.id, person.userId));
  expect(user?.emailVerifiedAt).toBe(services.clock.now());
});

test("three confirmation emails an hour are enough, and a confirmed address needs none", async () => {
  const services = testServices();
  const person = await someone(services, { isConfirmed: false });
  for (let i = 0; i < 3; i++) await resendConfirmation(services, person);
  await expect(resendConfirmation(services, person)).rejects.toMatchObject({ status: 429, retryAfterSeconds: 3600 });
  services.clock.advance(HOUR_MS);
  await resendConfirmation(services, person);
  const confirmed = await someone(services);
  await expect(resendConfirmation(services, confirmed)).rejects.toMatchObject({ status: 409 });
  expect(await mailsTo(services, confirmed.email)).toEqual([]);
});
