import { expect, test } from "vitest";
import {
  again,
  mailsTo,
  sessionsOf,
  signedIn,
  someone,
  tokenSentTo,
  trailOf,
  workOnResets,
} from "../../../../tests/support/account";
import { anOrganization } from "../../../../tests/support/factories";
import { ORIGIN, PASSWORD } from "../../../../tests/support/people";
import { testServices } from "../../../../tests/support/services";
import { askForPasswordReset, changePassword, findPasswordReset } from "./password.server";
import { signIn } from "./sign-in.server";

const NEW = "Brighter-heron-8";

test("a changed password takes effect, is told by email and is in the audit trail", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const person = await someone(services, { organizationId: organization.id });
  await changePassword(services, person, { currentPassword: PASSWORD, password: NEW });
  await signIn(services, ORIGIN, { login: person.email, password: NEW });
  const old = signIn(services, ORIGIN, { login: person.email, password: PASSWORD });
  await expect(old).rejects.toMatchObject({ status: 401 });
  expect(await mailsTo(services, person.email)).toEqual(["passwordChanged"]);
  expect(await trailOf(services, organization.id, person.userId)).toContain("user.password_changed");
});

test("every other session is over at once, and this one is a new one", async () => {
  const services = testServices();
  const here = await someone(services);
  const there = await signedIn(services, here.userId);
  const { person } = await changePassword(services, here, { currentPassword: PASSWORD, password: NEW });
  expect(await sessionsOf(services, here.userId)).toEqual([person.sessionId]);
  for (const over of [here, there]) await expect(again(services, over.sessionId)).rejects.toThrow("over");
});

test("a link to reset the old password is void", async () => {
  const services = testServices();
  const person = await someone(services);
  await askForPasswordReset(services, ORIGIN, { email: person.email });
  await workOnResets(services);
  const token = await tokenSentTo(services, person.email);
  await changePassword(services, person, { currentPassword: PASSWORD, password: NEW });
  expect(await findPasswordReset(services, token)).toMatchObject({ state: "used" });
});

test("the current password is asked for, and guesses count as failed sign-ins", async () => {
  const services = testServices();
  const person = await someone(services);
  const guess = () => changePassword(services, person, { currentPassword: "Wrong-horse-77", password: NEW });
  for (let i = 0; i < 10; i++) {
    await expect(guess()).rejects.toMatchObject({
      status: 400,
      fieldErrors: { currentPassword: [expect.any(String)] },
    });
  }
  await expect(guess()).rejects.toMatchObject({ status: 429 });
  const right = changePassword(services, person, { currentPassword: PASSWORD, password: NEW });
  await expect(right).rejects.toMatchObject({ status: 429 });
});

test.each([
  ["Password1!", "attackers try first"],
  [PASSWORD, "differs"],
])("%s is refused as a new password", async (password, words) => {
  const services = testServices();
  const person = await someone(services);
  const change = changePassword(services, person, { currentPassword: PASSWORD, password });
  await expect(change).rejects.toMatchObject({
    status: 400,
    fieldErrors: { password: [expect.stringContaining(words)] },
  });
});

test("a password from a data breach is refused; a service that does not answer refuses nothing", async () => {
  const services = testServices();
  const person = await someone(services);
  const asked: string[] = [];
  const breachedPasswords = {
    isBreached: async (password: string) => {
      asked.push(password);
      return password === NEW;
    },
  };
  const input = { currentPassword: PASSWORD, password: NEW };
  const known = changePassword({ ...services, breachedPasswords }, person, input);
  await expect(known).rejects.toMatchObject({ fieldErrors: { password: [expect.stringContaining("data breach")] } });
  expect(asked).toEqual([NEW]);
  await changePassword(services, person, input);
});

test("of two changes at once one is made, and the other is told", async () => {
  const services = testServices();
  const person = await someone(services);
  const both = await Promise.allSettled(
    [NEW, "Quieter-heron-9"].map((password) =>
      changePassword(services, person, { currentPassword: PASSWORD, password }),
    ),
  );
  const refused = both.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatchObject({ status: 409, code: "CHANGED_MEANWHILE" });
  expect(await sessionsOf(services, person.userId)).toHaveLength(1);
});
