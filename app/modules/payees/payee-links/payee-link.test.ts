import { expect, test } from "vitest";
import {
  holdsFreshLink,
  PAYEE_LINK_TTL_MS,
  type PayeeLink,
  type PayeeLinkState,
  type PayeeLinkView,
  payeeLinkMessage,
  payeeLinkState,
  payeeLinkText,
  payeeLinkWords,
} from "./payee-link";

const NOW = 1_790_000_000_000;
const DETAILS = { accountName: "Ana Ruiz", bsb: "062000", accountNumber: "12345678" };
const link = (changes: Partial<PayeeLink> = {}): PayeeLink => ({
  status: "pending",
  verifiedByPayee: false,
  disputedByPayeeAt: null,
  verificationTokenExpiresAt: NOW + 1,
  submitted: DETAILS,
  current: DETAILS,
  ...changes,
});

const STATES: [string, Partial<PayeeLink>, PayeeLinkState][] = [
  ["fresh", {}, "open"],
  ["confirmed", { verifiedByPayee: true }, "confirmed"],
  ["confirmed and decided since", { verifiedByPayee: true, status: "verified" }, "confirmed"],
  ["confirmed and past its end", { verifiedByPayee: true, verificationTokenExpiresAt: NOW }, "confirmed"],
  ["confirmed and disputed", { verifiedByPayee: true, disputedByPayeeAt: 1 }, "confirmed"],
  ["disputed", { disputedByPayeeAt: 1 }, "disputed"],
  ["disputed and decided since", { disputedByPayeeAt: 1, status: "rejected" }, "disputed"],
  ["at its last instant", { verificationTokenExpiresAt: NOW }, "expired"],
  ["without an end", { verificationTokenExpiresAt: null }, "expired"],
  ["approved without the payee's answer", { status: "verified" }, "confirmed"],
  ["approved and past its end", { status: "verified", verificationTokenExpiresAt: NOW }, "confirmed"],
  ["approved and edited since", { status: "verified", current: { ...DETAILS, bsb: "062001" } }, "expired"],
  ["disputed and approved since", { disputedByPayeeAt: 1, status: "verified" }, "disputed"],
  ["rejected", { status: "rejected" }, "expired"],
  ["failed", { status: "failed" }, "expired"],
  ["about an account name edited since", { current: { ...DETAILS, accountName: "Ana Ruiz Pty Ltd" } }, "expired"],
  ["about a BSB edited since", { current: { ...DETAILS, bsb: "062001" } }, "expired"],
  ["about an account number edited since", { current: { ...DETAILS, accountNumber: "12345679" } }, "expired"],
];

test.each(STATES)("a link that is %s answers as it should", (_, changes, state) => {
  expect(payeeLinkState(link(changes), NOW)).toBe(state);
});

test("the sentences carry the words by which a client tells the cases apart", () => {
  expect(payeeLinkMessage("confirmed", "Harbour")).toContain("already been verified");
  expect(payeeLinkMessage("expired", "Harbour")).toContain("expired");
  expect(payeeLinkMessage("disputed", "Harbour")).toBe(
    "You told us these are not your details; Harbour has been told.",
  );
  expect(payeeLinkMessage("disputed", "Harbour")).not.toMatch(/expired|already been verified/);
});

const organizationName = "Harbour";
const VIEWS: Exclude<PayeeLinkView, { state: "open" }>[] = [
  { state: "confirmed", organizationName, message: payeeLinkMessage("confirmed", "Harbour"), leadsToBank: true },
  { state: "confirmed", organizationName, message: payeeLinkMessage("confirmed", "Harbour"), leadsToBank: false },
  { state: "disputed", organizationName, message: payeeLinkMessage("disputed", "Harbour"), note: "Closed last year" },
  { state: "disputed", organizationName, message: payeeLinkMessage("disputed", "Harbour"), note: null },
  { state: "expired", organizationName, message: payeeLinkMessage("expired", "Harbour") },
  { state: "failed", organizationName: null, message: "This is not one of our links." },
];
const NEEDS_THE_PAYEE = /please show at your own bank/i;
const IS_OVER = /nothing more/i;

test.each(VIEWS.flatMap((view) => [true, false].map((isFresh) => ({ view, isFresh }))))(
  "no two sentences of a link contradict each other: %j",
  ({ view, isFresh }) => {
    const { title, sentences } = payeeLinkWords(view, { isFresh });
    const text = [title, ...sentences].join(" ");
    expect(NEEDS_THE_PAYEE.test(text) && IS_OVER.test(text)).toBe(false);
    expect(NEEDS_THE_PAYEE.test(text)).toBe(view.state === "confirmed" && view.leadsToBank);
    expect(/failed|expired/i.test(text)).toBe(view.state === "expired" || view.state === "failed");
    expect(sentences.length).toBeGreaterThan(0);
  },
);

test("a payee who comes back sees what they answered", () => {
  const [, confirmed, disputed] = VIEWS.map((view) => payeeLinkWords(view, { isFresh: false }));
  expect(confirmed?.title).toBe("Already Verified");
  expect(disputed).toMatchObject({ title: "You told us these are not your details" });
  expect(disputed?.sentences.join(" ")).toContain("Closed last year");
});

test("a link works for seven days", () => {
  expect(PAYEE_LINK_TTL_MS).toBe(7 * 24 * 60 * 60 * 1000);
});

test("a text message names who asks, carries the link and hides the account", () => {
  const text = payeeLinkText({
    organizationName: "Harbour Joinery",
    payeeName: "Ana Ruiz",
    accountNumber: "12345678",
    link: "https://app.test/verify/t?vid=v&pid=p",
    expiresOn: "27 Nov 2026",
  });
  expect(text).toContain("Harbour Joinery asks you");
  expect(text).toContain("ending 678");
  expect(text).toContain(" https://app.test/verify/t?vid=v&pid=p ");
  expect(text).not.toContain("12345");
});

const HOUR = 60 * 60 * 1000;
const sent = { linkSentAt: NOW - 47 * HOUR, linkExpiresAt: NOW + HOUR, confirmedAt: null };

test.each([
  ["was sent lately and not answered", {}, null, true],
  ["was sent to the contact since it was changed", {}, NOW - 48 * HOUR, true],
  ["went to a contact that was changed since", {}, NOW - 46 * HOUR, false],
  ["is due to be sent again", { linkSentAt: NOW - 48 * HOUR }, null, false],
  ["has ended", { linkExpiresAt: NOW }, null, false],
  ["was answered", { confirmedAt: NOW - HOUR }, null, false],
  ["was never sent", { linkSentAt: null, linkExpiresAt: null }, null, false],
])("a bank check counts on a link that %s: %#", (_, changes, contactChangedAt, expected) => {
  expect(holdsFreshLink({ ...sent, ...changes }, { contactChangedAt }, NOW)).toBe(expected);
});
