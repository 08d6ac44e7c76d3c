import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { XLSX_TYPE } from "~/http/body.server";
import { MAX_FILE_BYTES } from "~/modules/payees/imports/import";
import { action as pageAction, loader as pageLoader } from "~/routes/_app+/payees.import.$id";
import { loader as resultLoader } from "~/routes/_app+/payees.import.$id_.result";
import { aMember } from "../support/factories";
import { aFinishedImport, anUpload, aTable, deliver, outcomesOf, readImport } from "../support/imports";
import { anAddedPayee } from "../support/payees";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";
import { aWorkbook, number, text, textRow } from "../support/workbook";

const { loader: importLoader } = routeOf("/api/imports/{id}");
const { action: uploadAction } = routeOf("/api/imports/payees");

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services);
  return { services, actor };
}

type Office = Awaited<ReturnType<typeof anOffice>>;

/** A call that sends a file as its body. */
async function upload({ services, actor }: Office, text: BodyInit, query = "", headers: Record<string, string> = {}) {
  const args = await routeArgs(services, actor, `/api/imports/payees${query}`, {}, { json: {}, headers });
  const sent = new Headers(args.request.headers);
  sent.set("Content-Type", headers["Content-Type"] ?? "text/csv");
  const response = await uploadAction({
    ...args,
    request: new Request(args.request.url, { method: "POST", headers: sent, body: text }),
  });
  if (!(response instanceof Response)) throw new Error("not a response");
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

const bodyOf = async (response: unknown) => (await (response as Response).json()) as Record<string, unknown>;

test("a call brings a file, starts it, and tells its progress and its refused rows", async () => {
  const office = await anOffice();
  const text = aTable("Wattle,Wattle,062-000,41000001", "Bad,Bad,062-000,12");
  const { status, body } = await upload(office, text, "?name=suppliers.csv");
  expect(status).toBe(202);
  const { id } = body.import as unknown as { id: string };
  expect(body.import).toMatchObject({ name: "suppliers.csv", kind: "table", status: "running", rows: 2, done: 0 });
  await deliver(office.services, id);
  const answer = await bodyOf(
    await importLoader(await routeArgs(office.services, office.actor, `/api/imports/${id}`, { id })),
  );
  expect(answer.import).toMatchObject({ status: "finished", added: 1, refused: 1, done: 2 });
  expect(answer.refused).toMatchObject([{ line: 3, name: "Bad", outcome: "refused", payeeId: null }]);
});

test("a workbook is read as a table is: numbers that lost a zero are repaired, and of several sheets one is named", async () => {
  const office = await anOffice();
  const suppliers = `${textRow(1, "Payee name", "Account name", "BSB", "Account number")}<row r="3">${text("A3", "Wattle")}${text("B3", "Wattle")}${number("C3", "62000")}${number("D3", "41000009")}</row>`;
  const file = new Blob([aWorkbook({ sheets: { Suppliers: suppliers, Notes: "" } })]);
  const { status, body } = await upload(office, file, "?name=suppliers.xlsx", { "Content-Type": XLSX_TYPE });
  expect(status).toBe(202);
  const { id, name } = body.import as unknown as { id: string; name: string };
  expect(name).toBe("suppliers.xlsx, sheet “Suppliers”");
  await deliver(office.services, id);
  expect(await outcomesOf(id)).toEqual([
    [3, "added", "The BSB “62000” was read as 062-000: a spreadsheet had dropped its first zero."],
  ]);
  const old = new Blob([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0])]);
  expect(await upload(office, old)).toMatchObject({ status: 400, body: { code: "INVALID_FILE" } });
});

test("columns can be named by heading or position, and what is missing is said with the headings", async () => {
  const office = await anOffice();
  const text = "Alpha,Beta,Gamma\nWattle,062-000,41000002\nGum,062-000,41000003";
  const mapping = encodeURIComponent(JSON.stringify({ name: "Alpha", bsb: 1, accountNumber: "Gamma" }));
  expect((await upload(office, text, `?mapping=${mapping}`)).status).toBe(202);
  const other = "Alpha,Beta\nx,y\nz,w";
  expect(await upload(office, other)).toMatchObject({
    status: 400,
    body: { code: "MAPPING_REQUIRED", headings: ["Alpha", "Beta"] },
  });
  expect(await upload(office, other, "?mapping=[")).toMatchObject({ status: 400, body: { code: "INVALID_INPUT" } });
  const unknown = encodeURIComponent(JSON.stringify({ name: "Delta" }));
  expect(await upload(office, other, `?mapping=${unknown}`)).toMatchObject({
    status: 400,
    body: { code: "INVALID_INPUT" },
  });
});

test("the same key again is answered with the same import", async () => {
  const office = await anOffice();
  const headers = { "Idempotency-Key": "nightly-2026-11-20" };
  const text = aTable("Wattle,Wattle,062-000,41000004");
  const first = await upload(office, text, "", headers);
  await deliver(office.services, (first.body.import as unknown as { id: string }).id);
  const second = await upload(office, text, "", headers);
  expect(second.body.import).toMatchObject({
    id: (first.body.import as unknown as { id: string }).id,
    status: "finished",
  });
});

test.each([
  ["a file that cannot be read", "", "INVALID_FILE"],
  ["a workbook", "PK\u0003\u0004 and the rest of an archive", "INVALID_FILE"],
  ["a NUL", "Payee name,BSB,Account number\nA\0,062000,1", "INVALID_FILE"],
])("%s is refused with its line", async (_, text, code) => {
  expect(await upload(await anOffice(), text)).toMatchObject({ status: 400, body: { code } });
});

const MEGABYTE = 1024 * 1024;

/** A body that is made while it is read; `sent` counts what was taken of it. */
function aStream(megabytes: number, chunk: Uint8Array) {
  const counted = { sent: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (counted.sent >= megabytes) return controller.close();
      counted.sent += 1;
      controller.enqueue(chunk);
    },
  });
  return { body, counted };
}

const chunkOf = (text: string) => new TextEncoder().encode(text.repeat(Math.ceil(MEGABYTE / text.length)));

test.each([
  ["100 MB of rows", 100, chunkOf("Wattle,Wattle,062-000,41000001\r\n")],
  ["one line of 50 MB", 50, chunkOf("x")],
])("%s is refused, and no more of it is read than what no client misses", async (_, megabytes, chunk) => {
  const { body, counted } = aStream(megabytes, chunk);
  expect(await upload(await anOffice(), body)).toMatchObject({ status: 413, body: { code: "TOO_LARGE" } });
  expect(counted.sent).toBeLessThan(megabytes);
});

test("one line within the size of a file is refused with its number", async () => {
  const bytes = new TextEncoder().encode(`Payee name,BSB,Account number\n${"x".repeat(MAX_FILE_BYTES - 64)}`);
  const { status, body } = await upload(await anOffice(), bytes);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain("a cell has more than 10,000 characters");
});

type Page = {
  preview: { rows: unknown[]; missing: string | null; choices: { field: string; value: string }[] };
};

test("the preview says what would happen to each row with the chosen columns, and writes nothing", async () => {
  const { services, actor } = await anOffice();
  const { details, payeeId } = await anAddedPayee(services, actor);
  const text = aTable(
    `${details.name},${details.accountName},062-000,${details.accountNumber}`,
    "New,New,62000,41000005",
    "No Account,,,",
  );
  const { importId } = await anUpload(services, actor, text);
  const look = async (query = "") =>
    (await pageLoader(
      await routeArgs(services, actor, `/payees/import/${importId}${query}`, { id: importId }),
    )) as unknown as Page;
  const { preview } = await look();
  expect(preview.rows).toMatchObject([
    { line: 2, outcome: "unchanged", payeeId },
    { line: 3, outcome: "added", payeeId: null, account: { bsb: "062-000", number: "•••••005" } },
    { line: 4, outcome: "no_account", account: null },
  ]);
  const { preview: without } = await look("?column.name=0&column.accountNumber=");
  expect(without).toMatchObject({ missing: "Choose the column of the account number", rows: [] });
  expect(await readImport(importId)).toMatchObject({ status: "ready", addedCount: 0 });
});

test("the form starts an import with the chosen columns, and pausing twice is told", async () => {
  const { services, actor } = await anOffice();
  const { importId } = await anUpload(
    services,
    actor,
    "Alpha,Beta,Gamma\nWattle,062-000,41000006\nGum,062-000,41000007",
  );
  const post = async (form: Record<string, string>) =>
    pageAction(await routeArgs(services, actor, `/payees/import/${importId}`, { id: importId }, { form }));
  const refused = (await post({ intent: "start", "column.name": "0" })) as unknown as { init: { status: number } };
  expect(refused.init.status).toBe(400);
  const started = (await post({
    intent: "start",
    "column.name": "0",
    "column.bsb": "1",
    "column.accountNumber": "2",
  })) as Response;
  expect(started.status).toBe(303);
  await deliver(services, importId);
  expect(await readImport(importId)).toMatchObject({ status: "finished", addedCount: 2 });
  const late = (await post({ intent: "pause" })) as unknown as { init: { status: number } };
  expect(late.init.status).toBe(409);
});

test("the result file has every row with its line, and no formula runs in it", async () => {
  const { services, actor } = await anOffice();
  const importId = await aFinishedImport(
    services,
    actor,
    aTable("=cmd(),=cmd(),062-000,41000008", "Bad,Bad,062-000,12"),
  );
  const response = (await resultLoader(
    await routeArgs(services, actor, `/payees/import/${importId}/result`, { id: importId }),
  )) as Response;
  expect(response.headers.get("Content-Disposition")).toContain("payees - result.csv");
  const lines = (await response.text()).split("\r\n");
  expect(lines[0]).toContain("Line,Payee name,Outcome,Notes,Payee id");
  expect(lines[1]).toContain("2,'=cmd(),Added,");
  expect(lines[2]).toContain("3,Bad,Refused,");
});

test("rows that a workbook hides are asked about before anything is imported", async () => {
  const office = await anOffice();
  const row = (line: number, name: string, account: string, hidden = "") =>
    `<row r="${line}" ${hidden}>${text(`A${line}`, name)}${text(`B${line}`, name)}${text(`C${line}`, "062-000")}${text(`D${line}`, account)}</row>`;
  const rows = [row(2, "Wattle", "41000031"), row(3, "Gum", "41000032", 'hidden="1"')];
  const headings = textRow(1, "Payee name", "Account name", "BSB", "Account number");
  const file = () => new Blob([aWorkbook({ sheets: { Suppliers: headings + rows.join("") } })]);
  expect(await upload(office, file())).toMatchObject({
    status: 400,
    body: { code: "INVALID_INPUT", fieldErrors: { hiddenRows: [expect.stringContaining("line 3 is hidden")] } },
  });
  const shown = await upload(office, file(), "?hiddenRows=leave_out");
  expect(shown).toMatchObject({ status: 202, body: { import: { rows: 1 } } });
  const { id } = shown.body.import as unknown as { id: string };
  await deliver(office.services, id);
  expect(await outcomesOf(id)).toEqual([[2, "added", ""]]);
  const all = await upload(office, file(), "?hiddenRows=import");
  expect(all).toMatchObject({ status: 202, body: { import: { rows: 2 } } });
});

test("what is odd about an account, and a number read as its cell shows it, are said beside the row", async () => {
  const office = await anOffice();
  const styles = `<numFmts><numFmt numFmtId="170" formatCode="00000000"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs>`;
  const headings = textRow(1, "Payee name", "Account name", "BSB", "Account number");
  const rows = `<row r="2">${text("A2", "Wattle")}${text("B2", "Wattle")}${text("C2", "062-000")}${number("D2", "1234567", 1)}</row>
    ${textRow(3, "Gum", "Gum", "999-999", "41000034")}${textRow(4, "Fig", "Fig", "013-000", "1234")}`;
  const sent = await upload(office, new Blob([aWorkbook({ sheets: { Suppliers: headings + rows }, styles })]));
  const { id } = sent.body.import as unknown as { id: string };
  await deliver(office.services, id);
  expect(await outcomesOf(id)).toEqual([
    [
      2,
      "added",
      "The account number was read as 01234567, as the cell shows it: the number stored in the cell does not have these zeros.",
    ],
    [3, "added", "No institution that we know has the BSB 999-999."],
    [4, "added", "The account number has 4 digits; at ANZ Bank it usually has 9."],
  ]);
});
