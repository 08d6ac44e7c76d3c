import { expect, test } from "vitest";
import { fieldWiring } from "~/components/forms/field";

test("a field without hint or error describes nothing", () => {
  expect(fieldWiring({ name: "email" }).control).toEqual({
    id: "email",
    name: "email",
    "aria-invalid": undefined,
    "aria-describedby": undefined,
  });
});

test("hint and error are both read, the hint first", () => {
  const wiring = fieldWiring({ name: "email", id: "login-email", hint: "Work address", error: ["Wrong", "Too short"] });
  expect(wiring.control["aria-describedby"]).toBe("login-email-hint login-email-error");
  expect(wiring.control["aria-invalid"]).toBe(true);
});

test("an empty list of errors is no error", () => {
  expect(fieldWiring({ name: "email", error: [] }).control["aria-invalid"]).toBeUndefined();
});
