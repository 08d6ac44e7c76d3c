import { expect, test } from "vitest";
import {
  PAYEE_LINK_TTL_MS,
  type PayeeLink,
  type PayeeLinkState,
  payeeLinkMessage,
  payeeLinkState,
  payeeLinkText,
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
  ["verified by somebody else", { status: "verified" }, "expired"],
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
