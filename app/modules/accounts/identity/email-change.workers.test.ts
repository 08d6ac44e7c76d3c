import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import type { Person } from "~/services-and-actor";
import {
  mailsOf,
  mailsTo,
  sessionsOf,
  signedIn,
  someone,
  tokenSentTo,
  trailOf,
} from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { aDomain, aPerson, findUser, ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { type TestServices, testServices } from "../../../../tests/support/services";
import {
  askForEmailChange,
  confirmEmailChange,
  findEmailChange,
  findOpenEmailChange,
  stopEmailChange,
} from "./email-change.server";
import { askForPasswordReset } from "./password.server";

const currentPassword = PASSWORD;

async function asked(services: TestServices, person: Person, email = `mira@${aDomain(services, "pier")}`) {
  await askForEmailChange(services, person, { email, currentPassword });
  const [oldToken, newToken] = [await tokenSentTo(services, person.email), await tokenSentTo(services, email)];
  return { email, oldToken, newToken };
}

const proof = { by: "password", password: PASSWORD } as const;
const agree = (services: TestServices, token: string) => confirmEmailChange(services, ORIGIN, { token, proof });

test.each(["old", "new"] as const)(
  "the address changes when both mailboxes have agreed, the %s one first",
  async (first) => {
    const services = testServices();
    const organization = await anOrganization(services);
    const person = await someone(services, { organizationId: organization.id });
    const { email, oldToken, newToken } = await asked(services, person);
    const [one, two] = first === "old" ? [oldToken, newToken] : [newToken, oldToken];
    expect(await agree(services, one)).toEqual({ isChanged: false, newEmail: email });
    expect((await findUser(services, person.email))?.id).toBe(person.userId);
    expect(await agree(services, two)).toEqual({ isChanged: true, newEmail: email });
    expect(await findUser(services, person.email)).toBeUndefined();
    expect(await findUser(services, email)).toMatchObject({ id: person.userId, emailVerifiedAt: services.clock.now() });
    expect(await trailOf(services, organization.id, person.userId)).toEqual([
      "user.email_changed",
      "user.email_change_confirmed",
      "user.email_change_requested",
    ]);
  },
);

test("both mailboxes are told before and after, each with a link of its own to our own address", async () => {
  const services = testServices();
  const person = await someone(services);
  const { email, oldToken, newToken } = await asked(services, person);
  expect(oldToken).not.toBe(newToken);
  for (const mail of await mailsOf(services)) {
    expect((mail.data as { link: string }).link).toMatch(/^http:\/\/app\.test\/email-change\/[\w-]{43}$/);
  }
  await agree(services, oldToken);
  await agree(services, newToken);
  expect(await mailsTo(services, person.email)).toEqual(["emailChangeOld", "emailChanged"]);
  expect(await mailsTo(services, email)).toEqual(["emailChangeNew", "emailChanged"]);
});

test("every session ends when the address has changed, and none before", async () => {
  const services = testServices();
  const person = await someone(services);
  await signedIn(services, person.userId);
  const { oldToken, newToken } = await asked(services, person);
  await agree(services, oldToken);
  expect(await sessionsOf(services, person.userId)).toHaveLength(2);
  await agree(services, newToken);
  expect(await sessionsOf(services, person.userId)).toEqual([]);
});

test("two agreements at the same moment make the change once", async () => {
  const services = testServices();
  const person = await someone(services);
  const { email, oldToken, newToken } = await asked(services, person);
  const both = await Promise.all([agree(services, oldToken), agree(services, newToken)]);
  expect(both.filter(({ isChanged }) => isChanged)).toHaveLength(1);
  expect((await findUser(services, email))?.id).toBe(person.userId);
  expect(await mailsTo(services, email)).toEqual(["emailChangeNew", "emailChanged"]);
});

test("one mailbox that agrees twice is not both of them", async () => {
  const services = testServices();
  const person = await someone(services);
  const { email, newToken } = await asked(services, person);
  await agree(services, newToken);
  await expect(agree(services, newToken)).rejects.toMatchObject({ status: 409, code: "ALREADY_CONFIRMED" });
  expect(await findUser(services, email)).toBeUndefined();
});

test("an old address that was never confirmed need not agree, but can stop the change", async () => {
  const services = testServices();
  const person = await someone(services, { isConfirmed: false });
  const first = await asked(services, person);
  await stopEmailChange(services, ORIGIN, first.oldToken);
  await expect(agree(services, first.newToken)).rejects.toMatchObject({ status: 410 });
  const second = await asked(services, person);
  expect(await agree(services, second.newToken)).toEqual({ isChanged: true, newEmail: second.email });
});

test.each(["oldToken", "newToken"] as const)("a change stopped by the %s is over for both", async (which) => {
  const services = testServices();
  const person = await someone(services);
  const links = await asked(services, person);
  await agree(services, links[which]);
  await stopEmailChange(services, ORIGIN, links[which]);
  for (const token of [links.oldToken, links.newToken]) {
    await expect(agree(services, token)).rejects.toMatchObject({ status: 410, code: "LINK_USED" });
    await expect(stopEmailChange(services, ORIGIN, token)).rejects.toMatchObject({ status: 410 });
  }
  expect((await findUser(services, person.email))?.id).toBe(person.userId);
  expect(await findOpenEmailChange(services, person)).toBeUndefined();
});

test("the links work for a day", async () => {
  const services = testServices();
  const person = await someone(services);
  const { oldToken, newToken } = await asked(services, person);
  services.clock.advance(DAY_MS - 1);
  await agree(services, oldToken);
  services.clock.advance(1);
  await expect(agree(services, newToken)).rejects.toMatchObject({ status: 410, code: "LINK_EXPIRED" });
  expect(await findOpenEmailChange(services, person)).toBeUndefined();
});

test("asking again replaces what was asked before", async () => {
  const services = testServices();
  const person = await someone(services);
  const first = await asked(services, person);
  const second = await asked(services, person);
  expect(await findEmailChange(services, first.newToken)).toMatchObject({ state: "ended" });
  expect(await findOpenEmailChange(services, person)).toEqual({
    newEmail: second.email,
    waitsForOld: true,
    waitsForNew: true,
  });
});

test("the password is asked for, and an address of another account or one's own is refused", async () => {
  const services = testServices();
  const person = await someone(services);
  const other = await aPerson(services);
  const email = `mira@${aDomain(services)}`;
  await expect(askForEmailChange(services, person, { email, currentPassword: "x" })).rejects.toMatchObject({
    fieldErrors: { currentPassword: [expect.any(String)] },
  });
  for (const taken of [other.email, person.email]) {
    await expect(askForEmailChange(services, person, { email: taken, currentPassword })).rejects.toMatchObject({
      fieldErrors: { email: [expect.any(String)] },
    });
  }
  expect(await mailsOf(services)).toEqual([]);
});

test("an address that was taken in the meantime stays its new owner's", async () => {
  const services = testServices();
  const person = await someone(services);
  const { email, oldToken, newToken } = await asked(services, person);
  const owner = await aPerson(services, { email });
  await agree(services, oldToken);
  await expect(agree(services, newToken)).rejects.toMatchObject({ status: 409, code: "EMAIL_EXISTS" });
  expect((await findUser(services, email))?.id).toBe(owner.id);
});

test("after five changes in an hour no more emails go out", async () => {
  const services = testServices();
  const person = await someone(services);
  for (let i = 0; i < 5; i++) await asked(services, person);
  const before = services.sent.length;
  await expect(asked(services, person)).rejects.toMatchObject({ status: 429, code: "RATE_LIMITED" });
  expect(services.sent).toHaveLength(before);
});

test("an unknown link is unknown, and another kind of link too", async () => {
  const services = testServices();
  const person = await someone(services);
  await askForPasswordReset(services, ORIGIN, { email: person.email });
  for (const token of ["", "x", "a".repeat(43)]) {
    await expect(agree(services, token)).rejects.toMatchObject({ status: 404 });
    await expect(stopEmailChange(services, ORIGIN, token)).rejects.toMatchObject({ status: 404 });
  }
});

test.each(["before", "after"] as const)("a connection lost %s the commit still makes the change once", async (when) => {
  const services = testServices();
  const person = await someone(services);
  const { email, oldToken, newToken } = await asked(services, person);
  await agree(services, oldToken);
  const flaky = { ...services, db: losingConnection(services.db, when) };
  expect(await confirmEmailChange(flaky, ORIGIN, { token: newToken, proof })).toEqual({
    isChanged: true,
    newEmail: email,
  });
  expect((await findUser(services, email))?.id).toBe(person.userId);
});
