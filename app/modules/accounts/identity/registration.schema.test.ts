import { expect, test } from "vitest";
import { check } from "~/http/body.server";
import { AppError } from "~/kernel/app-error";
import { parseRegistrationForm, registrationCallSchema } from "./register.server";

const CALL = {
  email: "mira@acme.example",
  firstName: "Mira",
  lastName: "Okafor",
  password: "Correct-horse-7",
  newOrganisation: { name: "Acme", abn: "51 824 753 556" },
};

const FORM: Record<string, string> = {
  email: "mira@acme.example",
  firstName: "Mira",
  lastName: "",
  password: "Correct-horse-7",
  confirmPassword: "Correct-horse-7",
  acceptTerms: "on",
  createOrganisation: "true",
  "newOrganisation.name": "Acme",
  "newOrganisation.abn": "",
};

function errorsOf(run: () => unknown): Record<string, string[]> {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError && error.fieldErrors) return error.fieldErrors;
    throw error;
  }
  return {};
}

const callErrors = (changes: Record<string, unknown>) =>
  errorsOf(() => check(registrationCallSchema, { ...CALL, ...changes }));

function aForm(changes: Record<string, string | undefined> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...FORM, ...changes })) if (value !== undefined) form.set(name, value);
  return form;
}

const formErrors = (changes: Record<string, string | undefined>) =>
  errorsOf(() => parseRegistrationForm(aForm(changes)));

test("a call is read in both spellings, cleaned", () => {
  const expected = { ...CALL, newOrganisation: undefined, newOrganization: { name: "Acme", abn: "51824753556" } };
  expect(check(registrationCallSchema, CALL)).toEqual({ ...expected, organizationId: undefined });
  const { newOrganisation: newOrganization, ...person } = CALL;
  expect(check(registrationCallSchema, { ...person, newOrganization })).toEqual({
    ...expected,
    organizationId: undefined,
  });
  for (const spelling of ["organisationId", "organizationId"]) {
    expect(check(registrationCallSchema, { ...person, [spelling]: "an-id" }).organizationId).toBe("an-id");
  }
  const spaced = check(registrationCallSchema, {
    ...CALL,
    email: " MIRA@Acme.example ",
    firstName: " Mira\u200b  Jo ",
  });
  expect(spaced).toMatchObject({ email: "mira@acme.example", firstName: "Mira Jo" });
});

test.each([undefined, null, ""])("the last name may be left out as %j", (lastName) => {
  expect(check(registrationCallSchema, { ...CALL, lastName }).lastName).toBe("");
});

test("a call needs no confirmation of the password and no accepted terms", () => {
  expect(callErrors({ confirmPassword: undefined, acceptTerms: undefined })).toEqual({});
});

test.each([
  ["email", undefined, "Please enter a valid email address"],
  ["email", "mira", "Please enter a valid email address"],
  ["email", 7, "Please enter a valid email address"],
  ["firstName", undefined, "First name must be at least 2 characters"],
  ["firstName", "M", "First name must be at least 2 characters"],
  ["firstName", " M ", "First name must be at least 2 characters"],
  ["firstName", "M\u200b", "First name must be at least 2 characters"],
  ["firstName", "See https://evil.example", "A name cannot contain a web address"],
  ["firstName", "Mi\u0000ra", "Please remove the characters that cannot be stored"],
  ["firstName", "x".repeat(101), "Please use at most 100 characters"],
  ["password", undefined, "Password must be at least 8 characters long"],
  ["password", "Ab1-xyz", "Password must be at least 8 characters long"],
  ["password", "correct-horse-7", "Password must contain at least one uppercase letter"],
  ["password", "CORRECT-HORSE-7", "Password must contain at least one lowercase letter"],
  ["password", "Correct-horse", "Password must contain at least one number"],
  ["password", "Correcthorse7", "Password must contain at least one special character"],
  ["password", `Aa1-${"x".repeat(200)}`, "Password must be at most 200 characters long"],
])("a call with %s %j is told: %s", (field, value, message) => {
  expect(callErrors({ [field]: value })).toEqual({ [field]: [message] });
});

test("a password is told every rule it breaks", () => {
  expect(callErrors({ password: "" }).password).toEqual([
    "Password must be at least 8 characters long",
    "Password must contain at least one uppercase letter",
    "Password must contain at least one lowercase letter",
    "Password must contain at least one number",
    "Password must contain at least one special character",
  ]);
});

test("letters of any script count as letters, and characters are counted, not code units", () => {
  expect(callErrors({ password: "Élève-été-7" })).toEqual({});
  expect(callErrors({ password: "Aa1😀😀" }).password).toContain("Password must be at least 8 characters long");
});

test.each([
  ["name", "A", "Organisation name must be at least 2 characters"],
  ["name", undefined, "Organisation name must be at least 2 characters"],
  ["abn", "5182475355", "ABN must be at least 11 characters"],
  ["abn", "51 824 753 55", "ABN must be at least 11 characters"],
  ["abn", "51824753557", "This ABN is not valid. Please check each digit"],
])("a new organisation's %s %j is told: %s", (field, value, message) => {
  const newOrganisation = { ...CALL.newOrganisation, [field]: value };
  expect(callErrors({ newOrganisation })).toEqual({ [`newOrganisation.${field}`]: [message] });
});

test("a call cannot join and create at once", () => {
  expect(callErrors({ organisationId: "an-id" })).toEqual({
    organisationId: ["Join an organisation or create one, not both"],
  });
});

test("a form that passes asks for what was filled in", () => {
  expect(parseRegistrationForm(aForm())).toEqual({
    email: "mira@acme.example",
    firstName: "Mira",
    lastName: "",
    password: "Correct-horse-7",
    newOrganization: { name: "Acme", abn: undefined },
    organizationId: undefined,
    submissionId: undefined,
  });
});

test("the choice on the form decides between joining and creating", () => {
  const both = { organisationId: "an-id", "newOrganisation.name": "Acme" };
  expect(parseRegistrationForm(aForm({ ...both, createOrganisation: "false" }))).toMatchObject({
    organizationId: "an-id",
    newOrganization: undefined,
  });
  expect(parseRegistrationForm(aForm({ ...both, createOrganisation: "true" }))).toMatchObject({
    organizationId: undefined,
    newOrganization: { name: "Acme" },
  });
  expect(parseRegistrationForm(aForm({ ...both, createOrganisation: undefined })).organizationId).toBe("an-id");
});

test.each([
  ["confirmPassword", "Correct-horse-8", "Passwords do not match"],
  ["confirmPassword", undefined, "Passwords do not match"],
  ["acceptTerms", undefined, "You must accept the Terms and Conditions to register"],
  ["acceptTerms", "off", "You must accept the Terms and Conditions to register"],
  ["newOrganisation.name", "", "Organisation name must be at least 2 characters"],
  ["newOrganisation.abn", "123", "ABN must be at least 11 characters"],
])("a form with %s %j is told: %s", (field, value, message) => {
  expect(formErrors({ [field]: value })).toEqual({ [field]: [message] });
});

test("an empty form is told everything at once", () => {
  const empty = Object.fromEntries(Object.keys(FORM).map((name) => [name, undefined]));
  expect(Object.keys(formErrors(empty)).sort()).toEqual([
    "acceptTerms",
    "confirmPassword",
    "email",
    "firstName",
    "newOrganisation.name",
    "password",
  ]);
});
