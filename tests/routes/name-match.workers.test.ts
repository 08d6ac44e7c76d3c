import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import { namePairCallSchema } from "~/modules/name-match/name-pair.server";

const app = (exports as unknown as { default: Fetcher }).default;
const ask = (body: unknown) =>
  app.fetch("http://app.test/api/name-match", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

test("two names are compared, with score, class, badge and what differs", async () => {
  const response = await ask({ submitted: "Acme Plumbing", held: "ACME PLUMBING PTY LTD", kind: "org" });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    matchType: "fuzzy",
    badge: "Very Strong",
    differences: [{ type: "legal_form", submitted: "", held: "PTY LTD" }],
  });
});

test.each([
  [{}, ["submitted", "held"]],
  [{ submitted: "Acme", held: "" }, ["held"]],
  [{ submitted: "Acme", held: 5 }, ["held"]],
  [{ submitted: "Acme", held: "Acme", kind: "robot" }, ["kind"]],
])("what cannot be compared is refused beside its field: %j", async (body, fields) => {
  const response = await ask(body);
  expect(response.status).toBe(400);
  const { fieldErrors } = (await response.json()) as { fieldErrors: Record<string, string[]> };
  expect(Object.keys(fieldErrors)).toEqual(fields);
});

test("the kind is only a hint", () => {
  expect(namePairCallSchema.parse({ submitted: " Acme ", held: "Acme" })).toEqual({ submitted: "Acme", held: "Acme" });
});
