import { expect, test } from "vitest";
import { holdsWebAddress } from "./fields.schema.server";

test.each([
  "Commonwealth Bank Security - visit commbank-safe.com",
  "https://evil.example",
  "www.evil.example",
  "evil.com.au",
  "Help evil . com",
  "Help evil,com",
  "Help evil。com",
  "Help evil (dot) com",
  "Help evil dot com now",
  "EVIL.COM/login",
])("%j holds a web address", (name) => {
  expect(holdsWebAddress(name)).toBe(true);
});

test.each([
  "Harbour Joinery Pty. Ltd.",
  "St.George Street Motors",
  "Smith & Co. Australia",
  "J.R. Smith",
  "Comet Couriers",
  "A.B.C. Organics",
  "Dot Commerce Pty Ltd",
  "Networks Plus",
])("%j holds none", (name) => {
  expect(holdsWebAddress(name)).toBe(false);
});

test("a long text is read in linear time", () => {
  const before = process.cpuUsage();
  holdsWebAddress("a".repeat(60_000) + " .".repeat(10_000));
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(200);
});
