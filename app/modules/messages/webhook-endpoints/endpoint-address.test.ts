import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "~/kernel/dates";
import { nextTryAt, RETRY_DELAYS_MS } from "./deliver.server";
import { readEndpointUrl } from "./endpoint.server";

test.each([
  ["https://hooks.example.com/payeeproof", "https://hooks.example.com/payeeproof"],
  [" https://Hooks.Example.com:443/a?b=1#c ", "https://hooks.example.com/a?b=1"],
  ["https://hooks.example.com:8443", "https://hooks.example.com:8443/"],
])("%s is taken as %s", (text, url) => {
  expect(readEndpointUrl(text)).toEqual({ url });
});

test.each([
  ["", /full address/],
  ["hooks.example.com", /full address/],
  ["http://hooks.example.com", /https/],
  ["ftp://hooks.example.com", /https/],
  ["https://jo:secret@hooks.example.com", /user name/],
  ["https://hooks.example.com:22", /port/],
  ["https://127.0.0.1/", /not an IP address/],
  ["https://0x7f.1/", /not an IP address/],
  ["https://2130706433/", /not an IP address/],
  ["https://93.184.216.34/", /not an IP address/],
  ["https://[::1]/", /not an IP address/],
  ["https://[2606:2800:220:1::1]/", /not an IP address/],
  ["https://localhost/", /public internet/],
  ["https://localhost./", /public internet/],
  ["https://printer/", /public internet/],
  ["https://nas.local/", /public internet/],
  ["https://app.localhost/", /public internet/],
  ["https://vault.internal/", /public internet/],
  ["https://router.home.arpa/", /public internet/],
  [`https://hooks.example.com/${"a".repeat(500)}`, /at most 500/],
])("%s is refused", (text, problem) => {
  expect(readEndpointUrl(text)).toEqual({ problem: expect.stringMatching(problem) });
});

test("tries end after three days, and come further and further apart", () => {
  const whole = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
  expect(whole).toBeGreaterThanOrEqual(3 * DAY_MS);
  expect(whole).toBeLessThan(3 * DAY_MS + HOUR_MS);
  expect([...RETRY_DELAYS_MS].sort((one, other) => one - other)).toEqual(RETRY_DELAYS_MS);
  expect(nextTryAt(1_000, 1)).toBe(6_000);
  expect(nextTryAt(1_000, RETRY_DELAYS_MS.length + 1)).toBeUndefined();
});
