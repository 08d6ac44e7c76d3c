import { expect, test } from "vitest";
import { authenticationOf, isAutomatic, senderOf, splitMail } from "./mail-headers";

const headersOf = (...lines: string[]) =>
  splitMail(new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\nHello`)).headers;

const FROM = "From: Karri Floors <accounts@karrifloors.example>";
const PLATFORM = "Received: from mail.karrifloors.example by cloudflare-email.net";
const PASS =
  "ARC-Authentication-Results: i=1; mx.cloudflare.net; dkim=pass; dmarc=pass header.from=karrifloors.example";
const FAIL = "Authentication-Results: mx.cloudflare.net; dmarc=fail header.from=karrifloors.example policy.dmarc=none";

const AUTHENTICATED: [string, string[], "pass" | "fail" | "unknown"][] = [
  ["the platform's result", [PLATFORM, PASS, FROM], "pass"],
  ["folded lines and comments", [PLATFORM, PASS.replace("; dmarc", "\r\n ; (a; dmarc=fail) dmarc"), FROM], "pass"],
  ["a failure", [PLATFORM, FAIL, FROM], "fail"],
  ["a failure above a forged pass", [PLATFORM, FAIL, FROM, PASS], "fail"],
  ["a pass above a forged failure", [PLATFORM, PASS, FROM, FAIL], "unknown"],
  ["no result", [PLATFORM, FROM], "unknown"],
  ["a domain without a policy", [PLATFORM, PASS.replace("dmarc=pass", "dmarc=none"), FROM], "unknown"],
  ["another server's result", [PLATFORM, PASS.replace("mx.cloudflare.net", "mx.elsewhere.example"), FROM], "unknown"],
  [
    "a name that only begins alike",
    [PLATFORM, PASS.replace("mx.cloudflare.net", "mx.cloudflare.net.evil.example"), FROM],
    "unknown",
  ],
  [
    "the platform's name in a comment",
    [PLATFORM, "Authentication-Results: (mx.cloudflare.net;) x; dmarc=pass header.from=karrifloors.example", FROM],
    "unknown",
  ],
  ["a result below another server's", [PLATFORM, "Received: from a by b", PASS, FROM], "unknown"],
  ["another domain than the sender's", [PLATFORM, PASS.replace("from=karri", "from=kari"), FROM], "unknown"],
  ["two results in one", [PLATFORM, `${PASS}; dmarc=fail header.from=karrifloors.example`, FROM], "unknown"],
  [
    "a result inside quotes",
    [PLATFORM, 'Authentication-Results: mx.cloudflare.net; x="; dmarc=pass header.from=karrifloors.example"', FROM],
    "unknown",
  ],
  ["two senders", [PLATFORM, PASS, FROM, "From: b@elsewhere.example"], "unknown"],
];

test.each(AUTHENTICATED)("%s", (_name, lines, expected) => {
  expect(authenticationOf(headersOf(...lines))).toBe(expected);
});

const SENDERS: [string, string | null][] = [
  ["a@b.example", "a@b.example"],
  ["<A@B.example>", "a@b.example"],
  ['"Karri, Floors <x@y.example>" <a@b.example>', "a@b.example"],
  ["a@b.example (x@y.example)", "a@b.example"],
  ["a@b.example, c@d.example", null],
  ["x@y.example <a@b.example>", null],
  ["<a@b.example> <c@d.example>", null],
  ["Karri Floors", null],
  ["", null],
];

test.each(SENDERS)("the sender in %s", (value, expected) => {
  expect(senderOf(headersOf(`From: ${value}`, "X: y"))).toBe(expected);
});

test("programs are told from people", () => {
  expect(isAutomatic(headersOf(FROM), "accounts@karrifloors.example")).toBe(false);
  expect(isAutomatic(headersOf(FROM, "Auto-Submitted: no"), "accounts@karrifloors.example")).toBe(false);
  for (const envelope of ["", "<>", "MAILER-DAEMON@b.example"])
    expect(isAutomatic(headersOf(FROM), envelope)).toBe(true);
  for (const line of [
    "Auto-Submitted: auto-replied",
    "Precedence: bulk",
    "X-Autoreply: yes",
    "List-Id: <a.b.example>",
    "Content-Type: multipart/report; report-type=delivery-status",
    "Return-Path: <>",
  ])
    expect(isAutomatic(headersOf(FROM, line), "a@b.example")).toBe(true);
  expect(isAutomatic(headersOf("From: <postmaster@b.example>", "X: y"), "a@b.example")).toBe(true);
});

test("a header without an end, and none at all", () => {
  expect(splitMail(new TextEncoder().encode("From: a@b.example")).headers).toEqual([
    { name: "from", value: "a@b.example" },
  ]);
  expect(splitMail(new Uint8Array()).headers).toEqual([]);
});
