import { expect, test } from "vitest";
import type { Actor } from "~/kernel/actor";
import { action as uploadAction } from "~/routes/api+/payment-files";
import { loader as fileLoader } from "~/routes/api+/payment-files.$id";
import { action as abandonAction } from "~/routes/api+/payment-files.$id_.abandon";
import { loader as linesLoader } from "~/routes/api+/payment-files.$id_.lines";
import { aMember } from "../support/factories";
import { details } from "../support/payees";
import { anAbaFile } from "../support/payment-files";
import { aTrustedPayee } from "../support/payments";
import { routeArgs } from "../support/requests";
import { type TestServices, testServices } from "../support/services";

type Office = { services: TestServices; actor: Actor };

async function anOffice(): Promise<Office> {
  const services = testServices();
  return { services, actor: await aMember(services) };
}

const answerOf = async (response: unknown) => {
  if (!(response instanceof Response)) throw new Error("not a response");
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
};

/** Sends bytes as a script does. */
async function upload({ services, actor }: Office, body: BodyInit, headers: Record<string, string> = {}) {
  const args = await routeArgs(services, actor, "/api/payment-files?name=run.aba");
  const more = { "Content-Type": "text/plain", Cookie: args.request.headers.get("Cookie") ?? "", ...headers };
  const request = new Request(args.request.url, { method: "POST", headers: more, body });
  return answerOf(await uploadAction({ ...args, request }));
}

const HEADINGS = "Account name,BSB,Account number,Amount,Reference";

test("a file is answered with the decision about each line, again as the same file", async () => {
  const office = await anOffice();
  const { details: payee } = await aTrustedPayee(office.services, office.actor);
  const text = anAbaFile([payee, details({ accountName: "Imaginary Persons Unlimited" })]);
  const key = { "Idempotency-Key": office.services.ids.next() };
  const first = await upload(office, text, key);
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject({
    file: { status: "open", format: "aba", totals: { lines: 2, held: 1, authorised: 1 } },
    lines: [
      { line: 2, decision: "authorised", reasons: [] },
      { line: 3, decision: "held", reasons: [{ rule: "payee_not_trusted" }] },
    ],
  });
  expect(JSON.stringify(first.body)).not.toContain(payee.accountNumber);
  const { id } = first.body.file as { id: string };
  expect(await upload(office, text, key)).toMatchObject({ body: { file: { id } } });
  expect(await upload(office, text)).toMatchObject({ status: 200, body: { file: { id } } });
  expect(await upload(office, anAbaFile([details()]), key)).toMatchObject({ status: 409 });
});

test("a large file is answered at once, its progress and its lines are asked for", async () => {
  const office = await anOffice();
  const rows = Array.from({ length: 1_001 }, (_, at) => `Wattle,062000,${10_000_000 + at},1.00,W-${at}`);
  const { status, body } = await upload(office, [HEADINGS, ...rows].join("\n"));
  expect(status).toBe(202);
  expect(body).toMatchObject({ file: { status: "checking", totals: { lines: 1_001, checked: 0 } } });
  const { id } = body.file as { id: string };
  const ask = async (loader: typeof fileLoader, path: string) =>
    answerOf(await loader(await routeArgs(office.services, office.actor, path, { id })));
  expect(await ask(fileLoader, `/api/payment-files/${id}`)).toMatchObject({
    status: 200,
    body: { file: { totals: { checked: 0 } } },
  });
  expect(await ask(linesLoader, `/api/payment-files/${id}/lines`)).toMatchObject({ status: 200, body: { lines: [] } });
  const given = await routeArgs(
    office.services,
    office.actor,
    `/api/payment-files/${id}/abandon`,
    { id },
    { json: {} },
  );
  expect(await answerOf(await abandonAction(given))).toMatchObject({ body: { file: { status: "abandoned" } } });
});

const good = () => anAbaFile([details(), details()]);

test.each([
  ["truncated", () => good().slice(0, 300), 3],
  ["a record of a wrong length", () => good().replace("INV-", "INVX-"), 2],
  ["wrong totals", () => good().replaceAll("0000250000", "0000250001"), 4],
  ["a NUL", () => good().replace("SUPPLIERS", "SUPP\0IERS"), 1],
  ["letters of two bytes", () => good().replaceAll("HARBOUR JOINERY ", "HARBÖUR JOINERY"), 2],
  ["two headers", () => good().replace("\r\n", `\r\n${good().slice(0, 122)}`), 2],
  ["trailing rubbish", () => `${good()}thank you\r\n`, 5],
  ["a million lines", () => `${HEADINGS}\n${",\n".repeat(1_000_000)}`, 60_001],
])("refused with its line: %s", async (_, text, line) => {
  const office = await anOffice();
  const { status, body } = await upload(office, new TextEncoder().encode(text()));
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "INVALID_FILE" });
  const problems = body.problems as { line: number; level: string; message: string }[];
  const problem = problems.find(({ level }) => level === "error");
  expect(problem?.line).toBe(line);
  expect(problem?.message).toMatch(new RegExp(`^Line ${line}: `));
});

test("100 MB are refused before they are read, whether or not their length is said", async () => {
  const office = await anOffice();
  const chunk = new Uint8Array(1024 * 1024);
  let sent = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        sent++;
        if (sent > 100) controller.close();
        else controller.enqueue(chunk);
      },
    });
  expect(await upload(office, endless())).toMatchObject({ status: 413 });
  expect(sent).toBeLessThan(20);
  const said = { "Content-Length": String(100 * 1024 * 1024) };
  expect(await upload(office, endless(), said)).toMatchObject({ status: 413 });
});

test("what is no file of payments is told so by its type", async () => {
  const office = await anOffice();
  const answer = await upload(office, "{}", { "Content-Type": "application/json" });
  expect(answer).toMatchObject({ status: 415 });
});
