import { expect, test } from "vitest";
import { check } from "~/http/body.server";
import { loginCallSchema, loginFormSchema } from "./sign-in.server";

const password = "Correct-horse-7";

test("a call may name an email or a username, and the organisation in both spellings", () => {
  expect(check(loginCallSchema, { email: "Mira@Acme.example", password })).toEqual({
    login: "mira@acme.example",
    password,
    organizationId: undefined,
  });
  expect(check(loginCallSchema, { username: "mira", password }).login).toBe("mira");
  for (const spelling of ["organisationId", "organizationId"]) {
    expect(check(loginCallSchema, { username: "mira", password, [spelling]: "an-id" }).organizationId).toBe("an-id");
  }
  expect(check(loginCallSchema, { username: "mira", password, organisationId: "" }).organizationId).toBeUndefined();
});

test.each([
  [{ password }, "email", "Please enter a valid email address"],
  [{ email: "mira", password }, "email", "Please enter a valid email address"],
  [{ username: "", password }, "email", "Please enter a valid email address"],
  [{ email: "mira@acme.example" }, "password", "Password must be at least 8 characters"],
  [{ email: "mira@acme.example", password: "short-7" }, "password", "Password must be at least 8 characters"],
  [{ email: "mira@acme.example", password: 12345678 }, "password", "Password must be at least 8 characters"],
])("the call %j is told by %s: %s", (body, field, message) => {
  expect(() => check(loginCallSchema, body)).toThrow(expect.objectContaining({ fieldErrors: { [field]: [message] } }));
});

test("the form takes an email alone", () => {
  const wrong = { username: "mira", password: "short" };
  expect(() => check(loginFormSchema, wrong)).toThrow(
    expect.objectContaining({
      fieldErrors: {
        email: ["Please enter a valid email address"],
        password: ["Password must be at least 8 characters"],
      },
    }),
  );
});
