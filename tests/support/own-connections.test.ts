import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { request } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { giveOwnConnections, withOwnConnections } from "./own-connections";

/** A server that closes each kept connection just when the next request comes on it. */
let server: Server;
let address: string;
let asked: { method?: string; cookie?: string; connection?: string }[] = [];

beforeAll(async () => {
  const used = new WeakSet<Socket>();
  server = createServer(({ method, headers: { cookie, connection }, socket }, answer) => {
    if (used.has(socket)) return void socket.resetAndDestroy();
    used.add(socket);
    asked.push({ method, cookie, connection });
    answer.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

beforeEach(() => {
  asked = [];
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const OFTEN = Array.from({ length: 5 }, (_, at) => at);
const each = (method: string) => OFTEN.map(() => ({ method, cookie: "a=b", connection: "close" }));

test("a test's own fetch meets no connection that the server has just closed", async () => {
  const ask = withOwnConnections(fetch);
  const headers = { cookie: "a=b" };
  for (const _ of OFTEN) await (await ask(address, { method: "POST", body: "x", headers })).text();
  expect(asked).toEqual(each("POST"));
  asked = [];
  for (const _ of OFTEN) await (await ask(new Request(address, { method: "PUT", headers }))).text();
  expect(asked).toEqual(each("PUT"));
});

test("nor does what is asked with the cookies of a visit", async () => {
  const context = await request.newContext();
  giveOwnConnections(context);
  for (const _ of OFTEN) await (await context.patch(address, { data: "x", headers: { cookie: "a=b" } })).text();
  expect(asked).toEqual(each("PATCH"));
  await context.dispose();
});
