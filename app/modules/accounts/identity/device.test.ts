import { expect, test } from "vitest";
import { describeDevice, networkOf } from "./session.server";

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`${WINDOWS} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`${WINDOWS} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, "Edge on Windows"],
  [`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15`, "Safari on macOS"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [`Mozilla/5.0 (Linux; Android 16; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  ["curl/8.5.0", "curl"],
  ["node", "An unknown program"],
  ["libwww (Linux)", "A program on Linux"],
  ["", "An unknown program"],
  [null, "An unknown program"],
])("%j is %s", (userAgent, words) => {
  expect(describeDevice(userAgent)).toBe(words);
});

test.each([
  ["203.0.113.7", "203.0.113"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1"],
  ["2001:DB8::1", "2001:db8:0"],
  ["2001:0db8:0001::", "2001:db8:1"],
  ["::1", "0:0:0"],
  [null, ""],
])("the address %s is of the network %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
