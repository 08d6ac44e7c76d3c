import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, request as send } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createProxy } from "./lib/front.mjs";
import { watchAnswers, workersOf } from "./lib/runtime.mjs";
import { startRelay } from "./lib/smtp-relay.mjs";

/** What stands around the Worker on a machine of your own. `npm run test:self-hosted` tries all of it together. */

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const listening = async <T extends Server>(server: T) => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
};

let runtime: Server;
let front: Server;
let gone = 0;
const seen: { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  runtime = await listening(
    createServer(async (request, response) => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: await text(request) });
      response.writeHead(201, ["Set-Cookie", "a=1; Secure", "Set-Cookie", "b=2; Secure"]).write("ma");
      response.end("de");
    }),
  );
  front = await listening(
    createProxy({
      port: portOf(runtime),
      host: "app.wattle.example",
      onGone: () => {
        gone += 1;
      },
    }),
  );
});
afterAll(() => {
  runtime.close();
  front.close();
});

async function ask(path: string, headers: Record<string, string> = {}, body?: string) {
  const method = body === undefined ? "GET" : "POST";
  const request = send({ host: "127.0.0.1", port: portOf(front), path, headers, method, agent: false });
  request.end(body);
  const [response] = (await once(request, "response")) as [import("node:http").IncomingMessage];
  return { status: response.statusCode, cookies: response.headers["set-cookie"], body: await text(response) };
}

test("the runtime hears of a visitor what the proxy saw, and nothing that the visitor says of themself", async () => {
  const lies = {
    Host: "other.example",
    "X-Forwarded-For": "192.0.2.66, 203.0.113.7",
    "X-Forwarded-Proto": "http",
    "X-Real-IP": "192.0.2.66",
    "True-Client-IP": "192.0.2.66",
    "CF-Connecting-IP": "192.0.2.66",
    "CF-IPCountry": "NZ",
    "MF-CF-Blob": "{}",
    "MF-Original-URL": "https://other.example/",
    "MF-Route-Override": "payeeproof-reader",
    Forwarded: "for=192.0.2.66",
  };
  const { status, cookies, body } = await ask("/auth?next=%2F", { ...lies, Cookie: "s=1" }, "a=b");
  expect({ status, cookies, body }).toEqual({ status: 201, cookies: ["a=1; Secure", "b=2; Secure"], body: "made" });
  const { headers, ...rest } = seen.at(-1) ?? { headers: {} };
  expect(rest).toEqual({ method: "POST", url: "/auth?next=%2F", body: "a=b" });
  expect(headers).toEqual({
    host: "app.wattle.example",
    "cf-connecting-ip": "203.0.113.7",
    cookie: "s=1",
    connection: "close",
    "content-length": "3",
  });
});

test.each([
  [{}, "127.0.0.1"],
  [{ "X-Forwarded-For": "not an address" }, "127.0.0.1"],
  [{ "X-Forwarded-For": "203.0.113.7, unknown" }, "127.0.0.1"],
  [{ "X-Forwarded-For": "2001:db8::7" }, "2001:db8::7"],
])("%j: the address is %s", async (headers, address) => {
  await ask("/", headers);
  expect(seen.at(-1)?.headers["cf-connecting-ip"]).toBe(address);
});

test.each([
  "/cdn-cgi/handler/scheduled",
  "/cdn-cgi",
  "/x/../cdn-cgi/handler/email",
  "/./cdn-cgi/platform-proxy",
  "/\\..\\cdn-cgi/mf/scheduled",
])("the runtime's own address %s is not there", async (path) => {
  const before = seen.length;
  expect((await ask(path)).status).toBe(404);
  expect(seen).toHaveLength(before);
});

test("who asks in HTTP/1.0, as nginx may, is answered without chunks", async () => {
  const proxy = connect(portOf(front), "127.0.0.1");
  proxy.write("GET / HTTP/1.0\r\n\r\n");
  const answer = await text(proxy);
  expect(answer).toMatch(/^HTTP\/1.1 201 /);
  expect(answer).not.toMatch(/transfer-encoding/i);
  expect(answer.split("\r\n\r\n")[1]).toBe("made");
});

test("a body of which the runtime reads no more is too large, also where its answer is lost", async () => {
  const runtime = await listening(createServer(({ socket }) => socket.destroy()));
  const alone = await listening(createProxy({ port: portOf(runtime), host: "app.wattle.example", onGone: () => {} }));
  const request = send({ host: "127.0.0.1", port: portOf(alone), method: "POST", agent: false });
  request.on("error", () => {}).write("begun");
  const [response] = (await once(request, "response")) as [import("node:http").IncomingMessage];
  expect(response.statusCode).toBe(413);
  request.destroy();
  alone.close();
  runtime.close();
});

test("an address of another server is refused", async () => {
  expect((await ask("http://other.example/")).status).toBe(400);
});

test("a runtime that is gone is noticed", async () => {
  const nobody = await listening(createServer());
  const port = portOf(nobody);
  nobody.close();
  const alone = await listening(
    createProxy({
      port,
      host: "app.wattle.example",
      onGone: () => {
        gone += 1;
      },
    }),
  );
  expect((await fetch(`http://127.0.0.1:${portOf(alone)}/`, { headers: { Connection: "close" } })).status).toBe(502);
  expect(gone).toBe(1);
  alone.close();
});

/** An SMTP server that rejects some emails. */
const refused = (responseCode: number) => Object.assign(new Error("no"), { responseCode });
const received: Email[] = [];
const smtp = new SMTPServer({
  disabledCommands: ["STARTTLS"],
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    username === "us" && password === "p@ss/word" ? done(null, { user: "us" }) : done(refused(535)),
  onMailFrom: ({ address }, _session, done) => done(address.startsWith("stranger") ? refused(550) : null),
  onRcptTo: ({ address }, _session, done) =>
    done(address.startsWith("gone") ? refused(550) : address.startsWith("full") ? refused(452) : null),
  onData: async (stream, _session, done) => {
    received.push(await PostalMime.parse(await text(stream)));
    done();
  },
});
beforeAll(async () => {
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
});
afterAll(() => smtp.close());
beforeEach(() => {
  received.length = 0;
});

const EMAIL = {
  from: "PayeeProof <notices@wattle.example>",
  to: ["ann@banksia.example"],
  subject: "Held: Müller & Söhne",
  html: "<p>Held</p>",
  text: "Held",
  reply_to: "help@wattle.example",
  headers: { "List-Unsubscribe": "<https://app.wattle.example/u/1>" },
};

async function relayed(tries: { email?: object; key?: string; bearer?: string }[], account = "us:p%40ss%2Fword") {
  const { variables, close } = await startRelay(`smtp://${account}@127.0.0.1:${portOf(smtp.server)}`);
  const answers = await Promise.all(
    tries.map(async ({ email = {}, key = "job-1", bearer = variables.MAIL_API_KEY }) => {
      const response = await fetch(`${variables.MAIL_BASE_URL}/emails`, {
        method: "POST",
        headers: { Authorization: `Bearer ${bearer}`, "Idempotency-Key": key, Connection: "close" },
        body: JSON.stringify({ ...EMAIL, ...email }),
      });
      return { status: response.status, body: (await response.json()) as { id?: string } };
    }),
  );
  close();
  return answers;
}

test("an email goes out by SMTP as it was written", async () => {
  const [answer] = await relayed([{}]);
  expect(answer).toMatchObject({
    status: 200,
    body: { id: expect.stringMatching(/^<[0-9a-f]{32}@wattle\.example>$/) },
  });
  expect(received).toMatchObject([
    {
      from: { address: "notices@wattle.example", name: "PayeeProof" },
      to: [{ address: "ann@banksia.example" }],
      replyTo: [{ address: "help@wattle.example" }],
      subject: "Held: Müller & Söhne",
      messageId: answer?.body.id,
    },
  ]);
  expect(received[0]?.headers).toContainEqual(
    expect.objectContaining({ key: "list-unsubscribe", value: "<https://app.wattle.example/u/1>" }),
  );
});

test("the same key sends once, and in another process with the same Message-ID", async () => {
  const first = await relayed([{}, {}]);
  expect(received).toHaveLength(1);
  const later = await relayed([{}]);
  expect(new Set([...first, ...later].map(({ body }) => body.id)).size).toBe(1);
});

test.each([
  ["a recipient that is gone is final", { to: ["gone@banksia.example"] }, 422],
  ["a full mailbox is tried again", { to: ["full@banksia.example"] }, 503],
  ["a sender that is not accepted is ours to mend", { from: "stranger@wattle.example" }, 403],
])("%s", async (_, email, status) => {
  expect((await relayed([{ email }]))[0]?.status).toBe(status);
});

test("an account that is not accepted is ours to mend, and a stranger's call is refused", async () => {
  expect((await relayed([{}], "us:wrong"))[0]?.status).toBe(403);
  expect((await relayed([{ bearer: "guessed" }]))[0]?.status).toBe(401);
  expect(received).toEqual([]);
});

test("npm run serve refuses with all that is wrong in one message, at once, and says that starting again does not help", async () => {
  const database = await listening(createServer((_, response) => response.writeHead(401).end()));
  const child = spawn(process.execPath, ["scripts/serve.mjs"], {
    env: {
      PATH: process.env.PATH,
      PORT: "eighty",
      APP_ORIGIN: "http://app.wattle.example",
      INVOICE_MAIL_DOMAIN: "in.wattle.example",
      SMTP_URL: "mail.wattle.example",
      MAIL_WEBHOOK_SECRETS_FILE: "no/such/file",
      LIBSQL_URL: `http://127.0.0.1:${portOf(database)}`,
    },
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  database.close();
  expect({ status, stdout }).toEqual({ status: 78, stdout: "" });
  for (const name of [
    "PORT",
    "APP_ORIGIN",
    "INVOICE_MAIL_DOMAIN",
    "SMTP_URL",
    "MAIL_WEBHOOK_SECRETS_FILE",
    "COOKIE_SECRETS",
    "FINGERPRINT_KEYS",
    "BASIQ_API_KEY",
    "LIBSQL_AUTH_TOKEN",
  ])
    expect(stderr).toMatch(new RegExp(`^  ${name}: `, "m"));
});

test("the Worker gets the variables that it is given, and none that wrangler finds on this machine", () => {
  vi.stubEnv("CLOUDFLARE_INCLUDE_PROCESS_ENV", "true");
  vi.stubEnv("COP_TOKEN", "of a developer");
  const variables = { APP_ENV: "production" };
  const [app] = workersOf({ app: "build/index.js", reader: "build/reader", assets: "public", variables });
  vi.unstubAllEnvs();
  expect(app?.bindings).toEqual(variables);
});

test("an app that answers nothing for two minutes stands still; a slow one, or one that refuses, does not", async () => {
  vi.useFakeTimers();
  const asked: { answer: () => void; refuse: () => void }[] = [];
  const ask = () => new Promise<void>((answer, refuse) => asked.push({ answer, refuse }));
  const onStill = vi.fn();
  const stop = watchAnswers(ask, onStill);
  await vi.advanceTimersByTimeAsync(125_000);
  asked[0]?.answer();
  await vi.advanceTimersByTimeAsync(100_000);
  asked[1]?.refuse();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toHaveLength(3);
  expect(onStill).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(onStill).toHaveBeenCalledOnce();
  stop();
  vi.useRealTimers();
});
