import { expect, test } from "vitest";
import { createBreachedRange } from "./breached-range";

// SHA-1 of "Password1!" is 32ca9fc1 a0f5b633 0e3f4c8c 1bbecde9 bedb9573.
const PREFIX = "32CA9";
const SUFFIX = "FC1A0F5B6330E3F4C8C1BBECDE9BEDB9573";

function service(answer: (request: Request) => Promise<Response>, timeoutMs?: number) {
  const asked: Request[] = [];
  const warnings: string[] = [];
  const ignore = () => {};
  const breached = createBreachedRange({
    baseUrl: "https://known.example/range",
    fetch: (request) => {
      asked.push(request);
      return answer(request);
    },
    timeoutMs,
    log: { info: ignore, error: ignore, warn: (event) => warnings.push(event) },
  });
  return { breached, asked, warnings };
}

const body = (...lines: string[]) => Promise.resolve(new Response(lines.join("\r\n")));
const OTHER = "0018A45C4D1DEF81644B54AB7F969B88D65:3";

test("a password among the answers is known", async () => {
  const { breached } = service(() => body(OTHER, `${SUFFIX}:2483`));
  expect(await breached.isBreached("Password1!")).toBe(true);
});

test("one that is not, or only as padding, is not", async () => {
  for (const lines of [[OTHER], [OTHER, `${SUFFIX}:0`], [""]]) {
    expect(await service(() => body(...lines)).breached.isBreached("Password1!")).toBe(false);
  }
});

test("only five digits of the digest leave the house, and the answer is padded", async () => {
  const { breached, asked } = service(() => body(OTHER));
  await breached.isBreached("Password1!");
  expect(asked.map((request) => request.url)).toEqual([`https://known.example/range/${PREFIX}`]);
  expect(asked[0]?.headers.get("Add-Padding")).toBe("true");
});

test("spellings that sign in alike are asked about alike", async () => {
  const { breached } = service(() => body(`${SUFFIX}:1`));
  expect(await breached.isBreached("Ｐassword1!")).toBe(true);
});

test.each([
  ["refuses", () => Promise.resolve(new Response("no", { status: 503 }))],
  ["cannot be reached", () => Promise.reject(new TypeError("unreachable"))],
  ["sends too much", () => body("A".repeat(300_000))],
  ["sends no text", () => Promise.resolve(new Response(new Uint8Array([0xff, 0xfe])))],
])("a service that %s stops nobody, and is noted", async (_what, answer) => {
  const { breached, warnings } = service(answer);
  expect(await breached.isBreached("Password1!")).toBe(false);
  expect(warnings).toEqual(["breached_passwords.unavailable"]);
});

test("a service that never answers is given up", async () => {
  const { breached, asked, warnings } = service(
    (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason));
      }),
    5,
  );
  expect(await breached.isBreached("Password1!")).toBe(false);
  expect(asked[0]?.signal.aborted).toBe(true);
  expect(warnings).toHaveLength(1);
});
