import { exports } from "cloudflare:workers";
import { contactSubmissions, outbox } from "@db/schema";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Mail } from "~/emails/templates";
import type { Services } from "~/services";
import { failingBeforeCommit, losingAcknowledgements } from "../../../tests/support/data-layer-suite";
import { testServices } from "../../../tests/support/services";
import type { ContactMessage } from "./contact";
import { submitContactMessage } from "./contact.commands.server";

let count = 0;

function aMessage(changes: Partial<ContactMessage> = {}): ContactMessage {
  count += 1;
  return {
    firstName: "Mira",
    lastName: "Okafor",
    email: `mira-${count}-${crypto.randomUUID()}@harbour.example`,
    company: "Harbour Joinery",
    phone: "02 5550 0142",
    interest: "demo",
    message: "We would like to see it.",
    ...changes,
  };
}

const storedFrom = (services: Pick<Services, "db">, email: string) =>
  services.db.select().from(contactSubmissions).where(eq(contactSubmissions.email, email));

test("a message is stored and its mail to our inbox is promised", async () => {
  const services = testServices();
  const message = aMessage({ interest: "integration" });
  await submitContactMessage(services, message);
  expect(await storedFrom(services, message.email)).toMatchObject([message]);
  expect(services.sent).toHaveLength(1);
  const jobId = services.sent[0]?.jobId ?? "";
  const [job] = await services.db.select().from(outbox).where(eq(outbox.id, jobId));
  const mail = JSON.parse(await services.secrets.open(job?.sealedPayload ?? "", jobId)) as Mail & { to: string };
  expect(mail).toMatchObject({
    to: services.config.contactInbox,
    template: "contactReceived",
    data: { ...message, interest: "Integration" },
  });
});

test("the same message sent ten times at once is stored and mailed once", async () => {
  const services = testServices();
  const message = aMessage();
  await Promise.all(Array.from({ length: 10 }, () => submitContactMessage(services, message)));
  await submitContactMessage(services, message);
  expect(await storedFrom(services, message.email)).toHaveLength(1);
  expect(services.sent).toHaveLength(1);
});

test("one word changed is another message", async () => {
  const services = testServices();
  const message = aMessage();
  await submitContactMessage(services, message);
  await submitContactMessage(services, { ...message, message: "We would like to buy it." });
  expect(await storedFrom(services, message.email)).toHaveLength(2);
});

test.each([
  ["before the commit", failingBeforeCommit],
  ["after the commit", losingAcknowledgements],
] as const)("a connection lost %s stores the message once", async (_when, breaking) => {
  const services = testServices();
  const message = aMessage();
  await submitContactMessage({ ...services, db: breaking(services.db, 1) }, message);
  expect(await storedFrom(services, message.email)).toHaveLength(1);
  expect(services.sent).toHaveLength(1);
});

const post = (path: string, address: string, init: RequestInit) =>
  (exports as unknown as { default: Fetcher }).default.fetch(`http://app.test${path}`, {
    method: "POST",
    redirect: "manual",
    ...init,
    headers: { ...init.headers, "CF-Connecting-IP": address },
  });

const postJson = (address: string, body: unknown) =>
  post("/api/contact", address, { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

test("200 posts from one address: five are taken, the rest are told to wait, nothing is stored twice", async () => {
  const services = testServices();
  const message = aMessage();
  const statuses: number[] = [];
  for (let i = 0; i < 200; i++) {
    const response = await postJson("203.0.113.200", message);
    statuses.push(response.status);
    if (response.status === 429) expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    await response.body?.cancel();
  }
  expect(statuses.slice(0, 5)).toEqual([201, 201, 201, 201, 201]);
  expect(new Set(statuses.slice(5))).toEqual(new Set([429]));
  expect(await storedFrom(services, message.email)).toHaveLength(1);
});

test("the call answers wrong fields one by one and stores nothing", async () => {
  const services = testServices();
  const message = aMessage();
  const response = await postJson("203.0.113.201", { ...message, phone: "123", interest: "" });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "INVALID_INPUT",
    fieldErrors: { phone: ["Valid phone number is required"], interest: ["Please select an option"] },
  });
  expect(await storedFrom(services, message.email)).toEqual([]);
});

test("a form whose hidden field is filled in is thanked and forgotten", async () => {
  const services = testServices();
  const send = (address: string, message: ContactMessage, website: string) =>
    post("/contact", address, {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...message, privacy: "on", website }).toString(),
    });
  const [trapped, honest] = [aMessage(), aMessage()];
  for (const [message, website] of [
    [trapped, "https://spam.example"],
    [honest, ""],
  ] as const) {
    const response = await send("203.0.113.202", message, website);
    expect(response.status).toBe(303);
    expect(response.headers.get("Set-Cookie")).toContain("flash=");
  }
  expect(await storedFrom(services, trapped.email)).toEqual([]);
  expect(await storedFrom(services, honest.email)).toHaveLength(1);
});
