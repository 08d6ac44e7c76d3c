import { invoices } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { decideInvoice } from "~/modules/payments/invoices/decide-invoice.server";
import { getInvoice } from "~/modules/payments/invoices/invoice.server";
import { takeInInvoice } from "~/modules/payments/invoices/take-in-invoice.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import type { Finding, ReadFacts } from "~/ports/document-reader";
import { aMember } from "../support/factories";
import { aDocument, anAccount, anInvoice, someFacts } from "../support/invoices";
import { anAddedPayee } from "../support/payees";
import { aTrustedPayee } from "../support/payments";
import { claims } from "../support/people";
import { testServices } from "../support/services";

/*
 * What earlier invoices of a payee teach about the next one. A criminal may send any number of emails to the
 * organisation's address, from any domain and with any invoice that nobody stops.
 */

const EMAIL = "accounts@karrifloors.example";
const OWN = "billing@karrifloors.example";
const STRANGER = "someone@elsewhere.example";

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  return { services, actor, ...(await aTrustedPayee(services, actor, { email: EMAIL })) };
}
type Office = Awaited<ReturnType<typeof anOffice>>;

let sent = 0;
const linkTo = (way: string): Finding => ({ code: "payment_link", way });
const anyInvoice = (office: Office, read: Partial<ReadFacts>) => ({
  ...{ accounts: [anAccount(office.details)], invoiceNumber: `N-${++sent}`, totalCents: 10_000 + sent },
  ...read,
});

/** An invoice that came by email. */
async function mailed(
  office: Office,
  read: Partial<ReadFacts>,
  { from = STRANGER, authentication = "pass" as "pass" | "fail" | "unknown", isKnown = false } = {},
) {
  const message = { to: [], subject: "Invoice", isAutoReply: false, text: "", attachments: [] };
  const email = { from: { name: "", address: from }, ...message };
  const mail = { sender: from, authentication, digest: `digest ${++sent}`, isKnown, replyTo: null };
  const bytes = aDocument(someFacts({ ...anyInvoice(office, read), kind: "email", email }));
  const { actor, services } = office;
  const acting = { ...actor, userId: isKnown ? actor.userId : null };
  return (await takeInInvoice(services, acting, { fileName: "a.eml", bytes, source: "email", mail })).invoiceId;
}
const uploaded = (office: Office, read: Partial<ReadFacts>) =>
  anInvoice(office.services, office.actor, anyInvoice(office, read));
const decided = async (office: Office, invoiceId: string, decision: "accept" | "reject") => {
  await decideInvoice(office.services, office.actor, { invoiceId, decision, reason: "Called them" });
};
const paid = async (office: Office, id: string) => {
  const { totalCents, invoiceNumber } = await getInvoice(office.services, office.actor, id);
  const payment = { to: { payeeId: office.payeeId }, amount: totalCents ?? 0, description: null };
  await recordPayment(office.services, office.actor, { payment: { ...payment, reference: invoiceNumber ?? "" } });
};
const findingsOf = async ({ services, actor }: Office, id: string) => (await getInvoice(services, actor, id)).findings;
const times = async (count: number, each: (at: number) => Promise<unknown>) => {
  for (let at = 0; at < count; at++) await each(at);
};

type Way = (office: Office, read: Partial<ReadFacts>) => Promise<unknown>;
/** The ways in which three invoices that name one site came, and whether another site then warns. */
const WAYS: [string, Way, boolean][] = [
  ["handed in", uploaded, true],
  ["sent by the payee's own domain", (office, read) => mailed(office, read, { from: OWN }), true],
  [
    "sent in the payee's name, which failed the check",
    (office, read) => mailed(office, read, { from: OWN, authentication: "fail" }),
    false,
  ],
  [
    "sent in the payee's name, which nobody could check",
    (office, read) => mailed(office, read, { from: OWN, authentication: "unknown" }),
    false,
  ],
  [
    "sent by a domain that ends like the payee's",
    (office, read) => mailed(office, read, { from: "a@notkarrifloors.example" }),
    false,
  ],
  ["sent by anybody", mailed, false],
  ["sent on by one of the organisation's people", (office, read) => mailed(office, read, { isKnown: true }), true],
  [
    "sent by anybody, and accepted",
    async (office, read) => decided(office, await mailed(office, read), "accept"),
    true,
  ],
  [
    "handed in, and stopped by a person",
    async (office, read) => decided(office, await uploaded(office, read), "reject"),
    false,
  ],
  [
    "handed in, with another account",
    (office, read) =>
      uploaded(office, {
        ...read,
        accounts: [anAccount({ bsb: "083170", accountNumber: "55120412" })],
        supplierName: office.details.name,
      }),
    false,
  ],
  ["sent by anybody, and paid", async (office, read) => paid(office, await mailed(office, read)), true],
  [
    "sent by anybody with the number and amount of one that is paid",
    async (office, read) => {
      const known = anyInvoice(office, {});
      const first = await anInvoice(office.services, office.actor, known);
      await mailed(office, { ...known, ...read });
      await paid(office, first);
    },
    false,
  ],
  [
    "sent by anybody with the number and amount of one that was paid before",
    async (office, read) => {
      const first = await uploaded(office, {});
      const { invoiceNumber, totalCents } = await getInvoice(office.services, office.actor, first);
      await paid(office, first);
      await office.services.db
        .delete(invoices)
        .where(and(eq(invoices.organizationId, office.actor.organizationId), eq(invoices.id, first)));
      office.services.clock.advance(1_000);
      await mailed(office, { ...read, invoiceNumber: invoiceNumber ?? "", totalCents: totalCents ?? 0 });
    },
    false,
  ],
];

test.each(WAYS)("of invoices %s, others learn: %#", async (_, receive, isTaught) => {
  const office = await anOffice();
  await times(3, () => receive(office, { findings: [linkTo("a.top")] }));
  const codes = (await findingsOf(office, await mailed(office, { findings: [linkTo("b.top")] }))).map(
    ({ code }) => code,
  );
  expect(codes.includes("new_way_to_pay")).toBe(isTaught);
});

/** o: the payee's own, which names a.top; s: anybody's, which names b.top; u: handed in, and names b.top. */
test.each([
  ["before the payee's third", "ossoo"],
  ["however many, after the payee's third", `ooo${"s".repeat(21)}`],
  ["and handed in too", "ooouuss"],
])("a site of a criminal's is none that is usual, where it was sent %s", async (_, order) => {
  const office = await anOffice();
  const own = () => mailed(office, { findings: [linkTo("a.top")] }, { from: OWN });
  const other = () => mailed(office, { findings: [linkTo("b.top")] });
  const handedIn = () => uploaded(office, { findings: [linkTo("b.top")] });
  for (const each of order) await (each === "o" ? own : each === "s" ? other : handedIn)();
  expect((await findingsOf(office, await other())).map(({ code }) => code)).toContain("new_way_to_pay");
  expect((await findingsOf(office, await own())).map(({ code }) => code)).not.toContain("new_way_to_pay");
});

test("emails from anybody change nothing of what is usual, before and after the payee's own invoices", async () => {
  const office = await anOffice();
  const strange = () =>
    mailed(office, { accounts: [], supplierName: office.details.name, totalCents: 90_000_000, producer: "Forge" });
  const own = () => mailed(office, { totalCents: 100_000, producer: "Xero" }, { from: OWN });
  await times(4, strange);
  await times(4, own);
  await times(21, strange);
  const found = await findingsOf(office, await strange());
  expect(found.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      "The total is $900,000.00. The largest of 4 earlier invoices of this payee was $1,000.00.",
      "The document was made by Forge. 4 earlier invoices of this payee were made by Xero.",
      expect.stringContaining("Each of 4 earlier invoices of this payee named one"),
    ]),
  );
});

test("a sender's domain is new until an invoice that surely is the payee's came from it", async () => {
  const office = await anOffice();
  const isNew = async (id: string) => (await findingsOf(office, id)).find(({ code }) => code === "sender_new")?.message;
  const first = await mailed(office, {});
  const said = `None of your payees has the domain elsewhere.example. No invoice that is surely from ${office.details.name} came from there before.`;
  expect(await isNew(first)).toBe(said);
  expect(await isNew(await mailed(office, {}))).toBe(said);
  await decided(office, first, "accept");
  expect(await isNew(await mailed(office, {}))).toBeUndefined();
  // A colleague sent it on.
  await claims(office.services, office.actor.organizationId, "office.example");
  expect(await isNew(await mailed(office, {}, { from: "mira@office.example", isKnown: true }))).toBeUndefined();
  expect(await isNew(await mailed(office, { accounts: [] }))).toBe(
    "None of your payees has the domain elsewhere.example.",
  );
});

test("at a free provider only the whole address is the payee's", async () => {
  const office = await anOffice();
  const isNew = async (id: string) => (await findingsOf(office, id)).find(({ code }) => code === "sender_new")?.message;
  const first = await mailed(office, {}, { from: "karri@gmail.com" });
  const said = (from: string) => `No invoice that is surely from ${office.details.name} came from ${from} before.`;
  expect(await isNew(first)).toBe(said("karri@gmail.com"));
  await decided(office, first, "accept");
  expect(await isNew(await mailed(office, {}, { from: "karri@gmail.com" }))).toBeUndefined();
  expect(await isNew(await mailed(office, {}, { from: "notkarri@gmail.com" }))).toBe(said("notkarri@gmail.com"));
  expect(await isNew(await mailed(office, {}, { from: "rri@gmail.com" }))).toBe(said("rri@gmail.com"));
  expect(await isNew(await mailed(office, { accounts: [] }, { from: "other@gmail.com" }))).toBeUndefined();
});

test("the same number or amount is seen however many others came since, and whoever sent them", async () => {
  const office = await anOffice();
  const seen = async (id: string) => (await findingsOf(office, id)).find(({ code }) => code === "seen_before")?.message;
  const one = { invoiceNumber: "K-1", totalCents: 512_300 };
  await uploaded(office, one);
  await mailed(office, { invoiceNumber: "S-1", totalCents: 777_700 });
  const nobodys = { accounts: [], supplierName: "Nobody In Particular" };
  await uploaded(office, { ...nobodys, invoiceNumber: undefined, totalCents: 45_000 });
  await times(25, () => mailed(office, {}));
  expect(await seen(await mailed(office, one))).toMatch(
    /^Invoice K-1 of this payee was already received on .+ for \$5,123\.00\.$/,
  );
  expect(await seen(await uploaded(office, { ...one, invoiceNumber: "K-2" }))).toMatch(
    /^Another invoice of this payee for \$5,123\.00/,
  );
  expect(await seen(await uploaded(office, { invoiceNumber: "S-1" }))).toMatch(
    /^Invoice S-1 of this payee was already/,
  );
  expect(await seen(await uploaded(office, { ...nobodys, totalCents: 45_000 }))).toMatch(
    /^Another invoice from someone who is not a payee/,
  );
  office.services.clock.advance(6 * DAY_MS);
  expect(await seen(await uploaded(office, { ...one, invoiceNumber: "K-3" }))).toBeUndefined();
  expect(await seen(await uploaded(office, { ...one, invoiceNumber: "K-1", totalCents: 1 }))).toMatch(
    /^Invoice K-1 of this payee/,
  );
});

test("an invoice is seen again after its supplier was added as a payee, and a number that others use too is not it", async () => {
  const { services, actor, ...office } = await anOffice();
  const account = anAccount({ bsb: "083170", accountNumber: "55120416" });
  const read = { accounts: [account], supplierName: "Quill Press", invoiceNumber: "1001", totalCents: 88_000 };
  await anInvoice(services, actor, read);
  await anAddedPayee(services, actor, {
    ...office.details,
    name: "Quill Press",
    accountName: "Quill Press",
    abn: null,
    email: null,
    ...account,
  });
  const seen = async (given: Partial<ReadFacts>) => {
    const { findings, payeeId } = await getInvoice(services, actor, await anInvoice(services, actor, given));
    expect(payeeId).not.toBeNull();
    return findings.find(({ code }) => code === "seen_before")?.message;
  };
  expect(await seen({ ...read, totalCents: 89_000 })).toMatch(
    /^An invoice with the number 1001 was already received on .+, for \$880\.00\.$/,
  );
  expect(await seen({ ...read, supplierName: undefined })).toMatch(
    /^An invoice with the number 1001|^Invoice 1001 of this payee/,
  );
  expect(await seen({ accounts: [anAccount(office.details)], invoiceNumber: "1001", totalCents: 1 })).toBeUndefined();
});
