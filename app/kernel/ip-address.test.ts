import { expect, test } from "vitest";
import { ipv6Groups, subscriberOf } from "./ip-address";

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
