import { expect, test } from "vitest";
import { hasDmarc, readDmarc } from "./email-domain";

const policy = (policy: string, percent = 100, of = "acme.example") => ({ state: "policy", policy, of, percent });

test.each<[string, string[], object]>([
  ["no text", [], { state: "none" }],
  ["another text", ["v=spf1 -all"], { state: "none" }],
  ["a policy", ["v=DMARC1; p=reject"], policy("reject")],
  ["the example of RFC 7489, B.2.1", ["v=DMARC1; p=none; rua=mailto:dmarc-feedback@example.com"], policy("none")],
  ["no blanks and a last semicolon", ["v=DMARC1;p=quarantine;"], policy("quarantine")],
  ["blanks everywhere", ["  v = DMARC1 ;  p = Reject ; adkim = s "], policy("reject")],
  ["capital letters in a tag's name", ["v=DMARC1; P=reject"], policy("reject")],
  ["tags that nobody knows", ["v=DMARC1; p=reject; xyz=1; np=reject; psd=n"], policy("reject")],
  ["text that is no tag", ["v=DMARC1; p=reject; hello"], policy("reject")],
  ["another text beside it", ["google-site-verification=1", "v=DMARC1; p=reject"], policy("reject")],
  ["a share", ["v=DMARC1; p=reject; pct=20"], policy("reject", 20)],
  ["a share that is none", ["v=DMARC1; p=reject; pct=200"], policy("reject")],
  ["a share in words", ["v=DMARC1; p=reject; pct=half"], policy("reject")],
  ["a test of the newer standard", ["v=DMARC1; p=reject; t=y"], policy("reject", 0)],
  ["a policy for subdomains", ["v=DMARC1; p=none; sp=reject"], policy("none")],
  ["several records", ["v=DMARC1; p=reject", "v=DMARC1; p=none"], { state: "several" }],
  ["several records that agree", ["v=DMARC1; p=reject", "v=DMARC1; p=reject"], { state: "several" }],
  ["a tag twice", ["v=DMARC1; p=none; p=reject"], { state: "malformed" }],
  ["no policy", ["v=DMARC1"], { state: "malformed" }],
  ["a policy that nobody knows", ["v=DMARC1; p=block"], { state: "malformed" }],
  ["a policy for subdomains that nobody knows", ["v=DMARC1; p=reject; sp=block"], { state: "malformed" }],
  ["reports only", ["v=DMARC1; rua=mailto:a@b.example"], policy("none")],
  ["a policy that nobody knows, with reports", ["v=DMARC1; p=block; rua=mailto:a@b.example"], policy("none")],
  ["reports to no address", ["v=DMARC1; rua=nowhere"], { state: "malformed" }],
  ["the version not first", ["p=reject; v=DMARC1"], { state: "none" }],
  ["the version in small letters", ["v=dmarc1; p=reject"], { state: "none" }],
  ["another version", ["v=DMARC2; p=reject"], { state: "none" }],
  ["a version that goes on", ["v=DMARC1x; p=reject"], { state: "none" }],
])("%s", (_, texts, read) => {
  expect(readDmarc(texts, "acme.example")).toEqual(read);
});

test.each<[string, string, object]>([
  ["its policy for them", "v=DMARC1; p=none; sp=reject", policy("reject")],
  ["the policy where it has none for them", "v=DMARC1; p=reject", policy("reject")],
  ["the weaker one where that is for them", "v=DMARC1; p=reject; sp=none", policy("none")],
])("a domain below another: %s", (_, text, read) => {
  expect(readDmarc([text], "acme.example", true)).toEqual(read);
});

test("a record that counts as none ends the search as well", () => {
  expect(hasDmarc(["v=DMARC1; p=block"])).toBe(true);
  expect(hasDmarc(["v=spf1 -all", "v=dmarc1; p=reject"])).toBe(false);
});
