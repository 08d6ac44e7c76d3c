import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PasswordInput } from "~/components/accounts/identity/account-fields";
import { Checkbox, TextInput } from "~/components/forms/fields";
import { type FormAnswer, type FormContext, FormContextProvider, FormErrorSummary, KEPT_FORM } from "./form";

const inputOf = (field: ReactNode, around: FormContext = {}) => {
  const html = renderToStaticMarkup(<FormContextProvider value={around}>{field}</FormContextProvider>);
  const [input = ""] = html.match(/<input[^>]*>/) ?? [];
  const attributes = [...input.matchAll(/([a-z-]+)="([^"]*)"/gi)].map(([, name = "", value]) => [
    name.toLowerCase(),
    value,
  ]);
  return { html, ...Object.fromEntries(attributes) } as Record<string, string>;
};

const answer = (values: FormAnswer["values"], errors: FormAnswer["errors"] = {}): FormAnswer => ({
  intent: "",
  code: "INVALID_INPUT",
  title: "There is a problem",
  errors,
  formErrors: [],
  values,
});

const limits = { name: { required: true, minLength: 2 }, phone: { pattern: "\\d+" } };
const values = { name: "Ada", phone: "0400 000 000" };

test("a field without hint or error describes nothing", () => {
  const {
    id,
    "aria-invalid": invalid,
    "aria-describedby": described,
  } = inputOf(<TextInput name="email" label="Email" />);
  expect({ id, invalid, described }).toEqual({ id: "email", invalid: undefined, described: undefined });
});

test("hint and error are both read, the hint first", () => {
  const field = (
    <TextInput name="email" id="login-email" label="Email" hint="Work address" error={["Wrong", "Too short"]} />
  );
  expect(inputOf(field)).toMatchObject({
    "aria-describedby": "login-email-hint login-email-error",
    "aria-invalid": "true",
  });
});

test("an empty list of errors is no error", () => {
  expect(inputOf(<TextInput name="email" label="Email" error={[]} />)["aria-invalid"]).toBeUndefined();
});

test("before anything was sent the fields hold their first values and limits", () => {
  const name = inputOf(<TextInput name="name" label="Name" />, { values, limits });
  expect(name).toMatchObject({ value: "Ada", required: "", minlength: "2" });
  expect(name.html).not.toContain("(optional)");
  const phone = inputOf(<TextInput name="phone" label="Phone" />, { values, limits });
  expect(phone).toMatchObject({ value: "0400 000 000", pattern: "\\d+" });
  expect(phone.html).toContain("(optional)");
});

test("a refused form keeps what was typed, with the message at its field", () => {
  const around = { values, limits, answer: answer({ name: "A", phone: "" }, { name: ["Name is too short"] }) };
  const name = inputOf(<TextInput name="name" label="Name" />, around);
  expect(name).toMatchObject({ value: "A", "aria-describedby": "name-error" });
  expect(name.html).toContain("Name is too short");
  expect(inputOf(<TextInput name="phone" label="Phone" />, around)).toMatchObject({ value: "" });
});

test("a box that was not ticked stays so in a refused form", () => {
  const box = <Checkbox name="terms" label="Accept" />;
  expect(inputOf(box, { values: { terms: "on" } }).checked).toBe("");
  expect(inputOf(box, { values: { terms: "on" }, answer: answer({}) }).checked).toBeUndefined();
  expect(inputOf(box, { answer: answer({ terms: "on" }) }).checked).toBe("");
});

test("a password is never filled in again", () => {
  const around = { values: { password: "Secret-1" }, answer: answer({ password: "Secret-2" }) };
  expect(inputOf(<PasswordInput name="password" label="Password" />, around).html).not.toContain("Secret");
});

test("two fields of one name on one page have ids of their own", () => {
  const around = { idPrefix: "off", answer: answer({}, { code: ["Wrong code"] }) };
  expect(inputOf(<TextInput name="code" label="Code" />, around)).toMatchObject({
    id: "off-code",
    name: "code",
    "aria-describedby": "off-code-error",
  });
});

test("a form that was sent in vain leads to where its person logs in again, in another tab; other refusals lead nowhere", () => {
  for (const { sentence, to, label } of Object.values(KEPT_FORM)) {
    const html = renderToStaticMarkup(<FormErrorSummary formErrors={[sentence]} />);
    expect(html).toMatch(
      new RegExp(`<a href="${to}" target="_blank" rel="noopener"[^>]*>${label} \\(opens in a new tab\\)</a>`),
    );
  }
  expect(renderToStaticMarkup(<FormErrorSummary formErrors={["Choose a role"]} />)).not.toContain("<a");
});
