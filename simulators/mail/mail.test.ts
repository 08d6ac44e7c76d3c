import { expect, test } from "vitest";
import { UpstreamError } from "~/kernel/app-error";
import { createBench, jsonOf } from "../../tests/support/simulator-bench";
import { findLinks } from "../links";
import type { Mail } from "./party";

const MAIL = {
  to: "ann@example.com",
  subject: "Confirm <your> details",
  html: '<p>Hello <a href="http://app.test/verify/abc?vid=1&amp;pid=2">Confirm</a></p>',
  text: "Confirm: http://app.test/verify/abc?vid=1&pid=2.",
};

test("a mail arrives in the mailbox with its links", async () => {
  const bench = createBench();
  const { providerMessageId } = await bench.mail.send(MAIL, "outbox-1");
  expect(await (await bench.get("/mail/messages")).json()).toEqual([
    {
      id: providerMessageId,
      ...MAIL,
      headers: {},
      links: ["http://app.test/verify/abc?vid=1&pid=2"],
      receivedAt: bench.clock.now(),
    },
  ]);
});

test("the newest mail is first", async () => {
  const bench = createBench();
  await bench.mail.send({ ...MAIL, subject: "First" }, "outbox-1");
  await bench.mail.send({ ...MAIL, subject: "Second" }, "outbox-2");
  const mails = await jsonOf<Mail[]>(bench.get("/mail/messages"));
  expect(mails.map(({ subject }) => subject)).toEqual(["Second", "First"]);
});

test("the same key sends one mail within a day, and another after it", async () => {
  const bench = createBench();
  const first = await bench.mail.send(MAIL, "outbox-1");
  bench.advance(24 * 60 * 60 * 1000);
  expect(await bench.mail.send(MAIL, "outbox-1")).toEqual(first);
  bench.advance(1);
  expect(await bench.mail.send(MAIL, "outbox-1")).not.toEqual(first);
});

test("the same key with another mail is refused while the key is known, which is no reason to drop the mail", async () => {
  const bench = createBench();
  await bench.mail.send(MAIL, "outbox-1");
  const error = await bench.mail.send({ ...MAIL, subject: "Other" }, "outbox-1").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UpstreamError);
  expect(error).toMatchObject({ kind: "unavailable", options: { code: "invalid_idempotent_request" } });
});

test("a key longer than 256 characters is rejected", async () => {
  await expect(createBench().mail.send(MAIL, "k".repeat(257))).rejects.toMatchObject({ kind: "rejected" });
});

test("a mail without an API key is refused", async () => {
  expect((await createBench().postJson("/mail/emails", MAIL)).status).toBe(401);
});

test("pages show the mail in a sandbox, its text escaped", async () => {
  const bench = createBench();
  const { providerMessageId } = await bench.mail.send({ ...MAIL, html: '<script>alert("x")</script>' }, "outbox-1");
  expect(await (await bench.get("/mail")).text()).toContain(`href="/mail/${providerMessageId}"`);
  const page = await (await bench.get(`/mail/${providerMessageId}`)).text();
  expect(page).toContain('<iframe sandbox=""');
  expect(page).not.toContain("<script>");
  expect(page).toContain("Confirm &#60;your&#62; details");
  expect((await bench.get("/mail/none")).status).toBe(404);
});

test("mail outlives a restart of the simulators", async () => {
  const before = createBench();
  await before.mail.send(MAIL, "outbox-1");
  const after = createBench({ state: JSON.parse(JSON.stringify(before.state)) });
  expect(await (await after.get("/mail/messages")).json()).toHaveLength(1);
});

test.each([
  ["<a href='https://a.example/?x=1&#38;y=2'>", "", ["https://a.example/?x=1&y=2"]],
  ['<a href="mailto:a@example.com">', "", []],
  ["", "(see https://a.example/b), or https://a.example/b.", ["https://a.example/b"]],
])("links in %s and %s", (markup, text, expected) => {
  expect(findLinks(markup, text)).toEqual(expected);
});
