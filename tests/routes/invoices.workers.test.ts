import { invoices, outbox } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { DAY_MS } from "~/kernel/dates";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { getInvoice } from "~/modules/payments/invoices/invoice.server";
import { readInvoicePage, readInvoiceReplayPage } from "~/modules/payments/invoices/invoice-page.server";
import { readInvoice, takeInInvoice } from "~/modules/payments/invoices/take-in-invoice.server";
import { replayInvoice } from "~/modules/rules/invoices";
import type { DocumentRead, ReadFacts } from "~/ports/document-reader";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { aDocument, anAccount, anInvoice, someFacts } from "../support/invoices";
import { anAddedPayee, details } from "../support/payees";
import { aTrustedPayee } from "../support/payments";
import { routeArgs } from "../support/requests";
import { type TestServices, testServices } from "../support/services";

const calls = routeOf("/api/invoices");
const one = routeOf("/api/invoices/{id}");
const decision = routeOf("/api/invoices/{id}/decision");

type Office = { services: TestServices; actor: Actor };

async function anOffice(): Promise<Office> {
  const services = testServices();
  return { services, actor: await aMember(services) };
}

async function answerOf(response: unknown) {
  if (!(response instanceof Response)) throw new Error("not a response");
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

/** Sends a document as a script does. */
async function post({ services, actor }: Office, body: BodyInit, type = "application/pdf") {
  const args = await routeArgs(services, actor, "/api/invoices");
  const headers = {
    "Content-Type": type,
    "x-file-name": encodeURIComponent("Rechnung für März.pdf"),
    Cookie: args.request.headers.get("Cookie") ?? "",
  };
  return answerOf(
    await calls.action({ ...args, request: new Request(args.request.url, { method: "POST", headers, body }) }),
  );
}

test("an invoice that names the verified account is answered with it, masked", async () => {
  const office = await anOffice();
  const { payeeId, details: payee } = await aTrustedPayee(office.services, office.actor);
  const read = someFacts({ accounts: [anAccount(payee)], invoiceNumber: "CSR-4466", totalCents: 423_500 });
  const { status, body } = await post(office, aDocument(read));
  expect(status).toBe(201);
  expect(body).toMatchObject({
    invoice: {
      status: "read",
      fileName: "Rechnung für März.pdf",
      verdict: "same_account",
      payee: { id: payeeId, by: "account" },
      findings: [],
      read: { accounts: [{ bsb: payee.bsb, certain: true }], totalCents: 423_500 },
    },
  });
  expect(JSON.stringify(body)).not.toContain(payee.accountNumber);
});

test("a different account from the payee's stops the invoice, and nothing of the payee is changed", async () => {
  const office = await anOffice();
  const { payeeId, details: payee } = await aTrustedPayee(office.services, office.actor);
  const other = anAccount({ bsb: "083170", accountNumber: "55120412" });
  const { body } = await post(office, aDocument(someFacts({ accounts: [other], supplierName: payee.name })));
  const { invoice } = body as { invoice: { id: string } };
  expect(invoice).toMatchObject({
    verdict: "other_account",
    payee: { id: payeeId, by: "name" },
    findings: [{ code: "other_account", level: "stop" }],
  });
  const { services, actor } = office;
  const decide = async (json: Record<string, unknown>) =>
    answerOf(await decision.action(await routeArgs(services, actor, "/api", { id: invoice.id }, { json })));
  expect(await decide({ decision: "accept" })).toMatchObject({ status: 400, body: { fieldErrors: { reason: [{}] } } });
  expect(await decide({ decision: "reject", reason: "They never changed it" })).toMatchObject({
    status: 200,
    body: { invoice: { decision: { decision: "reject", reason: "They never changed it" } } },
  });
  expect(await decide({ decision: "accept", reason: "Called them" })).toMatchObject({
    status: 409,
    body: { code: "ALREADY_DECIDED" },
  });
  const removed = await routeArgs(services, actor, "/api", { id: invoice.id }, { method: "DELETE" });
  expect(await answerOf(await one.action(removed))).toMatchObject({ status: 409, body: { code: "INVOICE_STOPPED" } });
});

test("two uploads of one file at once are one invoice", async () => {
  const office = await anOffice();
  const bytes = aDocument(someFacts());
  const answers = await Promise.all([post(office, bytes), post(office, bytes), post(office, bytes)]);
  const ids = answers.map(({ body }) => (body.invoice as { id: string }).id);
  expect(new Set(ids).size).toBe(1);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
});

test("what is no document, too large, or of another organisation is refused", async () => {
  const office = await anOffice();
  expect(await post(office, "Dear bank, please pay everyone.")).toMatchObject({
    status: 400,
    body: { code: "INVALID_DOCUMENT" },
  });
  expect(await post(office, "<a/>", "application/xml")).toMatchObject({
    status: 400,
    body: { code: "INVALID_DOCUMENT" },
  });
  expect(await post(office, "%PDF-1.7", "text/plain")).toMatchObject({ status: 415 });
  const large = new Uint8Array(10 * 1024 * 1024 + 1);
  large.set(new TextEncoder().encode("%PDF-1.7\n"));
  expect(await post(office, large)).toMatchObject({ status: 413 });
  const id = await anInvoice(office.services, office.actor);
  const stranger = await aMember(office.services);
  const asked = await routeArgs(office.services, stranger, "/api", { id });
  expect(await answerOf(await one.loader(asked))).toMatchObject({ status: 404 });
});

test("a reader that does not answer leaves the invoice to the queue, which reads it later, once", async () => {
  const office = await anOffice();
  const { services, actor } = office;
  const down: DocumentRead = { status: "unreadable", reason: "reader_down" };
  const broken = { ...services, documentReader: { read: async () => down } };
  const bytes = aDocument(someFacts({ invoiceNumber: "LATE-1" }));
  const taken = await takeInInvoice(broken, actor, { fileName: "late.pdf", bytes, source: "upload" });
  expect(await getInvoice(services, actor, taken.invoiceId)).toMatchObject({ status: "reading" });
  services.clock.advance(60_000);
  const [row] = await services.db.select({ id: outbox.id }).from(outbox).where(eq(outbox.subjectId, taken.invoiceId));
  const job = await claimJob(services, row?.id ?? "");
  if (!job) throw new Error("the job is not due");
  await Promise.all([readInvoice(services, job), readInvoice(services, job)]);
  expect(await getInvoice(services, actor, taken.invoiceId)).toMatchObject({
    status: "read",
    invoiceNumber: "LATE-1",
    version: 2,
  });
});

test("a document that took too long is read once more before anybody is told", async () => {
  const office = await anOffice();
  const { services, actor } = office;
  const slow: DocumentRead = { status: "unreadable", reason: "too_slow" };
  const busy = { ...services, documentReader: { read: async () => slow } };
  const taken = await takeInInvoice(busy, actor, {
    fileName: "a.pdf",
    bytes: aDocument(someFacts()),
    source: "upload",
  });
  expect(await getInvoice(services, actor, taken.invoiceId)).toMatchObject({ status: "reading" });
  services.clock.advance(60_000);
  const [row] = await services.db.select({ id: outbox.id }).from(outbox).where(eq(outbox.subjectId, taken.invoiceId));
  const job = await claimJob(services, row?.id ?? "");
  if (!job) throw new Error("the job is not due");
  await readInvoice(busy, job);
  expect(await getInvoice(services, actor, taken.invoiceId)).toMatchObject({ status: "unreadable" });
});

test("one that takes longer than a person waits is answered while it is being read", async () => {
  const { services, actor } = await anOffice();
  const slow = { ...services, documentReader: { read: () => new Promise<DocumentRead>(() => {}) } };
  const bytes = aDocument(someFacts());
  const { invoiceId } = await takeInInvoice(slow, actor, { fileName: "slow.pdf", bytes, source: "api" }, 20);
  expect(await getInvoice(services, actor, invoiceId)).toMatchObject({ status: "reading" });
  expect(services.sent).toHaveLength(1);
});

test("what the rules saw is kept, and judged again it is the same", async () => {
  const { services, actor } = await anOffice();
  const { details: payee } = await anAddedPayee(services, actor);
  const id = await anInvoice(services, actor, { accounts: [anAccount(payee)], supplierName: "Nobody in particular" });
  const { findings, facts, ruleSet } = await getInvoice(services, actor, id);
  expect(findings.map(({ code }) => code)).toEqual(["payee_not_verified", "supplier_name_differs"]);
  if (facts === null || ruleSet === null) throw new Error("no decision record");
  expect(replayInvoice(JSON.parse(facts), ruleSet, findings)).toEqual({ different: [], changed: [] });
  expect(await readInvoiceReplayPage(services, actor, id)).toMatchObject({ isKept: true, different: [] });
  await services.db
    .update(invoices)
    .set({ verdict: "other_account" })
    .where(and(eq(invoices.organizationId, actor.organizationId), eq(invoices.id, id)));
  const broken = await readInvoiceReplayPage(services, actor, id);
  expect(broken.different).toEqual(["What is said about the account"]);
});

test("the same invoice of nobody we know is named, by its number or by its supplier and amount", async () => {
  const { services, actor } = await anOffice();
  const given = { supplierName: "Nobody In Particular", invoiceNumber: "NB-7", totalCents: 45_000 };
  await anInvoice(services, actor, given);
  const seen = async (read: Partial<ReadFacts>, at = services) => {
    const { findings } = await getInvoice(services, actor, await anInvoice(at, actor, read));
    return findings.find(({ code }) => code === "seen_before")?.message ?? "";
  };
  expect(await seen(given)).toMatch(
    /^Invoice NB-7 from someone who is not a payee was already received on .+, for \$450\.00\.$/,
  );
  expect(await seen({ ...given, invoiceNumber: "NB-8" })).toMatch(
    /^Another invoice from someone who is not a payee for/,
  );
  expect(await seen({ ...given, supplierName: "Somebody Else", totalCents: 46_000 })).toBe("");
  const inAWeek = { ...services, clock: { ...services.clock, now: () => services.clock.now() + 7 * DAY_MS } };
  expect(await seen({ ...given, invoiceNumber: "NB-9" }, inAWeek)).toBe("");
  expect(await seen({ ...given, invoiceNumber: undefined }, inAWeek)).toMatch(/^Another invoice/);
  const stranger = await anOffice();
  const id = await anInvoice(stranger.services, stranger.actor, given);
  expect((await getInvoice(stranger.services, stranger.actor, id)).findings.map(({ code }) => code)).not.toContain(
    "seen_before",
  );
});

test("a reading that was cut off in the middle is read by the queue once its lease is over", async () => {
  const { services, actor } = await anOffice();
  const cut = { ...services, documentReader: { read: () => new Promise<DocumentRead>(() => {}) } };
  const bytes = aDocument(someFacts({ invoiceNumber: "CUT-1" }));
  const { invoiceId } = await takeInInvoice(cut, actor, { fileName: "cut.pdf", bytes, source: "api" }, 20);
  const [row] = await services.db.select({ id: outbox.id }).from(outbox).where(eq(outbox.subjectId, invoiceId));
  services.clock.advance(60_000);
  const first = await claimJob(services, row?.id ?? "");
  if (!first) throw new Error("the job is not due");
  // The process that has the lease is gone. Nobody else reads it meanwhile, and afterwards somebody does.
  void readInvoice(cut, first);
  expect(await claimJob(services, row?.id ?? "")).toBeUndefined();
  services.clock.advance(60 * 60_000);
  const second = await claimJob(services, row?.id ?? "");
  if (!second) throw new Error("the lease is not over");
  await readInvoice(services, second);
  await readInvoice(services, first);
  expect(await getInvoice(services, actor, invoiceId)).toMatchObject({
    status: "read",
    invoiceNumber: "CUT-1",
    version: 2,
  });
});

test("the page of an invoice shows the account field by field, and lists find it by its words", async () => {
  const { services, actor } = await anOffice();
  const { details: payee } = await aTrustedPayee(services, actor);
  const other = anAccount({ ...details(), bsb: "083170", accountNumber: "55120412" });
  const id = await anInvoice(services, actor, {
    accounts: [other],
    supplierName: payee.name,
    invoiceNumber: "CSR-4471",
  });
  const view = await readInvoicePage(services, actor, id);
  expect(view).toMatchObject({ tone: "review", verdict: "other_account", payHref: null, offersPayee: true });
  await anAddedPayee(services, actor, { ...details(), bsb: other.bsb, accountNumber: other.accountNumber });
  expect(await readInvoicePage(services, actor, id)).toMatchObject({ verdict: "other_account", offersPayee: false });
  expect(view.compared.find(({ label }) => label === "Account number")).toMatchObject({
    asked: "55120412",
    isSame: false,
  });
  expect(view.lines.some(({ isMarked }) => isMarked)).toBe(true);
  const listed = async (query: string) => {
    const args = await routeArgs(services, actor, `/api/invoices?${query}`);
    const { body } = await answerOf(await calls.loader(args));
    return (body.invoices as { id: string }[]).map(({ id: each }) => each);
  };
  expect(await listed("q=csr-4471")).toEqual([id]);
  expect(await listed("q=nothing+like+it")).toEqual([]);
  expect(await listed("status=stopped")).toEqual([id]);
  expect(await listed("status=reading")).toEqual([]);
});

test("a sender whose name is an address at another domain is named", async () => {
  const office = await anOffice();
  const { details: payee } = await aTrustedPayee(office.services, office.actor);
  const sent = async (name: string) => {
    const from = { name, address: "thornbill.pay@webmail.example" };
    const email = { from, to: [], subject: "Invoice", isAutoReply: false, text: "", attachments: [] };
    const facts = someFacts({ kind: "email", accounts: [anAccount(payee)], email });
    const { body } = await post(office, aDocument(facts));
    const { findings } = body.invoice as { findings: { code: string; message: string }[] };
    return findings.filter(({ code }) => code === "sender_shown_as_another").map(({ message }) => message);
  };
  expect(await sent("Accounts@Thornbill.example")).toEqual([
    "Mail programs show the sender as accounts@thornbill.example. The email came from thornbill.pay@webmail.example.",
  ]);
  expect(await sent("billing@webmail.example")).toEqual([]);
  expect(await sent("Thornbill accounts")).toEqual([]);
});

test("a picture that was accepted on an invoice of this payee is known on the next, and only then", async () => {
  const office = await anOffice();
  const { details: payee } = await aTrustedPayee(office.services, office.actor);
  const sent = async (...pictures: string[]) => {
    const findings = pictures.map((picture) => ({ code: "picture_could_not_be_read", picture }) as const);
    const { body } = await post(office, aDocument(someFacts({ accounts: [anAccount(payee)], findings })));
    return body.invoice as { id: string; findings: { code: string }[] };
  };
  const { services, actor } = office;
  const first = await sent("logo");
  expect(first.findings).toMatchObject([{ code: "document_odd" }]);
  expect((await sent("logo")).findings).toMatchObject([{ code: "document_odd" }]);
  const json = { decision: "accept", reason: "It is their logo" };
  await decision.action(await routeArgs(services, actor, "/api", { id: first.id }, { json }));
  expect((await sent("logo")).findings).toEqual([]);
  expect((await sent("logo", "other")).findings).toMatchObject([{ code: "document_odd" }]);
  const findings = [{ code: "account_could_not_be_read", picture: "logo" } as const];
  const { body } = await post(office, aDocument(someFacts({ accounts: [anAccount(payee)], findings })));
  expect((body.invoice as { findings: unknown[] }).findings).not.toEqual([]);
});

test("answers that go where a person accepted it on an invoice of this payee are known, and nowhere else", async () => {
  const office = await anOffice();
  const { details: payee } = await aTrustedPayee(office.services, office.actor);
  const sent = async (domain: string, replyTo: string) => {
    const from = { name: "Coral", address: `invoices@${domain}` };
    const email = { from, replyTo: { name: "", address: replyTo }, to: [], subject: "", isAutoReply: false, text: "" };
    const facts = someFacts({ kind: "email", accounts: [anAccount(payee)], email: { ...email, attachments: [] } });
    const { body } = await post(office, aDocument(facts));
    const { id, findings } = body.invoice as { id: string; findings: { code: string }[] };
    return { id, isSaid: findings.some(({ code }) => code === "reply_to_elsewhere") };
  };
  const { services, actor } = office;
  const first = await sent("service.example", "Desk@coral.example");
  expect(first.isSaid).toBe(true);
  const json = { decision: "accept", reason: "They send with that service" };
  await decision.action(await routeArgs(services, actor, "/api", { id: first.id }, { json }));
  expect(await sent("service.example", "desk@coral.example")).toMatchObject({ isSaid: false });
  expect(await sent("service.example", "desk2@coral.example")).toMatchObject({ isSaid: true });
  expect(await sent("other.example", "desk@coral.example")).toMatchObject({ isSaid: true });
});

test("an account in words of a refund is the payee's own where the payee with the document's ABN has it", async () => {
  const office = await anOffice();
  const abn = "51824753556";
  const { details: payee } = await aTrustedPayee(office.services, office.actor, { abn });
  const read = async (account: { bsb: string; accountNumber: string }) => {
    const accounts = [anAccount({ ...account, whose: "customer" })];
    const abns = [{ abn, whose: "supplier" as const, certain: true, doubts: [], page: 1, lines: [] }];
    const { body } = await post(office, aDocument(someFacts({ accounts, abns, totalCents: 6_000 })));
    const { verdict, findings } = body.invoice as { verdict: string; findings: { code: string; message: string }[] };
    const [odd] = findings.filter(({ code }) => code === "document_odd");
    const [none] = findings.filter(({ code }) => code === "no_account");
    return { verdict, isOdd: odd !== undefined, none: none?.message };
  };
  expect(await read(payee)).toEqual({ verdict: "same_account", isOdd: false, none: undefined });
  // Each month: an account to be debited is none that the invoices before named to pay to.
  for (let month = 0; month < 4; month += 1)
    expect(await read({ bsb: "083170", accountNumber: "55120412" })).toEqual({
      verdict: "no_account",
      isOdd: true,
      none: "It names no account to pay to.",
    });
});
