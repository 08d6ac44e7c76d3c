import { auditLogs, outbox, payeeChanges, users } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { HOUR_MS } from "~/kernel/dates";
import { WAY_FIELDS, type WayKind } from "~/kernel/ways-to-pay";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { unwhitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { decideInvoice } from "~/modules/payments/invoices/decide-invoice.server";
import { MAX_INVOICE_BYTES, sumUpTaken, type TakenFile } from "~/modules/payments/invoices/invoice";
import { findStoppedPlace, getInvoice } from "~/modules/payments/invoices/invoice.server";
import {
  readInvoicePage,
  readInvoicesOfPayee,
  readInvoicesPage,
} from "~/modules/payments/invoices/invoice-page.server";
import { readWaysOfPayee } from "~/modules/payments/invoices/known-ways.server";
import { UNREADABLE } from "~/modules/payments/invoices/reading";
import { giveUpInvoice, readInvoice } from "~/modules/payments/invoices/take-in-invoice.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { ReadFacts, ReadPayId, UnreadableReason } from "~/ports/document-reader";
import { action as onList } from "~/routes/_app+/invoices._index";
import { loader as invoicePage, action as onPage } from "~/routes/_app+/invoices.$id";
import { action as onPayee } from "~/routes/_app+/payees.$id";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { aDocument, anAccount, anInvoice, someFacts } from "../support/invoices";
import { anAddedPayee, details, peek } from "../support/payees";
import { aTrustedPayee } from "../support/payments";
import { cookieOf, routeArgs } from "../support/requests";
import { testServices } from "../support/services";

const ways = routeOf("/api/payees/{id}/ways-to-pay");

const OTHER = anAccount({ bsb: "083170", accountNumber: "55120412" });

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  return { services, actor, ...(await aTrustedPayee(services, actor)) };
}

type Office = Awaited<ReturnType<typeof anOffice>>;

type Chosen = { name: string; bytes: Uint8Array<ArrayBuffer> };

/** Chooses files on the page of invoices and sends them, as a browser does without scripts. */
async function upload({ services, actor }: Pick<Office, "services" | "actor">, files: readonly Chosen[]) {
  const form = new FormData();
  for (const { name, bytes } of files) form.append("file", new File([bytes], name));
  const args = await routeArgs(services, actor, "/invoices?index");
  const headers = { Cookie: await cookieOf(services, actor) };
  return onList({ ...args, request: new Request(args.request.url, { method: "POST", headers, body: form }) });
}

/** What the page says became of the files. */
async function taken(office: Pick<Office, "services" | "actor">, files: readonly Chosen[]) {
  const { data } = JSON.parse(JSON.stringify(await upload(office, files)));
  expect(data.code).toBe("NEXT_STEP");
  const became: TakenFile[] = data.extra.files;
  return { said: sumUpTaken(became), files: became };
}

const a = (name: string, read: Partial<ReadFacts> = {}): Chosen => ({ name, bytes: aDocument(someFacts(read)) });

test("several files are taken or not, each by itself, and the page says exactly what became of each", async () => {
  const office = await anOffice();
  const right = a("right.pdf", { accounts: [anAccount(office.details)] });
  const wrong = a("wrong.pdf", { accounts: [OTHER], supplierName: office.details.name });
  const notes = { name: "notes.txt", bytes: new TextEncoder().encode("Notes") };
  const first = await taken(office, [right, wrong, notes, { name: "empty.pdf", bytes: new Uint8Array() }]);
  expect(first.said).toBe("2 uploaded, 2 could not be taken. 1 needs a decision before you pay.");
  expect(first.files).toMatchObject([
    { name: "right.pdf", isNew: true, attention: "verified", text: "Same account" },
    { name: "wrong.pdf", isNew: true, attention: "decision", text: "Another account" },
    { name: "notes.txt", invoiceId: null, text: expect.stringContaining("not a PDF") },
    { name: "empty.pdf", invoiceId: null },
  ]);
  const again = await taken(office, [right, wrong, right, a("new.pdf")]);
  expect(again.said).toBe(
    "1 uploaded, 3 received before. 1 needs a decision before you pay. 1 needs a look before you pay.",
  );
  expect(again.files[0]).toMatchObject({ invoiceId: first.files[0]?.invoiceId, isNew: false, text: "Same account" });
  expect((await taken(office, [right, wrong])).said).toBe("2 received before. 1 needs a decision before you pay.");
});

test("of more than ten files in one post ten are taken, and each of the others is named", async () => {
  const office = await anOffice();
  const large = new Uint8Array(MAX_INVOICE_BYTES + 1);
  large.set(new TextEncoder().encode("%PDF-1.7\n"));
  const eleven = Array.from({ length: 11 }, (_, at) => a(`${at}.pdf`));
  const { said, files } = await taken(office, [{ name: "large.pdf", bytes: large }, ...eleven]);
  expect(said).toBe("9 uploaded, 3 could not be taken. 9 need a look before you pay.");
  expect(files.filter(({ invoiceId }) => invoiceId === null)).toMatchObject([
    { name: "large.pdf", text: "It is larger than 10 MB." },
    { name: "9.pdf", text: "Only 10 are accepted at once. Choose it again." },
    { name: "10.pdf" },
  ]);
});

test("a single file leads to its page, one that was received before says so, and a refused one to the form", async () => {
  const office = await anOffice();
  const file = a("one.pdf");
  const first = (await upload(office, [file])) as Response;
  const again = (await upload(office, [file])) as Response;
  expect(first.headers.get("Location")).toMatch(/^\/invoices\/[\w-]+$/);
  expect(first.headers.get("Set-Cookie")).toBeNull();
  expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
  expect(again.headers.get("Set-Cookie")).not.toBeNull();
  const notes = { name: "notes.txt", bytes: new TextEncoder().encode("Notes") };
  expect(await upload(office, [notes])).toMatchObject({ data: { code: "INVALID_DOCUMENT" }, init: { status: 400 } });
  expect(await upload(office, [])).toMatchObject({ data: { errors: { file: ["Choose an invoice"] } } });
});

const list = async ({ services, actor }: Office, query = "") =>
  readInvoicesPage(services, actor, new URLSearchParams(query));

test("an email that names neither number nor supplier is listed and found by its subject, its file's name second", async () => {
  const office = await anOffice();
  const email = { subject: "Changed bank details", to: [], isAutoReply: false, text: "", attachments: [] };
  await anInvoice(office.services, office.actor, { kind: "email", email });
  await anInvoice(office.services, office.actor, {});
  const named = [{ title: "“\u2068Changed bank details\u2069”", fileName: "invoice.pdf" }];
  expect((await list(office)).rows).toMatchObject([{ title: "invoice.pdf" }, ...named]);
  expect((await list(office, "q=changed+bank")).rows).toMatchObject(named);
});

test("the list counts its tabs, and says in words what needs a decision and what was paid", async () => {
  const office = await anOffice();
  const { services, actor, payeeId, details } = office;
  expect(await list(office)).toMatchObject({ rows: [], empty: { title: "No invoices yet" } });
  await anInvoice(services, actor, { accounts: [anAccount(details)], invoiceNumber: "INV-1", totalCents: 125_000 });
  await anInvoice(services, actor, { accounts: [OTHER], supplierName: details.name });
  await anInvoice(services, actor, { accounts: [OTHER] });
  await anInvoice(services, actor, { status: "unreadable", reason: "damaged" });
  const payment = { to: { payeeId }, amount: 125_000, reference: "inv 001", description: null };
  await recordPayment(services, actor, { payment });
  const { rows, tabs } = await list(office);
  expect(rows.map(({ standing, note }) => [standing.word, standing.tone, note])).toEqual([
    ["Could not be read", "pending", ""],
    ["Not a payee", "pending", ""],
    ["Another account", "review", "Needs a decision"],
    ["Same account", "verified", "Payment recorded"],
  ]);
  expect(tabs.map(({ label, count }) => `${label} ${count}`)).toEqual([
    "All 4",
    "Needs a decision 1",
    "Being read 0",
    "Read 3",
    "Could not be read 1",
  ]);
  expect((await readInvoicesOfPayee(services, actor, payeeId)).map(({ note }) => note)).toEqual([
    "Needs a decision",
    "Payment recorded",
  ]);
  expect((await list(office, "status=reading")).empty.title).toBe("No invoice is being read");
  const stranger = await anOffice();
  expect((await list(stranger)).tabs.map(({ count }) => count)).toEqual(["0", "0", "0", "0", "0"]);
});

/** Three invoices that need a decision, newest first. */
async function threeStopped({ services, actor, details }: Office) {
  const one = () => anInvoice(services, actor, { accounts: [OTHER], supplierName: details.name });
  const ids = [await one(), await one(), await one()];
  return ids.reverse() as [string, string, string];
}

const decideOn = async ({ services, actor }: Office, id: string, query = "") => {
  const form = { intent: "decide", decision: "reject", reason: "Not theirs" };
  return onPage(await routeArgs(services, actor, `/invoices/${id}${query}`, { id }, { form })) as Promise<Response>;
};

test("an invoice that needs a decision has its place and its neighbours, and after the decision the next one", async () => {
  const office = await anOffice();
  const { services, actor } = office;
  const [newest, middle, oldest] = await threeStopped(office);
  expect(await findStoppedPlace(services, actor, middle)).toEqual({
    position: "2 of 3",
    previousHref: `/invoices/${newest}`,
    nextHref: `/invoices/${oldest}`,
  });
  expect(await findStoppedPlace(services, actor, oldest)).toMatchObject({
    position: "3 of 3",
    nextHref: `/invoices/${newest}`,
  });
  expect((await decideOn(office, middle)).headers.get("Location")).toBe(`/invoices/${middle}`);
  expect(await findStoppedPlace(services, actor, middle)).toMatchObject({
    position: null,
    nextHref: `/invoices/${newest}`,
  });
  const stranger = await anOffice();
  expect(await findStoppedPlace(stranger.services, stranger.actor, newest)).toMatchObject({ nextHref: null });
});

test("whoever chose to go on after a decision goes on to the next, in the Inbox too", async () => {
  const office = await anOffice();
  const { actor } = office;
  const [newest, middle, oldest] = await threeStopped(office);
  await peek.update(users).set({ reviewNext: true }).where(eq(users.id, actor.userId));
  expect((await decideOn(office, newest)).headers.get("Location")).toBe(`/invoices/${middle}`);
  const inInbox = await decideOn(office, middle, "?from=inbox&show=payments");
  expect(inInbox.headers.get("Location")).toBe(`/invoices/${oldest}?from=inbox&show=payments`);
  const last = await decideOn(office, oldest, "?from=inbox&show=payments");
  expect(last.headers.get("Location")).toBe(`/invoices/${oldest}?from=inbox&show=payments`);
});

test("the page of an invoice that was decided in the Inbox leads to the one below it, not to the first", async () => {
  const office = await anOffice();
  const { services, actor } = office;
  const [newest, middle, oldest] = await threeStopped(office);
  const address = (await decideOn(office, middle, "?from=inbox")).headers.get("Location") ?? "";
  expect(address).toBe(`/invoices/${middle}?from=inbox&was=1`);
  expect(await invoicePage(await routeArgs(services, actor, address, { id: middle }))).toMatchObject({
    place: {
      ...{ position: null, listHref: "/verifications" },
      previousHref: `/invoices/${newest}?from=inbox`,
      nextHref: `/invoices/${oldest}?from=inbox`,
    },
  });
});

/** An invoice that the reader refuses for this reason, however often it is tried. */
async function anUnread({ services, actor }: Office, reason: UnreadableReason): Promise<string> {
  const unread = { ...services, documentReader: { read: async () => ({ status: "unreadable" as const, reason }) } };
  const invoiceId = await anInvoice(unread, actor);
  services.clock.advance(HOUR_MS);
  const [row] = await services.db.select({ id: outbox.id }).from(outbox).where(eq(outbox.subjectId, invoiceId));
  const job = await claimJob(services, row?.id ?? "");
  if (job) await (reason === "reader_down" ? giveUpInvoice(unread, job, "no answer") : readInvoice(unread, job));
  return invoiceId;
}

test.each(Object.keys(UNREADABLE) as UnreadableReason[])(
  "an invoice that could not be read says why, and claims nothing about it: %s",
  async (reason) => {
    const office = await anOffice();
    const view = await readInvoicePage(office.services, office.actor, await anUnread(office, reason));
    expect(view).toMatchObject({
      ...{ status: "unreadable", headline: "The bank details could not be read", tone: "pending" },
      ...{ silent: [], payHref: null, found: expect.not.stringContaining("foreign") },
      subline: `It could not be read: ${UNREADABLE[reason]}. That says nothing about its bank details: read it yourself.`,
    });
  },
);

test("the page says of an account that is not compared why it is not", async () => {
  const { services, actor, details } = await anOffice();
  const found = async (read: Partial<ReadFacts>) =>
    (await readInvoicePage(services, actor, await anInvoice(services, actor, read))).found;
  expect(await found({ accounts: [anAccount(details)] })).toBe("1 account found, on page 1");
  expect(await found({ accounts: [OTHER, anAccount({ ...details, page: 2 })] })).toBe(
    "2 accounts found, this one on page 1",
  );
  expect(await found({ accounts: [{ ...OTHER, whose: "customer" }] })).toBe(
    "An account to be debited or refunded: it is not compared",
  );
  expect(await found({ accounts: [{ ...OTHER, bsb: "" }] })).toBe(
    "Only part of an account could be read, so it is not compared",
  );
  expect(await found({ findings: [{ code: "iban_or_swift", lines: ["IBAN DE00"] }] })).toBe(
    "A foreign account is not compared",
  );
});

/** An invoice of the payee that asks to be paid to a PayID. */
const aPayIdInvoice = ({ services, actor, details }: Office, payId: string) =>
  anInvoice(services, actor, { accounts: [anAccount(details)], payIds: [aPayId(payId)] });

const place = { page: 1, lines: [], certain: true, doubts: [] };
const aPayId = (payId: string): ReadPayId => ({ ...place, payId, type: "phone" });

const codesOf = async ({ services, actor }: Office, id: string) =>
  (await getInvoice(services, actor, id)).findings.map(({ code }) => code);

const warningsOf = async ({ services, actor }: Office, id: string) =>
  (await getInvoice(services, actor, id)).findings.flatMap(({ code, level }) => (level === "warn" ? [code] : []));

test("a link that was accepted beside the account, where it is only noted, warns where it is asked for alone", async () => {
  const office = await anOffice();
  const { services, actor, details } = office;
  const invoice = (isWithAccount: boolean) =>
    anInvoice(services, actor, {
      accounts: isWithAccount ? [anAccount(details)] : [],
      supplierName: details.name,
      findings: [{ code: "payment_link", way: "pay.elsewhere.com" }],
    });
  const invoiceId = await invoice(true);
  expect(await codesOf(office, invoiceId)).toEqual(["document_kind"]);
  await decideInvoice(services, actor, { invoiceId, decision: "accept", reason: null });
  expect(await codesOf(office, await invoice(true))).toEqual([]);
  const alone = await invoice(false);
  expect(await codesOf(office, alone)).toContain("new_way_to_pay");
  await decideInvoice(services, actor, { invoiceId: alone, decision: "accept", reason: "They said so on the phone" });
  expect(await codesOf(office, await invoice(false))).not.toContain("new_way_to_pay");
});

test("however many invoices came since, another site than the payee's invoices keep naming warns", async () => {
  const office = await anOffice();
  const { services, actor, details } = office;
  let number = 0;
  const invoice = (way?: string) =>
    anInvoice(services, actor, {
      accounts: [anAccount(details)],
      ...{ supplierName: details.name, invoiceNumber: `I-${++number}` },
      findings: way ? [{ code: "payment_link", way }] : [],
    });
  for (const _ of [1, 2, 3]) expect(await warningsOf(office, await invoice("pay.usual.com"))).toEqual([]);
  for (let at = 0; at < 12; at += 1) await invoice();
  for (let at = 0; at < 12; at += 1)
    expect(await warningsOf(office, await invoice("pay.elsewhere.com"))).toEqual(["new_way_to_pay"]);
  expect(await warningsOf(office, await invoice("pay.usual.com"))).toEqual([]);
});

const ofPayee = ({ payeeId, details }: Office) => ({ ...details, id: payeeId });

const known = async (office: Office) =>
  (await readWaysOfPayee(office.services, office.actor, ofPayee(office))).map(
    ({ label, value }) => `${label} ${value}`,
  );

const forget = async ({ services, payeeId }: Office, actor: Actor, kind: WayKind, value: string) => {
  const form = { intent: "forget-way", kind, value };
  return onPayee(await routeArgs(services, actor, `/payees/${payeeId}`, { id: payeeId }, { form }));
};

const WAYS: Partial<ReadFacts> = {
  payIds: [aPayId("0417533236")],
  bpay: [{ ...place, billerCode: "918273", reference: "1234" }],
  findings: [
    { code: "payment_link", way: "pay.elsewhere.com" },
    { code: "qr_code_leads_elsewhere", way: "qr.elsewhere.com" },
    { code: "cheque_payee", way: "J. Crook account 99887766" },
    { code: "collector", lines: ["Pay our agent"] },
    { code: "iban_or_swift", digits: "GB82WEST12345698765432" },
    { code: "picture_could_not_be_read", picture: "letterhead-of-karri" },
  ],
  email: {
    ...{ from: { name: "", address: "post@sends.example" }, replyTo: { name: "", address: "Desk@karri.example" } },
    ...{ subject: "", to: [], isAutoReply: false, text: "", attachments: [] },
  },
};

test("the page lists every other way to pay, a QR code's site included, and says once what to do about new ones", async () => {
  const office = await anOffice();
  const { services, actor, details } = office;
  const read = { ...WAYS, supplierName: details.name, findings: [...(WAYS.findings ?? []), ...(WAYS.findings ?? [])] };
  const { otherWays, findings } = await readInvoicePage(services, actor, await anInvoice(services, actor, read));
  expect(Object.fromEntries(otherWays.map(({ label, values }) => [label, values]))).toEqual({
    BPAY: ["Biller code 918273, reference 1234"],
    PayID: ["0417533236"],
    "Payment link": ["pay.elsewhere.com"],
    "QR code": ["qr.elsewhere.com"],
    "Name for cheques": ["J. Crook account •••••766"],
    Collector: ["Pay our agent"],
    "Account abroad": [expect.stringMatching(/•432$/)],
  });
  const texts = findings.map(({ message }) => message.map(({ text }) => text).join(""));
  const lines = texts.find((text) => text.includes("PayID"))?.split("\n") ?? [];
  expect(lines.at(-1)).toBe("Call the payee on a number you know before you pay in one of these ways.");
  expect(lines.slice(0, -1).sort()).toEqual([
    "The BPAY biller code 918273 on it is not known as this payee's.",
    "The PayID on it is not known as this payee's.",
    "The name for cheques on it, “J. Crook account •••••766”, is not known as this payee's.",
    "Whoever it says collects for the payee is not known as this payee's.",
    "pay.elsewhere.com, where it asks to be paid, is not known as this payee's.",
    "qr.elsewhere.com, where a QR code on it leads, is not known as this payee's.",
  ]);
});

const accept = ({ services, actor }: Office, invoiceId: string) =>
  decideInvoice(services, actor, { invoiceId, decision: "accept", reason: "They said so on the phone" });

const changesOf = async ({ payeeId }: Office) =>
  (await peek.select().from(payeeChanges).where(eq(payeeChanges.payeeId, payeeId))).filter(({ field }) =>
    WAY_FIELDS.includes(field),
  );

test("each way to pay that was accepted is known, is shown with who accepted it, and an administrator can forget it", async () => {
  const office = await anOffice();
  const { services, actor, details } = office;
  const first = await aPayIdInvoice(office, "0417533236");
  expect(await codesOf(office, first)).toEqual(["new_way_to_pay"]);
  expect(await readInvoicePage(services, actor, first)).toMatchObject({ namesNewWay: true });
  expect(await known(office)).toEqual([]);
  const accepting = decideInvoice(services, actor, { invoiceId: first, decision: "accept", reason: null });
  await expect(accepting).rejects.toMatchObject({ status: 400 });
  const withAll = () => anInvoice(services, actor, { ...WAYS, accounts: [anAccount(details)] });
  await accept(office, await withAll());
  await accept(office, first);
  expect(await readWaysOfPayee(services, actor, ofPayee(office))).toContainEqual({
    ...{ kind: "pay_id", label: "PayID", value: "0417533236", isNoted: false },
    ...{ by: expect.any(String), href: expect.stringMatching("^/invoices/"), since: expect.anything() },
  });
  const all = [
    "Account abroad GB82WEST••••••432",
    "Address for answers desk@karri.example for emails from sends.example",
    "BPAY biller code 918273",
    "Collector Pay our agent",
    "Name for cheques J. Crook account •••••766",
    "PayID 0417533236",
    "Payment link pay.elsewhere.com",
    "Picture letterhead-o",
    "QR code qr.elsewhere.com",
  ];
  expect((await known(office)).sort()).toEqual(all);
  expect(await warningsOf(office, await withAll())).toEqual([]);
  expect(await codesOf(office, await aPayIdInvoice(office, "0417533237"))).toEqual(["new_way_to_pay"]);

  const organization = { id: actor.organizationId, name: actor.organizationName };
  const member = await aMember(services, { organization });
  expect(await forget(office, member, "biller", "918273")).toMatchObject({ init: { status: 403 } });
  const stranger = await anOffice();
  await expect(forget(office, stranger.actor, "biller", "918273")).rejects.toMatchObject({ init: { status: 404 } });
  expect((await known(office)).sort()).toEqual(all);
  services.clock.advance(1_000);
  for (const { kind, value } of await readWaysOfPayee(services, actor, ofPayee(office))) {
    const before = await withAll();
    expect(await warningsOf(office, before)).toEqual([]);
    await Promise.all([forget(office, actor, kind, value), forget(office, actor, kind, value)]);
    services.clock.advance(1_000);
    const after = await withAll();
    const [warned] = { picture: ["document_odd"], reply_to: ["reply_to_elsewhere"] }[kind as string] ?? [
      "new_way_to_pay",
    ];
    expect(await warningsOf(office, after)).toEqual([warned]);
    // It did not warn, so it does not bring back what was forgotten since.
    await accept(office, before);
    expect(await known(office)).toHaveLength(all.length - 1);
    await accept(office, after);
    expect(await known(office)).toHaveLength(all.length);
    services.clock.advance(1_000);
  }
  expect((await changesOf(office)).map(({ field, oldValue }) => `${field} ${oldValue}`).sort()).toEqual(all);
  const isForgotten = and(eq(auditLogs.entityId, office.payeeId), eq(auditLogs.action, "payee.way_to_pay_forgotten"));
  const entries = await peek.select().from(auditLogs).where(isForgotten);
  expect(entries).toHaveLength(all.length);
  expect(entries).toContainEqual(
    expect.objectContaining({ userId: actor.userId, details: { kind: "PayID", value: "•••••••236" } }),
  );
});

test("a way stays forgotten though an invoice with it is accepted at the same time, by a clock that is ahead", async () => {
  const office = await anOffice();
  const { services, actor, details } = office;
  const bpay = WAYS.bpay ?? [];
  const one = () => anInvoice(services, actor, { bpay, accounts: [anAccount(details)] });
  const [first, second] = [await one(), await one()];
  await accept(office, first);
  const clock = { ...services.clock, now: () => services.clock.now() + 5 };
  await accept({ ...office, services: { ...services, clock } }, second);
  await forget(office, actor, "biller", "918273");
  expect(await known(office)).toEqual([]);
  await forget(office, actor, "biller", "918273");
  expect(await changesOf(office)).toHaveLength(1);
});

test("an account to be debited that was accepted is known, and an administrator can forget it", async () => {
  const office = await anOffice();
  const { services, actor, details } = office;
  const accounts = [{ ...OTHER, whose: "customer" as const, lines: ["We will debit your account"] }];
  const one = (totalCents: number) => anInvoice(services, actor, { accounts, supplierName: details.name, totalCents });
  const first = await one(9_100);
  expect(await warningsOf(office, first)).toEqual(["document_odd"]);
  await accept(office, first);
  expect(await known(office)).toEqual(["Account to be debited 083-170 •••••412"]);
  expect(await warningsOf(office, await one(9_200))).toEqual([]);
  services.clock.advance(1_000);
  await forget(office, actor, "debited", "083-170 •••••412");
  expect(await known(office)).toEqual([]);
  expect(await warningsOf(office, await one(9_300))).toEqual(["document_odd"]);
});

test("a second account that was accepted beside the payee's own is known beside it, and nowhere else", async () => {
  const office = await anOffice();
  const { services, actor, details } = office;
  const own = anAccount(details);
  const second = { ...OTHER, whose: "payee" as const, certain: false };
  const third = { ...second, accountNumber: "55120999" };
  const codesOf = async (...accounts: ReadFacts["accounts"]) => {
    const id = await anInvoice(services, actor, { accounts, supplierName: details.name });
    const { verdict, findings } = await getInvoice(services, actor, id);
    return { id, verdict, isStopped: findings.some(({ level }) => level === "stop") };
  };
  const first = await codesOf(own, second);
  expect(first.isStopped).toBe(true);
  await accept(office, first.id);
  expect(await known(office)).toEqual(["Second account 083-170 •••••412"]);
  const again = await codesOf(own, second);
  expect(again).toMatchObject({ verdict: "same_account", isStopped: false });
  expect(await warningsOf(office, again.id)).not.toContain("other_account");
  expect((await codesOf(second)).isStopped).toBe(true);
  expect((await codesOf({ ...own, certain: false }, second)).isStopped).toBe(true);
  expect((await codesOf(own, third)).isStopped).toBe(true);
  expect((await codesOf(own, second, third)).isStopped).toBe(true);
  services.clock.advance(1_000);
  await forget(office, actor, "account_beside", "083-170 •••••412");
  expect((await codesOf(own, second)).isStopped).toBe(true);
});

test("a bill without an account warns where each bill of the payee before named one, whatever it says instead", async () => {
  const office = await anOffice();
  const { services, actor, details } = office;
  const one = (totalCents: number, given: Partial<ReadFacts> = {}) =>
    anInvoice(services, actor, { accounts: [], supplierName: details.name, totalCents, ...given });
  const named = { accounts: [anAccount(details)] };
  for (const totalCents of [9_100, 9_200, 9_300]) await one(totalCents, named);
  // Nobody decides, and it teaches nothing.
  for (const totalCents of [9_500, 9_600])
    expect(await warningsOf(office, await one(totalCents))).toContain("new_way_to_pay");
  const receipt = { findings: [{ code: "asks_no_payment" as const }] };
  expect(await warningsOf(office, await one(9_400, receipt))).not.toContain("new_way_to_pay");
});

test("programs list and forget the ways to pay a payee, and its own are not among them", async () => {
  const office = await anOffice();
  const { services, actor, payeeId, details } = office;
  const own: ReadPayId = { ...aPayId(details.email ?? ""), type: "email" };
  const payIds = [own, aPayId("0417533236")];
  const invoiceId = await anInvoice(services, actor, { accounts: [anAccount(details)], payIds });
  await accept(office, invoiceId);
  const read = async () => {
    const args = await routeArgs(services, actor, "/api", { id: payeeId });
    const response = (await ways.loader(args)) as Response;
    return ((await response.json()) as { waysToPay: unknown[] }).waysToPay;
  };
  const asked = { kind: "pay_id", value: "0417533236" };
  expect(await read()).toMatchObject([{ ...asked, invoiceId }]);
  services.clock.advance(1_000);
  const args = await routeArgs(services, actor, "/api", { id: payeeId }, { method: "DELETE", json: asked });
  expect(((await ways.action(args)) as Response).status).toBe(204);
  expect(await read()).toEqual([]);
});

test("a BPAY reference that is on none of the payee's bills warns where its bills have always had the same", async () => {
  const office = await anOffice();
  const bill = (invoiceNumber: string, reference: string) =>
    anInvoice(office.services, office.actor, {
      ...{ accounts: [anAccount(office.details)], invoiceNumber },
      bpay: [{ ...place, billerCode: "96503", reference }],
    });
  await accept(office, await bill("L-1", "26512345678"));
  expect(await codesOf(office, await bill("L-2", "26587654321"))).toEqual(["document_kind"]);
  for (const number of ["L-3", "L-4", "L-5", "L-6"])
    expect(await codesOf(office, await bill(number, "26512345678"))).toEqual([]);
  expect(await codesOf(office, await bill("L-7", "26599999999"))).toEqual(["new_way_to_pay"]);
});

const shownOf = async ({ services, actor }: Pick<Office, "services" | "actor">, id: string) => {
  const { headline, subline, tone, comparedOn, payHref, payee } = await readInvoicePage(services, actor, id);
  return { headline, subline, tone, isDated: comparedOn !== null, isPayable: payHref !== null, payee: payee?.id };
};

test("the page of an invoice says what is true today, though its payee's account changed since it was read", async () => {
  const office = await anOffice();
  const { services, actor, payeeId, details: known } = office;
  const same = await anInvoice(services, actor, { accounts: [anAccount(known)], invoiceNumber: "T-1" });
  const other = await anInvoice(services, actor, { accounts: [OTHER], supplierName: known.name });
  expect(await shownOf(office, same)).toMatchObject({
    headline: "Same account as the verified one",
    ...{ tone: "verified", isDated: false, isPayable: true },
  });
  await editPayee(services, actor, { payeeId, patch: { bsb: OTHER.bsb, accountNumber: OTHER.accountNumber } });
  expect(await shownOf(office, same)).toEqual({
    headline: "The payee’s account has changed since this invoice was read",
    subline: `Its account is not the one that ${known.name} has here, which nobody has verified. Verify the payee before you pay.`,
    ...{ tone: "pending", isDated: true, isPayable: false, payee: payeeId },
  });
  expect(await shownOf(office, other)).toMatchObject({
    headline: "Stop: the payee’s account has changed since this invoice was read",
    subline: expect.stringContaining(`Its account is the one that ${known.name} has here, which nobody has verified.`),
    ...{ tone: "review", isDated: true },
  });
  const { compared } = await readInvoicePage(services, actor, other);
  expect(compared.every(({ isSame }) => isSame)).toBe(true);
});

test("the page of an invoice says that its account was verified, taken off or added since it was read", async () => {
  const { services, actor } = await anOffice();
  const office = { services, actor };
  const { payeeId, verificationId, details: known } = await anAddedPayee(services, actor);
  const id = await anInvoice(services, actor, { accounts: [anAccount(known)] });
  expect(await shownOf(office, id)).toMatchObject({ headline: "Same account as the payee’s, which is not verified" });
  const review = { approved: true, addToGlobalWhitelist: false, reason: "Called the number in the contract" } as const;
  await reviewVerification(services, actor, { verificationId, review });
  expect(await shownOf(office, id)).toMatchObject({
    headline: "Same account as the payee’s, which was not verified when this invoice was read",
    ...{ tone: "pending", isDated: true },
  });
  const again = await anInvoice(services, actor, { accounts: [anAccount(known)] });
  services.clock.advance(1_000);
  await unwhitelistByHand(services, actor, { payeeId, reason: "They called" });
  expect(await shownOf(office, again)).toMatchObject({
    headline: "Same account as the payee’s, which is no longer trusted",
    ...{ tone: "pending", isDated: true },
  });
  const strange = await anInvoice(services, actor, { accounts: [OTHER], supplierName: "Quill Press" });
  expect(await shownOf(office, strange)).toMatchObject({ isDated: false, payee: undefined });
  const added = await anAddedPayee(services, actor, {
    ...details(),
    bsb: OTHER.bsb,
    accountNumber: OTHER.accountNumber,
  });
  expect(await shownOf(office, strange)).toMatchObject({
    headline: "A payee with this account was added since this invoice was read",
    ...{ isDated: true, isPayable: false, payee: added.payeeId },
  });
});
