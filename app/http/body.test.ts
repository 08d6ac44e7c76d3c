import { describe, expect, test } from "vitest";
import * as z from "zod";
import { discardBody, MAX_BODY_BYTES, readForm, readJson, readText } from "./body.server";

const BOUNDARY = "----boundary";
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

const post = (body: BodyInit, type: string) =>
  new Request("http://127.0.0.1/x", { method: "POST", headers: { "Content-Type": type }, body });

/** A body without a declared length. */
function streamed(size: number, type: string) {
  let left = size;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = Math.min(left, 16 * 1024);
      left -= chunk;
      if (chunk > 0) controller.enqueue(new Uint8Array(chunk).fill(97));
      else controller.close();
    },
  });
  const init = { method: "POST", headers: { "Content-Type": type }, body, duplex: "half" };
  return { request: new Request("http://127.0.0.1/x", init), left: () => left };
}

const part = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

describe("forms", () => {
  test("both encodings are read, repeated names included", async () => {
    const encoded = await readForm(post("a=1&a=2&b=%20", "application/x-www-form-urlencoded"));
    expect([...encoded]).toEqual([
      ["a", "1"],
      ["a", "2"],
      ["b", " "],
    ]);
    const multipart = await readForm(post(`${part("a", "1")}${part("b", "ü")}--${BOUNDARY}--\r\n`, MULTIPART));
    expect([...multipart]).toEqual([
      ["a", "1"],
      ["b", "ü"],
    ]);
  });

  test.each([
    ["no boundary", "x", "multipart/form-data"],
    ["an empty boundary", "--\r\n", "multipart/form-data; boundary="],
    ["no part", "garbage", MULTIPART],
  ])("a multipart form with %s is the sender's fault", async (_what, body, type) => {
    await expect(readForm(post(body, type))).rejects.toMatchObject({ code: "MALFORMED", status: 400 });
  });

  test.each(["text/plain", "application/json", ""])("a form sent as %j is refused", async (type) => {
    await expect(readForm(post("a=1", type))).rejects.toMatchObject({ status: 415 });
  });

  test.each(["application/x-www-form-urlencoded", MULTIPART])(
    "a form (%s) that is too large is refused although nobody declared its length",
    async (type) => {
      const { request } = streamed(MAX_BODY_BYTES + 1, type);
      await expect(readForm(request)).rejects.toMatchObject({ code: "TOO_LARGE", status: 413 });
    },
  );
});

describe("JSON", () => {
  const schema = z.object({ name: z.string({ error: "Say a name" }).optional() });

  test("an object is checked against its schema, and no body is an empty object", async () => {
    expect(await readJson(post('{"name":"a"}', "application/json; charset=utf-8"), schema)).toEqual({ name: "a" });
    expect(await readJson(new Request("http://127.0.0.1/x", { method: "POST" }), schema)).toEqual({});
    const wrong = readJson(post('{"name":5}', "application/json"), schema);
    await expect(wrong).rejects.toMatchObject({ status: 400, fieldErrors: { name: ["Say a name"] } });
  });

  test.each(["[]", "null", '"x"', "5", "true", "{nope", "   ", `${"[".repeat(21)}${"]".repeat(21)}`])(
    "%s is no body for anybody",
    async (body) => {
      await expect(readJson(post(body, "application/json"), schema)).rejects.toMatchObject({
        code: "MALFORMED",
        status: 400,
        message: expect.stringMatching(
          /^The body is (not valid JSON|nested too deeply)\.$|^The body must be a JSON object\.$/,
        ),
      });
    },
  );

  test("JSON under another content type is refused", async () => {
    await expect(readJson(post("{}", "text/plain"), schema)).rejects.toMatchObject({ status: 415 });
  });
});

describe("texts", () => {
  test("the limit itself is accepted, one byte more is not", async () => {
    expect(await readText(streamed(1000, "text/plain").request, 1000)).toHaveLength(1000);
    await expect(readText(streamed(1001, "text/plain").request, 1000)).rejects.toMatchObject({ status: 413 });
  });

  test("invalid UTF-8 is malformed, even when only the last character is cut", async () => {
    for (const bytes of [
      [0xff, 0xfe],
      [0x61, 0xe2, 0x82],
    ]) {
      const request = post(new Uint8Array(bytes), "text/plain");
      await expect(readText(request)).rejects.toMatchObject({ code: "MALFORMED", status: 400 });
    }
  });

  test("what goes beyond the limit is still taken off the connection, up to a bound", async () => {
    const large = streamed(2_000_000, "text/plain");
    await expect(readText(large.request, 1000)).rejects.toMatchObject({ status: 413 });
    expect(large.left()).toBe(0);
    const endless = streamed(1_000_000_000, "text/plain");
    await expect(readText(endless.request, 1000)).rejects.toMatchObject({ status: 413 });
    expect(endless.left()).toBeGreaterThan(900_000_000);
  });

  test("a body that nobody read is let go, one that a person reads is left alone", async () => {
    const unread = streamed(300_000, "text/plain");
    await discardBody(unread.request.body);
    expect(unread.left()).toBe(0);
    const held = streamed(300_000, "text/plain");
    const reader = held.request.body?.getReader();
    await discardBody(held.request.body);
    expect((await reader?.read())?.value?.byteLength).toBeGreaterThan(0);
    await discardBody(null);
  });
});
