import { expect, test } from "vitest";
import { action as addAction, loader as listLoader } from "~/routes/_app+/settings.webhooks";
import { action as endpointAction, loader as endpointLoader } from "~/routes/_app+/settings.webhooks_.$id";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { cookieOf, routeArgs } from "../support/requests";
import { aWorld } from "../support/simulators";

type Body = Record<string, unknown>;

async function anOffice() {
  const world = aWorld();
  return { world, admin: await aMember(world, { role: "admin" }) };
}

async function formArgs(
  office: { world: ReturnType<typeof aWorld>; admin: Actor },
  path: string,
  fields: string,
  id = "",
) {
  const args = await routeArgs(office.world, office.admin, path, id ? { id } : {});
  const headers = {
    Cookie: await cookieOf(office.world, office.admin),
    "Content-Type": "application/x-www-form-urlencoded",
    Accept: "text/html",
  };
  return { ...args, request: new Request(args.request.url, { method: "POST", headers, body: fields }) };
}

const URL_TEXT = encodeURIComponent("https://hooks.harbour.example/payeeproof");

test("an admin adds an endpoint, sees its secret once, tests it and finds the answer in its log", async () => {
  const office = await anOffice();
  const { world, admin } = office;
  const added = await addAction(
    await formArgs(
      office,
      "/settings/webhooks",
      `intent=create&url=${URL_TEXT}&events=payee.added&events=payment.failed`,
    ),
  );
  if (!(added instanceof Response)) throw new Error(JSON.stringify(added));
  const path = added.headers.get("Location") ?? "";
  expect([added.status, path]).toEqual([303, expect.stringMatching(/^\/settings\/webhooks\/[0-9a-f-]{36}$/)]);
  const id = path.split("/").at(-1) ?? "";
  const secretCookie = added.headers.getSetCookie().find((cookie) => cookie.startsWith("new-webhook-secret")) ?? "";

  const look = async (more = "") => {
    const args = await routeArgs(world, admin, path, { id });
    const headers = { Cookie: `${args.request.headers.get("Cookie")}; ${more}` };
    const answer = await endpointLoader({ ...args, request: new Request(args.request.url, { headers }) });
    return (answer as unknown as { data: Body }).data;
  };
  expect(await look(secretCookie.split(";")[0])).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  expect(await look()).toMatchObject({ secret: null, deliveries: [] });

  await endpointAction(await formArgs(office, path, "intent=test", id));
  await world.drain();
  expect(await look()).toMatchObject({
    deliveries: [
      { label: "Test event", statusWord: "Taken", answer: expect.stringMatching(/^200 after \d+ ms\n\ntaken$/) },
    ],
  });
  const listed = (await listLoader(await routeArgs(world, admin, "/settings/webhooks"))) as Body;
  expect(listed.endpoints).toMatchObject([{ id, statusWord: "Active", events: ["payee.added", "payment.failed"] }]);
});

test.each([
  ["url=&events=payee.added", "url", "Enter the address"],
  [
    `url=${encodeURIComponent("http://hooks.harbour.example")}&events=payee.added`,
    "url",
    "The address has to begin with https://",
  ],
  [
    `url=${encodeURIComponent("https://127.0.0.1/x")}&events=payee.added`,
    "url",
    "Use a domain name, not an IP address, such as hooks.example.com",
  ],
  [`url=${URL_TEXT}`, "events", "Choose at least one event"],
  [`url=${URL_TEXT}&events=payee.exploded`, "events", "Choose at least one event"],
])("%s is refused beside its field", async (fields, field, sentence) => {
  const answer = await addAction(await formArgs(await anOffice(), "/settings/webhooks", `intent=create&${fields}`));
  const { data, init } = answer as unknown as {
    data: { errors: Record<string, string[]>; values: Body };
    init: ResponseInit;
  };
  expect(init.status).toBe(400);
  expect(data.errors[field]).toEqual([sentence]);
});
