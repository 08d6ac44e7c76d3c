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
  [
    "all headers that the platform writes, in its order",
    [
      "Received: from mail.karrifloors.example (192.0.2.7) by cloudflare-email.net (cloudflare) id a1 for <a@b.example>",
      "ARC-Seal: i=1; a=rsa-sha256; s=a; d=cloudflare-email.net; cv=none; b=AA==;",
      "ARC-Message-Signature: i=1; a=rsa-sha256; s=a; d=cloudflare-email.net; h=To:From; b=AA==;",
      "ARC-Authentication-Results: i=1; mx.cloudflare.net; dkim=pass header.d=karrifloors.example header.s=s1 header.b=AA; dmarc=pass header.from=karrifloors.example policy.dmarc=none; spf=none (mx.cloudflare.net: no SPF records found for postmaster@mail.karrifloors.example) smtp.helo=mail.karrifloors.example; spf=pass (mx.cloudflare.net: domain of b@karrifloors.example designates 192.0.2.7 as permitted sender) smtp.mailfrom=b@karrifloors.example; arc=none smtp.remote-ip=192.0.2.7",
      "Received-SPF: pass (mx.cloudflare.net: domain of b@karrifloors.example designates 192.0.2.7 as permitted sender) receiver=mx.cloudflare.net",
      "Authentication-Results: mx.cloudflare.net; dkim=pass header.d=karrifloors.example; dmarc=pass header.from=karrifloors.example policy.dmarc=none; spf=pass smtp.mailfrom=b@karrifloors.example",
      "Received: by a with SMTP id b",
      FROM,
    ],
    "pass",
  ],
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
