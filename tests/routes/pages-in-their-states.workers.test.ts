import { bulkChecks } from "@db/schema";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { archivePayee } from "~/modules/payees/archive-payee.server";
import { pauseImport, stopImport } from "~/modules/payees/imports/control-import.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { startBulkCheck, stopBulkCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";
import { aWorld, type World } from "../authorisation/people";
import { aFinishedImport, anUpload, aStartedImport, aTable } from "../support/imports";
import { details, peek } from "../support/payees";
import { anUploadedFile } from "../support/payment-files";
import { aPaidPayment, aTrustedPayee } from "../support/payments";
import { findDeadLinks } from "../support/valid-html";
import { aBrowser, textOf } from "../support/worker";

/**
 * Pages of one thing, in states that a visit of every address does not meet. The browser of these tests refuses what is no
 * valid HTML.
 */

let world: World;
let cookie: string;

beforeAll(async () => {
  world = await aWorld();
  cookie = (await world.cookieFor("admin")) ?? "";
});

async function expectPage(path: string, says: string, status = 200) {
  const answer = await aBrowser().get(path, { Cookie: cookie });
  expect([path, answer.status]).toEqual([path, status]);
  expect([path, (await textOf(answer)).includes(says)]).toEqual([path, true]);
}

const ROWS = aTable("Kestrel,Kestrel,062-000,40000011", "Nobody,,062-000,12");

test("an import that waits, runs, was paused, was stopped, has ended, or whose columns nobody recognises", async () => {
  const { services, admin } = world;
  const page = (id: string) => `/payees/import/${id}`;
  await expectPage(page((await anUpload(services, admin, ROWS)).importId), "Kestrel");
  const unknown = await anUpload(services, admin, "Aa,Bb,Cc\r\nKestrel,x,y");
  await expectPage(page(unknown.importId), "Bb");
  const running = await aStartedImport(services, admin, `${ROWS}\r\nA,A,062-000,40000012`);
  await expectPage(page(running), "Running");
  await pauseImport(services, admin, running);
  await expectPage(page(running), "Paused");
  await stopImport(services, admin, running);
  await expectPage(page(running), "Stopped");
  const done = await aFinishedImport(services, admin, `${ROWS}\r\nB,B,062-000,40000013`);
  await expectPage(page(done), "Refused");
  await expectPage(`${page(done)}?outcome=refused`, "Nobody");
  await expectPage("/payees/import", "payees.csv");
});

test("a bulk check that is counted, waits to be started, runs, and was stopped", async () => {
  const { services, admin, bulkCheckId } = world;
  const page = `/payees/checks/${bulkCheckId}`;
  await expectPage(page, "Bulk checks");
  await peek.update(bulkChecks).set({ status: "ready" }).where(eq(bulkChecks.id, bulkCheckId));
  await expectPage(page, "Bulk checks");
  await startBulkCheck(services, admin, bulkCheckId);
  await expectPage(page, "Bulk checks");
  await stopBulkCheck(services, admin, bulkCheckId);
  await expectPage(page, "Bulk checks");
});

test("a payment file of which a part is held, and the same once the rest was cleared", async () => {
  const { services, admin } = world;
  const trusted = await aTrustedPayee(services, admin);
  const { fileId } = await anUploadedFile(services, admin, [trusted.details, details()]);
  await expectPage(`/payments/files/${fileId}`, "Held");
  await expectPage(`/payments/files/${fileId}?line=2`, "Held");
  await clearFile(services, admin, { fileId });
  for (const part of ["", "/outcomes", "/replay", "/certificate"]) {
    await expectPage(`/payments/files/${fileId}${part}`, "run.aba");
  }
});

test("a payee that was paid, and one that is archived", async () => {
  const { services, admin } = world;
  const { payeeId } = await aTrustedPayee(services, admin, { name: "Paid Before" });
  const payment = await aPaidPayment(services, admin, payeeId);
  await expectPage(`/payments/${payment.id}`, "Successful");
  await expectPage(`/payees/${payeeId}`, "Paid Before");
  await archivePayee(services, admin, payeeId);
  await expectPage(`/payees/${payeeId}`, "Archived");
});

test.each([
  "/payees/01900000-0000-7000-8000-000000000000",
  "/payees/not-an-id/edit",
  "/payments/files/01900000-0000-7000-8000-000000000000/outcomes",
  "/settings/webhooks/01900000-0000-7000-8000-000000000000",
  "/verify/unknown?vid=1&pid=2",
  "/nowhere/at/all",
])("%s is not found, on a page", (path) => expectPage(path, "PayeeProof", 404));

test.each([
  ["/verifications/pending", "Tick at least one verification", "bulk-id"],
  ["/payments?index&status=held", "Tick at least one payment", "id"],
])("%s with nothing ticked says so, and the sentence leads to the first box", async (path, sentence, id) => {
  const form = { intent: "reject", reason: "Not our supplier", submissionId: "0199a000-0000-7000-8000-000000000001" };
  const answer = await aBrowser().submit(path, form, { Cookie: cookie });
  const html = await answer.text();
  expect([answer.status, html.includes(sentence), html.includes(`href="#${id}"`)]).toEqual([400, true, true]);
  expect(findDeadLinks(html)).toEqual([]);
});

test("a page that follows a bank check without scripts is loaded again, and says so in its head", async () => {
  const { services, admin, verificationId } = world;
  await startBankDataCheck(services, admin, { verificationId });
  const read = async (query: string) => {
    const answer = await aBrowser().get(`/verifications/${verificationId}${query}`, { Cookie: cookie });
    return answer.text();
  };
  const head = /<head>.*<noscript><meta http-equiv="refresh" content="30"\/><\/noscript>.*<\/head>/s;
  expect(await read("?watch=yes")).toMatch(head);
  expect(await read("")).not.toContain("http-equiv");
});
