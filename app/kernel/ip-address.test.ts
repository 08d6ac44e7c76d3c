import { expect, test } from "vitest";
import { ipv6Groups, isPublicAddress, subscriberOf } from "./ip-address";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
])("a limit counts %s as %s", (address, subscriber) => {
  expect(subscriberOf(address)).toBe(subscriber);
});

test.each([
  ["2001:db8::", ["2001", "db8", "0", "0", "0", "0", "0", "0"]],
  ["1:2:3:4:5:6:7:8", ["1", "2", "3", "4", "5", "6", "7", "8"]],
])("the groups of %s", (address, groups) => {
  expect(ipv6Groups(address)).toEqual(groups);
});

test.each([
  "1.1.1.1",
  "93.184.216.34",
  "203.0.112.9",
  "172.32.0.1",
  "2606:2800:220:1::1",
  "2a00:1450:4001::8",
  "64:ff9b::8.8.8.8",
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "192.0.2.1",
  "198.19.255.255",
  "203.0.113.7",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "::ffff:7f00:1",
  "64:ff9b::127.0.0.1",
  "fe80::1",
  "fd00::1",
  "fc00::1",
  "ff02::1",
  "2001:db8::1",
  "2001::1",
  "2002:7f00:1::",
  "",
  "localhost",
  "1.2.3",
  "1.2.3.256",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
