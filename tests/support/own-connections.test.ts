import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { giveOwnConnections, withOwnConnections } from "./own-connections";

/** A server that closes each kept connection just when the next request comes on it. */
let server: Server;
let address: string;

beforeAll(async () => {
  const used = new WeakSet<Socket>();
  server = createServer((incoming, answer) => {
    if (used.has(incoming.socket)) return void incoming.socket.resetAndDestroy();
    used.add(incoming.socket);
    incoming.resume().on("end", () => answer.end(incoming.headers.cookie ?? incoming.method));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(() => server.close());

/** Asked until the connection of an answer before is met: the library may first open more than one. */
async function askOften(ask: () => Promise<unknown>): Promise<string> {
  try {
    for (let i = 0; i < 10; i++) await ask();
    return "all answered";
  } catch (error) {
    return String(error);
  }
}

test("a test's own fetch meets no connection that the server has just closed", async () => {
  const headers = { cookie: "a=b" };
  const ask = (how: typeof fetch) => async () => (await how(address, { method: "POST", body: "x", headers })).text();
  expect(await askOften(ask(withOwnConnections(fetch)))).toBe("all answered");
  expect(await ask(withOwnConnections(fetch))()).toBe("a=b");
  const asRequest = new Request(address, { method: "PUT", headers });
  expect(await (await withOwnConnections(fetch)(asRequest)).text()).toBe("a=b");
  expect(await askOften(ask(fetch))).toContain("fetch failed");
});

test("nor does what is asked with the cookies of a visit", async () => {
  const context = await request.newContext();
  const ask = async () => (await context.post(address, { data: "x", headers: { cookie: "a=b" } })).text();
  expect(await askOften(ask)).toMatch(/ECONNRESET|socket hang up/);
  giveOwnConnections(context);
  expect(await askOften(ask)).toBe("all answered");
  expect(await ask()).toBe("a=b");
  await context.dispose();
});
