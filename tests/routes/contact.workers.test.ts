import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import type { FormAnswer } from "~/components/forms/form";
import type { RequestScope } from "~/http/context.server";
import type { ContactMessage } from "~/modules/messages/contact";
import { action as form } from "~/routes/_public+/contact";
import { aContactMessage, storedFrom } from "../support/contact";
import { type TestServices, testServices } from "../support/services";

const { action: call } = routeOf("/api/contact");

function scopeOf(services: TestServices, ipAddress: string): RequestScope {
  return { services, nonce: "none", origin: { ipAddress, userAgent: "test", requestId: services.ids.next() } };
}

async function postCall(context: RequestScope, body: unknown): Promise<Response> {
  const request = new Request("http://app.test/api/contact", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return call({ request, context, params: {} });
}

const postForm = (context: RequestScope, fields: Record<string, string>) =>
  form({
    request: new Request("http://app.test/contact", { method: "POST", body: new URLSearchParams(fields) }),
    context,
    params: {},
  });

const consenting = (message: ContactMessage) => ({ ...message, privacy: "on", website: "" });

/** A page's answer that is drawn rather than sent on. */
function drawn(answer: Awaited<ReturnType<typeof postForm>>) {
  if (!("data" in answer)) throw new Error("a redirect where a page was expected");
  return { status: answer.init?.status, ...(answer.data as FormAnswer) };
}

test("200 posts from one address: five are taken, the rest are told to wait, nothing is stored twice", async () => {
  const services = testServices();
  const scope = scopeOf(services, "203.0.113.200");
  const message = aContactMessage();
  const answers = await Promise.all(Array.from({ length: 200 }, () => postCall(scope, message)));
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(5);
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused).toHaveLength(195);
  for (const answer of refused) expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await storedFrom(message.email)).toHaveLength(1);
  expect(services.sent).toHaveLength(1);
});

test("another address, and the same one an hour later, may write again", async () => {
  const services = testServices();
  const scope = scopeOf(services, "203.0.113.201");
  for (let i = 0; i < 5; i++) await postCall(scope, aContactMessage());
  expect((await postCall(scope, aContactMessage())).status).toBe(429);
  expect((await postCall(scopeOf(services, "203.0.113.202"), aContactMessage())).status).toBe(201);
  services.clock.advance(60 * 60_000);
  expect((await postCall(scope, aContactMessage())).status).toBe(201);
});

test("the call answers wrong fields one by one, counts nothing and stores nothing", async () => {
  const services = testServices();
  const scope = scopeOf(services, "203.0.113.203");
  const message = aContactMessage();
  for (let i = 0; i < 10; i++) {
    const answer = await postCall(scope, { ...message, phone: "123", interest: "" });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "INVALID_INPUT",
      fieldErrors: { phone: ["Valid phone number is required"], interest: ["Please select an option"] },
    });
  }
  expect(await storedFrom(message.email)).toEqual([]);
  expect((await postCall(scope, message)).status).toBe(201);
});

test("the form thanks by a message on the next page", async () => {
  const message = aContactMessage();
  const answer = await postForm(scopeOf(testServices(), "203.0.113.204"), consenting(message));
  expect(answer).toBeInstanceOf(Response);
  if (!(answer instanceof Response)) return;
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/contact#top"]);
  expect(answer.headers.get("Set-Cookie")).toContain("flash=");
  expect(await storedFrom(message.email)).toHaveLength(1);
});

test("a form whose hidden field is filled in is thanked and forgotten", async () => {
  const services = testServices();
  const message = aContactMessage();
  const answer = await postForm(scopeOf(services, "203.0.113.205"), { ...consenting(message), website: "x" });
  expect(answer instanceof Response && answer.status).toBe(303);
  expect(await storedFrom(message.email)).toEqual([]);
  expect(services.sent).toEqual([]);
});

test("a form without consent comes back as it was typed", async () => {
  const message = aContactMessage();
  const answer = await postForm(scopeOf(testServices(), "203.0.113.206"), { ...message, website: "" });
  expect(drawn(answer)).toMatchObject({
    status: 400,
    values: message,
    errors: { privacy: ["You must agree to the privacy policy"] },
  });
  expect(await storedFrom(message.email)).toEqual([]);
});

test("a form that is refused by the limit keeps what was typed and says so", async () => {
  const scope = scopeOf(testServices(), "203.0.113.207");
  for (let i = 0; i < 5; i++) await postForm(scope, consenting(aContactMessage()));
  const message = aContactMessage();
  const answer = drawn(await postForm(scope, consenting(message)));
  expect(answer).toMatchObject({ status: 429, values: message });
  expect(answer.formErrors).toEqual([expect.stringMatching(/wait/)]);
});
