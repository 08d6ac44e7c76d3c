import { expect, test } from "vitest";
import { describeFields } from "./answered-form";

const constraints = { name: { required: true, minLength: 2 }, phone: { pattern: "\\d+" } };
const defaultValue = { name: "", phone: "0400 000 000" };

test("before anything was sent the fields hold their first values and attributes", () => {
  expect(describeFields({ constraints, defaultValue })).toEqual({
    name: { name: "name", required: true, minLength: 2, defaultValue: "" },
    phone: { name: "phone", pattern: "\\d+", defaultValue: "0400 000 000" },
  });
});

test("a refused form keeps what was typed, with the message at its field", () => {
  const answer = { values: { name: "A", phone: "" }, errors: { name: ["Name is too short"] } };
  const fields = describeFields({ constraints, defaultValue, answer });
  expect(fields.name).toMatchObject({ defaultValue: "A", error: ["Name is too short"] });
  expect(fields.phone).toMatchObject({ defaultValue: "", error: undefined });
});
