import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import type { FormAnswer } from "~/components/forms/form";
import { archivePayee } from "~/modules/payees/archive-payee.server";
import { getPaymentFile } from "~/modules/payments/payment-files/payment-file.server";
import { changePayer, declarePayingAccounts } from "~/modules/payments/payment-files/settings.server";
import { action as pageAction } from "~/routes/_app+/payments.files.$id";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { anAddedPayee, details } from "../support/payees";
import { anAbaFile, anUploadedFile, linesOf } from "../support/payment-files";
import { aTrustedPayee } from "../support/payments";
import { routeArgs } from "../support/requests";
import { type TestServices, testServices } from "../support/services";

const { action: uploadAction } = routeOf("/api/payment-files");
const { loader: fileLoader } = routeOf("/api/payment-files/{id}");
const { action: abandonAction } = routeOf("/api/payment-files/{id}/abandon");
const { loader: linesLoader } = routeOf("/api/payment-files/{id}/lines");
const { action: lineDecision } = routeOf("/api/payment-files/{id}/lines/{line}/decision");

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

test("a file that names another paying account is answered as stopped, and why, until the account is declared", async () => {
  const { services, actor } = await anOffice();
  const admin = { ...actor, role: "admin" as const };
  await changePayer(services, admin, {
    ...{ bank: "CBA", userName: "HARBOUR JOINERY", userId: "301500", remitter: "HARBOUR JOINERY" },
    ...{ bsb: "062000", accountNumber: "55556666" },
  });
  const { details: payee } = await aTrustedPayee(services, actor);
  const { status, body } = await upload({ services, actor }, anAbaFile([payee]));
  expect(status).toBe(201);
  expect(body).toMatchObject({
    file: {
      status: "open",
      stopped: true,
      problems: [{ line: null, level: "error", message: expect.stringContaining("has not declared to pay from") }],
    },
  });
  const { id } = body.file as { id: string };
  const { paysFrom } = await getPaymentFile(services, actor, id);
  await declarePayingAccounts(services, admin, { fileId: id, paysFrom });
  expect(await ask({ services, actor }, fileLoader, `/api/payment-files/${id}`, id)).toMatchObject({
    body: { file: { stopped: false, problems: [] } },
  });
});

const rowsOf = (count: number) =>
  [HEADINGS, ...Array.from({ length: count }, (_, at) => `Wattle,062000,${10_000_000 + at},1.00,W-${at}`)].join("\n");

async function ask({ services, actor }: Office, loader: typeof fileLoader, path: string, id: string) {
  return answerOf(await loader(await routeArgs(services, actor, path, { id })));
}

test("the lines of a file with more than its answer has are asked for, as many at a time as the call wants", async () => {
  const office = await anOffice();
  const { status, body } = await upload(office, rowsOf(1_001));
  expect(status).toBe(201);
  expect(body).toMatchObject({ file: { status: "open", totals: { lines: 1_001, checked: 1_001 } } });
  expect(body).not.toHaveProperty("lines");
  const { id } = body.file as { id: string };
  const linesOf = (query: string) => ask(office, linesLoader, `/api/payment-files/${id}/lines${query}`, id);
  const numbersOf = (answer: { body: Record<string, unknown> }) => {
    const lines = answer.body.lines as { line: number }[];
    return [lines.length, lines[0]?.line, lines.at(-1)?.line, answer.body.nextCursor];
  };
  expect(numbersOf(await linesOf(""))).toEqual([50, 2, 51, "51"]);
  expect(numbersOf(await linesOf("?limit=1000"))).toEqual([1_000, 2, 1_001, "1001"]);
  expect(numbersOf(await linesOf("?limit=1&cursor=1001"))).toEqual([1, 1_002, 1_002, null]);
  for (const limit of ["0", "1001", "-1", "1.5", "ten", ""]) {
    const refused = { status: 400, body: { message: "Enter a limit from 1 to 1,000" } };
    expect(await linesOf(`?limit=${limit}`), limit).toMatchObject(refused);
  }
});

test("a file that takes long is answered with how far it is, and can be given up", async () => {
  const office = await anOffice();
  const { clock } = office.services;
  const slow = {
    ...clock,
    now() {
      clock.advance(6_000);
      return clock.now();
    },
  };
  const { status, body } = await upload({ ...office, services: { ...office.services, clock: slow } }, rowsOf(5_001));
  expect(status).toBe(202);
  expect(body).toMatchObject({ file: { status: "checking", totals: { lines: 5_001, checked: 5_000 } } });
  const { id } = body.file as { id: string };
  expect(await ask(office, fileLoader, `/api/payment-files/${id}`, id)).toMatchObject({
    status: 200,
    body: { file: { totals: { checked: 5_000 } } },
  });
  const path = `/api/payment-files/${id}/abandon`;
  const given = await routeArgs(office.services, office.actor, path, { id }, { json: {} });
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

/** A file whose line 2 pays an archived payee's account, and whose line 3 an account that nobody has verified. */
async function aFileOfTwo() {
  const office = await anOffice();
  const { services, actor } = office;
  const archived = await aTrustedPayee(services, actor, { name: "Galah Glazing", accountName: "Galah Glazing" });
  await archivePayee(services, actor, archived.payeeId);
  const added = await anAddedPayee(services, actor, { name: "Kestrel Freight", accountName: "Kestrel Freight" });
  const { fileId } = await anUploadedFile(services, actor, [archived.details, added.details]);
  const statuses = async () => (await linesOf(fileId)).map(({ status }) => status);
  return { ...office, fileId, statuses };
}

/** What the page answers to a posted form: a redirection, or the form again. */
async function post({ services, actor, fileId }: Office & { fileId: string }, form: [string, string][]) {
  const path = `/payments/files/${fileId}`;
  const answer: unknown = await pageAction(await routeArgs(services, actor, path, { id: fileId }, { form }));
  if (answer instanceof Response) return { status: answer.status, answer: undefined };
  const { data, init } = answer as { data: FormAnswer; init: ResponseInit };
  return { status: init.status, answer: data };
}

const reason: [string, string] = ["reason", "Called the number in the contract"];

test("ticked lines are decided but for those that are decided by themselves; one of those alone is", async () => {
  const file = await aFileOfTwo();
  const both: [string, string][] = [["line", "2"], ["line", "3"], reason];
  expect(await post(file, [["intent", "approve"], ...both])).toMatchObject({ status: 303 });
  expect(await file.statuses()).toEqual(["held", "authorised"]);
  const alone: [string, string][] = [["line", "2"], reason];
  expect(await post(file, [["intent", "reject"], ...alone])).toMatchObject({ status: 303 });
  expect(await file.statuses()).toEqual(["rejected", "authorised"]);
});

test("a decision for a reason or a payee that would take such a line is refused with a result for each", async () => {
  const file = await aFileOfTwo();
  const [archived] = await linesOf(file.fileId);
  for (const [name, value] of [
    ["rule", "former_account"],
    ["payeeId", archived?.payeeId ?? ""],
  ] as const) {
    const { status, answer } = await post(file, [["intent", "reject"], [name, value], reason]);
    expect(status).toBe(409);
    expect(answer).toMatchObject({
      code: "DECIDE_ONE_BY_ONE",
      title: "Nothing was decided",
      values: { reason: reason[1] },
      extra: { lines: [{ line: 2, message: expect.stringContaining("a payee that was archived on 20 Nov 2026") }] },
    });
  }
  expect(await file.statuses()).toEqual(["held", "held"]);
});

test("one of those lines without a reason is not decided, by the page or the API", async () => {
  const file = await aFileOfTwo();
  const { status, answer } = await post(file, [
    ["intent", "approve"],
    ["line", "2"],
    ["reason", " "],
  ]);
  expect([status, answer?.errors.reason]).toEqual([400, ["Give a reason"]]);
  const path = `/api/payment-files/${file.fileId}/lines/2/decision`;
  const params = { id: file.fileId, line: "2" };
  const sent = async (json: unknown) =>
    answerOf(await lineDecision(await routeArgs(file.services, file.actor, path, params, { json })));
  expect((await sent({ decision: "approve" })).status).toBe(400);
  expect(await file.statuses()).toEqual(["held", "held"]);
  expect(await sent({ decision: "approve", reason: "Called them" })).toMatchObject({
    status: 200,
    body: { line: { decision: "authorised", decisionReason: "Called them" } },
  });
});
