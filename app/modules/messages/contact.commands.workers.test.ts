import { outbox } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Email } from "~/emails/templates";
import { aContactMessage as aMessage, storedFrom } from "../../../tests/support/contact";
import { failingBeforeCommit, losingAcknowledgements } from "../../../tests/support/data-layer-suite";
import { testServices } from "../../../tests/support/services";
import { submitContactMessage } from "./contact.server";

test("a message is stored and its mail to our inbox is promised", async () => {
  const services = testServices();
  const message = aMessage({ interest: "integration" });
  await submitContactMessage(services, message);
  expect(await storedFrom(message.email)).toMatchObject([message]);
  expect(services.sent).toHaveLength(1);
  const jobId = services.sent[0]?.jobId ?? "";
  const [job] = await services.db.select().from(outbox).where(eq(outbox.id, jobId));
  const mail = JSON.parse(await services.secrets.open(job?.sealedPayload ?? "", jobId)) as Email & { to: string };
  expect(mail).toMatchObject({
    to: services.config.contactInbox,
    template: "contactReceived",
    data: { ...message, interest: "Integration" },
  });
});

test("the same message sent ten times at once is stored and emailed once", async () => {
  const services = testServices();
  const message = aMessage();
  await Promise.all(Array.from({ length: 10 }, () => submitContactMessage(services, message)));
  await submitContactMessage(services, message);
  expect(await storedFrom(message.email)).toHaveLength(1);
  expect(services.sent).toHaveLength(1);
});

test("one word changed is another message", async () => {
  const services = testServices();
  const message = aMessage();
  await submitContactMessage(services, message);
  await submitContactMessage(services, { ...message, message: "We would like to buy it." });
  expect(await storedFrom(message.email)).toHaveLength(2);
});

test.each([
  ["before the commit", failingBeforeCommit],
  ["after the commit", losingAcknowledgements],
] as const)("a connection lost %s stores the message once", async (_when, breaking) => {
  const services = testServices();
  const message = aMessage();
  await submitContactMessage({ ...services, db: breaking(services.db, 1) }, message);
  expect(await storedFrom(message.email)).toHaveLength(1);
  expect(services.sent).toHaveLength(1);
});
