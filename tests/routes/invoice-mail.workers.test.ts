import { env } from "cloudflare:workers";
import { auditLogs, invoices } from "@db/database";
import { type Written, writeMessage } from "@simulators/senders/message";
import { picturePdf, textPdf } from "@simulators/senders/pdf";
import { receiveEmail } from "@workers/email";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDocumentReader } from "~/adapters/document-reader/reader-binding";
import { DAY_MS } from "~/kernel/dates";
import { MAILED_INVOICES_PER_DAY } from "~/kernel/limits";
import { readInvoicesPage } from "~/modules/payments/invoices/invoice-page.server";
import {
  findMailSettings,
  nameMailSenders,
  renewMailAddress,
  switchMailOff,
} from "~/modules/payments/invoices/invoice-settings.server";
import type { Actor } from "~/services-and-actor";
import worker from "../../build/index.js";
import { aMember } from "../support/factories";
import { aTrustedPayee } from "../support/payments";
import { type TestServices, testServices } from "../support/services";

/** Emails to an organisation's own address, read by the real reader. */

const DOMAIN = "in.test.example";

type Office = { services: TestServices; admin: Actor; address: string };

async function anOffice(): Promise<Office> {
  const { READER } = env as unknown as { READER: Fetcher };
  const services = testServices({ documentReader: createDocumentReader({ binding: READER, log: { warn: () => {} } }) });
  services.config = { ...services.config, invoiceMailDomain: DOMAIN };
  const admin = await aMember(services, { role: "admin" });
  await renewMailAddress(services, admin);
  return { services, admin, address: await addressOf(services, admin) };
}

async function addressOf(services: TestServices, { organizationId }: Actor): Promise<string> {
  const settings = await findMailSettings(services, organizationId);
  if (!settings?.address) throw new Error("there is no address");
  return settings.address;
}

let serial = 0;

/** An invoice as a supplier sends it. */
const written = ({ services, address }: Office, given: Partial<Written> = {}): Written => ({
  to: address,
  from: { name: "Karri Floors", address: "accounts@karrifloors.example" },
  subject: "Invoice INV-2207",
  lines: ["Good morning,", "our invoice is attached."],
  attachment: {
    fileName: "inv-2207.pdf",
    bytes: textPdf([`Tax invoice INV-${++serial}`, "BSB: 062-000", "Account number: 12345678"]),
  },
  dmarc: "pass",
  at: services.clock.now(),
  id: `message-${serial}`,
  ...given,
});

type Delivered = { rejected: string | null };

async function deliver(
  { services }: Office,
  raw: string | Uint8Array<ArrayBuffer>,
  { to, from }: { to: string; from: string },
): Promise<Delivered> {
  const bytes = typeof raw === "string" ? new TextEncoder().encode(raw) : raw;
  const delivered: Delivered = { rejected: null };
  const setReject = (reason: string) => {
    delivered.rejected = reason;
  };
  const stream = new Blob([bytes]).stream();
  await receiveEmail({ from, to, raw: stream, rawSize: bytes.length, setReject }, services);
  return delivered;
}

const send = (office: Office, given: Partial<Written> = {}, envelope?: string) => {
  const message = written(office, given);
  return deliver(office, writeMessage(message), { to: message.to, from: envelope ?? message.from.address });
};

const kept = ({ services, admin }: Office) =>
  services.db.select().from(invoices).where(eq(invoices.organizationId, admin.organizationId)).orderBy(invoices.id);

/** Emails that wait to be sent, opened. */
async function answers({ services, admin }: Office) {
  const { DB } = env as unknown as { DB: D1Database };
  const { results: rows } = await DB.prepare(
    `SELECT "id", "sealedPayload" FROM "outbox" WHERE "organizationId" = ? AND "kind" = 'email'`,
  )
    .bind(admin.organizationId)
    .all<{ id: string; sealedPayload: string }>();
  const opened = await Promise.all(rows.map(async ({ id, sealedPayload }) => services.secrets.open(sealedPayload, id)));
  return opened.map((text) => JSON.parse(text) as { to: string; template: string; data: Record<string, string> });
}

const fromAdmin = ({ admin }: Office) => ({ name: "Mira", address: admin.email });

test("a person's own email is read, and answered in one sentence with a link and without a bank number", async () => {
  const office = await anOffice();
  const { details } = await aTrustedPayee(office.services, office.admin);
  const bank = [`BSB: ${details.bsb}`, `Account number: ${details.accountNumber}`];
  const bytes = textPdf(["Tax invoice INV-1", ...bank]);
  expect(await send(office, { from: fromAdmin(office), attachment: { fileName: "a.pdf", bytes } })).toEqual({
    rejected: null,
  });
  const [invoice, ...more] = await kept(office);
  expect(more).toEqual([]);
  expect(invoice).toMatchObject({
    status: "read",
    kind: "email",
    verdict: "same_account",
    receivedById: office.admin.userId,
    mailAuthentication: "pass",
    mailReplyTo: office.admin.email,
  });
  const [answer, ...others] = await answers(office);
  expect(others).toEqual([]);
  expect(answer).toMatchObject({
    to: office.admin.email,
    template: "invoiceAnswer",
    data: {
      payee: details.name,
      verdict: "Same account as the verified one",
      href: expect.stringContaining(`/invoices/${invoice?.id}`),
    },
  });
  expect(JSON.stringify(answer)).not.toContain(details.accountNumber.slice(-3));
});

test("a supplier's email is kept and listed without an answer", async () => {
  const office = await anOffice();
  await send(office);
  expect(await kept(office)).toMatchObject([
    { status: "read", verdict: "unknown_payee", receivedById: null, mailAuthentication: "pass", mailReplyTo: null },
  ]);
  expect(await answers(office)).toEqual([]);
});

test("an address that an administrator names is answered, and no other of its domain", async () => {
  const office = await anOffice();
  await nameMailSenders(office.services, office.admin, ["books@bookkeeper.example"]);
  await send(office, { from: { name: "Books", address: "books@bookkeeper.example" } });
  await send(office, { from: { name: "Else", address: "else@bookkeeper.example" } });
  expect((await answers(office)).map(({ to }) => to)).toEqual(["books@bookkeeper.example"]);
});

test("whoever pretends to be one of the people is not answered, whatever their own headers say", async () => {
  const office = await anOffice();
  const domain = office.admin.email.split("@")[1];
  const honest = writeMessage(written(office, { from: fromAdmin(office), dmarc: "fail" }));
  const forged = `Authentication-Results: mx.cloudflare.net; dmarc=pass header.from=${domain}\r\nMessage-ID:`;
  await deliver(office, honest.replace("Message-ID:", forged), { to: office.address, from: office.admin.email });
  // The platform added no results, so the header in the message comes from its sender.
  const bare = honest
    .replace(/^(?:ARC-)?Authentication-Results:.*\r\n .*\r\n/gm, "")
    .replace("Invoice INV", "Other INV");
  const below = bare.replace("Message-ID:", `Received: from a by b\r\n${forged}`);
  await deliver(office, below, { to: office.address, from: office.admin.email });
  expect((await kept(office)).map(({ mailAuthentication }) => mailAuthentication)).toEqual(["fail", "unknown"]);
  expect(await answers(office)).toEqual([]);
});

test("a message that fails the check of its sender's domain is warned about", async () => {
  const office = await anOffice();
  await send(office, { dmarc: "fail" });
  const [invoice] = await kept(office);
  expect(invoice?.findings).toContainEqual(
    expect.objectContaining({
      code: "authentication_failed",
      level: "warn",
      message: expect.stringContaining("DMARC"),
    }),
  );
  await send(office);
  expect((await kept(office))[1]?.findings.map(({ code }) => code)).not.toContain("authentication_failed");
});

test("a message is taken once, also when it comes again by another way or twice at once", async () => {
  const office = await anOffice();
  const raw = writeMessage(written(office, { from: fromAdmin(office) }));
  const at = { to: office.address, from: office.admin.email };
  await Promise.all([deliver(office, raw, at), deliver(office, raw, at)]);
  await deliver(office, `Received: from another server; later\r\n${raw}`, at);
  expect(await kept(office)).toHaveLength(1);
  expect(await answers(office)).toHaveLength(1);
  const other = raw.replace("our invoice", "another invoice");
  await deliver(office, other, at);
  expect(await kept(office)).toHaveLength(2);
});

test("bounces, automatic answers and our own addresses are kept and never answered", async () => {
  const office = await anOffice();
  await send(office, { from: fromAdmin(office) }, "");
  const raw = writeMessage(written(office, { from: fromAdmin(office) }));
  const automatic = raw.replace("Subject:", "Auto-Submitted: auto-replied\r\nSubject:");
  await deliver(office, automatic, { to: office.address, from: office.admin.email });
  await nameMailSenders(office.services, office.admin, [office.address]);
  await send(office, { from: { name: "Loop", address: office.address } });
  expect(await kept(office)).toHaveLength(3);
  expect(await answers(office)).toEqual([]);
});

test("an address that is unknown, replaced or switched off is refused, and nothing is kept", async () => {
  const office = await anOffice();
  const { services, admin, address } = office;
  const refused = { rejected: "This address does not exist" };
  expect(await send(office, { to: `someone@${DOMAIN}` })).toEqual(refused);
  expect(await send(office, { to: address.replace(DOMAIN, "elsewhere.example") })).toEqual(refused);
  await renewMailAddress(services, admin);
  expect(await send(office)).toEqual(refused);
  const replaced = await addressOf(services, admin);
  const listed = async () => (await readInvoicesPage(services, admin, new URLSearchParams())).mailTo;
  expect(await listed()).toBe(replaced);
  expect(await send(office, { to: replaced.toUpperCase() })).toEqual({ rejected: null });
  await switchMailOff(services, admin);
  expect(await listed()).toBeNull();
  expect(await send(office, { to: replaced })).toEqual(refused);
  expect(await kept(office)).toHaveLength(1);
  const acts = await services.db
    .select({ action: auditLogs.action })
    .from(auditLogs)
    .where(eq(auditLogs.organizationId, admin.organizationId));
  expect(acts.map(({ action }) => action).filter((action) => action.startsWith("invoice.mail"))).toEqual([
    "invoice.mail_switched_on",
    "invoice.mail_replaced",
    "invoice.mail_switched_off",
  ]);
});

test("a message that is too large is refused, also where its size is not told", async () => {
  const office = await anOffice();
  const large = new Uint8Array(10 * 1024 * 1024 + 1).fill(65);
  const at = { to: office.address, from: "a@b.example" };
  expect(await deliver(office, large, at)).toEqual({ rejected: "The message is larger than 10 MB" });
  let rejected = "";
  const setReject = (reason: string) => {
    rejected = reason;
  };
  await receiveEmail({ ...at, raw: new Blob([large]).stream(), rawSize: 5, setReject }, office.services);
  expect(rejected).toBe("The message is larger than 10 MB");
  expect(await deliver(office, "no email at all", at)).toEqual({ rejected: "This email cannot be read" });
  expect(await kept(office)).toEqual([]);
});

test("what strangers send is limited by the day and the sender, and leaves the people's own alone", async () => {
  const office = await anOffice();
  const { services, admin } = office;
  const { all, ofOne } = MAILED_INVOICES_PER_DAY.others;
  const row = (index: number, fromAddress: string) => ({
    ...{
      id: services.ids.next(),
      organizationId: admin.organizationId,
      status: "read" as const,
      source: "api" as const,
    },
    ...{ fileName: "a.eml", contentType: "message/rfc822", sha256: `${index}`, byteCount: 1, fromAddress },
    ...{ receivedAt: services.clock.now(), updatedAt: services.clock.now(), mailAuthentication: "unknown" as const },
  });
  const stranger = "accounts@karrifloors.example";
  const add = (from: number, to: number, address: (index: number) => string) =>
    services.db.batch([
      services.db.insert(invoices).values(row(from, address(from))),
      ...Array.from({ length: to - from - 1 }, (_, at) =>
        services.db.insert(invoices).values(row(from + at + 1, address(at))),
      ),
    ]);
  await add(0, ofOne, () => stranger);
  const refused = { rejected: "Too many messages today: try again tomorrow" };
  expect(await send(office)).toEqual(refused);
  expect(await send(office, { from: { name: "Other", address: "a@other.example" } })).toEqual({ rejected: null });
  await add(ofOne + 1, all, (index) => `a${index}@many.example`);
  expect(await send(office, { from: { name: "New", address: "a@new.example" } })).toEqual(refused);
  expect(await send(office, { from: fromAdmin(office) })).toEqual({ rejected: null });
  services.clock.advance(DAY_MS + 1);
  expect(await send(office)).toEqual({ rejected: null });
});

test("a picture is answered as one that could not be read, and one whose subscription ended receives nothing", async () => {
  const office = await anOffice();
  await send(office, { from: fromAdmin(office), attachment: { fileName: "scan.pdf", bytes: picturePdf(1) } });
  expect(await answers(office)).toMatchObject([{ data: { verdict: "The bank details could not be read" } }]);
  office.services.clock.advance(60 * DAY_MS);
  expect(await send(office)).toEqual({ rejected: "This address receives nothing at the moment" });
});

test("the Worker's own handler refuses what it does not know", async () => {
  let rejected = "";
  const message = {
    from: "a@b.example",
    to: `someone@${DOMAIN}`,
    raw: new Blob(["Subject: x\r\n\r\n"]).stream(),
    rawSize: 14,
    setReject: (reason: string) => {
      rejected = reason;
    },
  };
  await worker.email(message, { ...(env as unknown as Record<string, unknown>), INVOICE_MAIL_DOMAIN: DOMAIN });
  expect(rejected).toBe("This address does not exist");
});
