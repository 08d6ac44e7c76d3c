import { expect, test } from "vitest";
import * as z from "zod";
import { UpstreamError } from "~/kernel/app-error";
import { createHttpClient, type Fetch, MAX_ANSWER_BYTES } from "./http-client";

const schema = z.object({ id: z.string() });
const clock = { now: () => Date.UTC(2026, 10, 20) };

function clientOf(fetch: Fetch, timeoutMs?: number) {
  return createHttpClient({
    party: "somebody",
    fetch,
    clock,
    timeoutMs,
    describeError: (body) => z.object({ code: z.string(), detail: z.string() }).safeParse(body).data ?? {},
  });
}

async function failure(fetch: Fetch, timeoutMs?: number): Promise<UpstreamError> {
  const error = await clientOf(fetch, timeoutMs)
    .callJson({ method: "GET", url: "https://party.example/thing" }, schema)
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof UpstreamError)) throw new Error(`expected an UpstreamError, got ${String(error)}`);
  return error;
}

const answering =
  (body: BodyInit | null, init?: ResponseInit): Fetch =>
  async () =>
    new Response(body, init);

test("an answer that fits is returned, without fields nobody asked for", async () => {
  const client = clientOf(answering('{"id":"1","more":true}'));
  expect(await client.callJson({ method: "GET", url: "https://party.example/" }, schema)).toEqual({ id: "1" });
});

test("a call without an answer succeeds on 204", async () => {
  const client = clientOf(answering(null, { status: 204 }));
  await expect(client.callWithoutAnswer({ method: "DELETE", url: "https://party.example/" })).resolves.toBeUndefined();
});

test.each([
  [301, "malformed"],
  [400, "rejected"],
  [401, "unavailable"],
  [403, "rejected"],
  [404, "rejected"],
  [408, "unavailable"],
  [409, "rejected"],
  [422, "rejected"],
  [429, "rate_limited"],
  [500, "unavailable"],
  [503, "unavailable"],
])("status %i is %s", async (status, kind) => {
  const error = await failure(answering("", { status }));
  expect(error).toMatchObject({ kind, party: "somebody", options: { httpStatus: status } });
  expect(error.retryable).toBe(kind !== "rejected");
});

test.each([
  ["nothing", ""],
  ["blanks", " \n"],
  ["a web page", "<html></html>"],
  ["half of it", '{"id":"1'],
  ["another shape", '{"id":1}'],
  ["bytes that are not UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
  ["a character cut in half", new Uint8Array([0x22, 0xe2, 0x82])],
])("an answer of %s is malformed", async (_, body) => {
  expect((await failure(answering(body))).kind).toBe("malformed");
});

test("an answer over the limit is malformed and not read to its end", async () => {
  const chunk = new Uint8Array(64 * 1024).fill(0x20);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  expect((await failure(answering(endless))).kind).toBe("malformed");
  expect(sent).toBeLessThan(MAX_ANSWER_BYTES * 2);
});

test("an answer of exactly the limit is read", async () => {
  const body = '{"id":"1"}'.padEnd(MAX_ANSWER_BYTES);
  const client = clientOf(answering(body));
  expect(await client.callJson({ method: "GET", url: "https://party.example/" }, schema)).toEqual({ id: "1" });
});

test("a refused connection is unreachable", async () => {
  const refused: Fetch = async () => {
    throw new TypeError("fetch failed");
  };
  expect((await failure(refused)).kind).toBe("unreachable");
});

test("a connection that breaks in the middle of an answer is unreachable", async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
  expect((await failure(answering(broken))).kind).toBe("unreachable");
});

test("no answer in time is a timeout", async () => {
  const silent: Fetch = (request) =>
    new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
  expect((await failure(silent, 1)).kind).toBe("timeout");
});

test("what the party says is kept for the log, its long numbers masked", async () => {
  const body = JSON.stringify({ code: "parameter-not-valid", detail: "account 062-000 12345678 of 1 is not valid" });
  const error = await failure(answering(body, { status: 400, headers: { "retry-after": "7" } }));
  expect(error.options).toMatchObject({ code: "parameter-not-valid", retryAfterMs: 7_000 });
  expect(error.message).toBe("somebody: rejected: HTTP 400 parameter-not-valid account *** of 1 is not valid");
});

test("redirects are not followed", async () => {
  let redirect: string | undefined;
  await failure(async (request) => {
    redirect = request.redirect;
    return new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } });
  });
  expect(redirect).toBe("manual");
});
