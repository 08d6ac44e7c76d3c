import { bulkChecks, webhookDeliveries } from "@db/database";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import {
  addEndpoint,
  listDeliveries,
  sendTestEvent,
  setEndpointActive,
} from "~/modules/messages/webhook-endpoints/endpoint.server";
import { archivePayee } from "~/modules/payees/archive-payee.server";
import { pauseImport, stopImport } from "~/modules/payees/imports/control-import.server";
import { type LinkInput, sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { askPayee } from "~/modules/payees/payee-requests/ask-payee.server";
import { clearFile } from "~/modules/payments/payment-files/clear-file.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { startBulkCheck, stopBulkCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";
import { action as sendDetails } from "~/routes/_payee+/details.$token";
import { action as answerLink } from "~/routes/_payee+/verify.$token";
import { aWorld, type World } from "../authorisation/people";
import { aCase, aStartedCheck, linkInMail } from "../support/bank-checks";
import { aFinishedImport, anUpload, aStartedImport, aTable } from "../support/imports";
import { details, peek } from "../support/payees";
import { anUploadedFile } from "../support/payment-files";
import { aPaidPayment, aTrustedPayee } from "../support/payments";
import { routeArgs } from "../support/requests";
import { aWorld as aSimulatedWorld, type World as SimulatedWorld } from "../support/simulators";
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

test("a webhook endpoint with its new secret, deliveries that wait, were taken and failed, and paused", async () => {
  const { services, admin } = world;
  const endpoint = await addEndpoint(services, admin, {
    url: "https://hooks.kestrel.example/",
    events: ["payee.added"],
  });
  const page = `/settings/webhooks/${endpoint.id}`;
  const form = { intent: "renew", submissionId: services.ids.next() };
  const browser = aBrowser();
  expect((await browser.submit(page, form, { Cookie: cookie })).status).toBe(303);
  const kept = [...browser.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const renewed = await browser.get(page, { Cookie: `${cookie}; ${kept}` });
  expect([renewed.status, await textOf(renewed)]).toEqual([200, expect.stringContaining("whsec_")]);
  for (const _ of [1, 2, 3]) await sendTestEvent(services, admin, endpoint.id);
  const { rows } = await listDeliveries(services, admin, { endpointId: endpoint.id });
  const answers = [
    { status: "delivered" as const, answerStatus: 200, answerBody: "taken <b>", attempts: 1, durationMs: 12 },
    { status: "failed" as const, problem: "No answer came in 10 seconds", attempts: 8 },
  ];
  for (const [nth, answer] of answers.entries()) {
    const id = rows[nth]?.id ?? "";
    await peek.update(webhookDeliveries).set(answer).where(eq(webhookDeliveries.id, id));
  }
  for (const says of ["Taken", "No answer came", "Waiting"]) await expectPage(page, says);
  await expectPage("/settings/webhooks", "hooks.kestrel.example");
  await setEndpointActive(services, admin, endpoint.id, false);
  await expectPage(page, "Paused");
});

/** A world of simulators whose clock shows the Worker's time. */
function aWorldOfToday(): SimulatedWorld {
  const simulated = aSimulatedWorld();
  simulated.clock.advance(Date.now() - simulated.clock.now());
  return simulated;
}

/** What a payee meets at an address, and after a form of it. */
function aPayee(path: string) {
  const browser = aBrowser();
  const expectShown = async (response: Response, status: number, says: string) =>
    expect([response.status, await textOf(response)]).toEqual([status, expect.stringContaining(says)]);
  return {
    opens: async (status: number, says: string, at = path) => expectShown(await browser.get(at), status, says),
    isRefused: async (form: Record<string, string>, says: string) =>
      expectShown(await browser.submit(path, form), 400, says),
    /** @returns the address that the answer leads to, which was opened too */
    async sends(form: Record<string, string>, status: number, says: string) {
      const answer = await browser.submit(path, form);
      const { pathname, search } = new URL(answer.headers.get("Location") ?? "", "http://app.test");
      expect(answer.status).toBe(303);
      await expectShown(await browser.get(pathname + search), status, says);
      return pathname + search;
    },
  };
}

const linkPath = ({ token, vid, pid }: LinkInput) => `/verify/${token}?vid=${vid}&pid=${pid}`;

test("a payee's link, step by step: open, a note that is too long, no, and opened again", async () => {
  const simulated = aWorldOfToday();
  const own = await aCase(simulated);
  await sendPayeeLink(simulated, own.actor, own);
  await simulated.drain();
  const payee = aPayee(linkPath(await linkInMail(simulated)));
  await payee.opens(200, "Are these your bank details?");
  await payee.isRefused({ response: "dispute", note: "y".repeat(501) }, "Keep the note to 500 characters");
  await payee.isRefused({ response: "perhaps" }, "bank details");
  await payee.sends({ response: "dispute", note: "We closed it" }, 200, "Thank you for telling us");
  await payee.opens(409, "already");
});

test("a payee's link that leads to the bank, step by step: yes, the bank does not answer, on to the bank, and back", async () => {
  const simulated = aWorldOfToday();
  await aStartedCheck(simulated);
  const link = await linkInMail(simulated);
  const payee = aPayee(linkPath(link));
  await payee.opens(200, "Are these your bank details?");
  const press = async (response: string) => {
    const sent = await routeArgs(simulated, null, linkPath(link), { token: link.token }, { form: { response } });
    return (await answerLink(sent)) as Response;
  };
  await simulated.fault({ party: "basiq", fault: "503", times: 1, path: "/token" });
  const unavailable = (await press("confirm")).headers.get("Location") ?? "";
  expect(unavailable).toContain("bank=unavailable");
  await payee.opens(200, "Your answer is kept", unavailable);
  await payee.opens(409, "Continue to your bank");
  const handover = (await press("continue")).headers.get("Set-Cookie")?.split(";")[0] ?? "";
  const way = await aBrowser().get("/bank-consent/continue", { Cookie: handover });
  expect([way.status, await way.text()]).toEqual([200, expect.stringContaining("/basiq/consent/home")]);
  await payee.opens(404, "bank", "/bank-consent/continue");
  await payee.opens(200, "Thank you", "/bank-consent/return");
});

test("a payee sends its own details, step by step: the form, what is wrong with it, sent, and opened again", async () => {
  const simulated = aWorldOfToday();
  const { actor } = await aCase(simulated);
  const request = { name: "Tallowwood Timber", email: "asked@tallowwood.example", phone: null, note: "For the fence" };
  await askPayee(simulated, actor, { request });
  await simulated.drain();
  const [mail] = await simulated.mails();
  const [address = "", token = ""] = /\/details\/([\w-]+)/.exec(mail?.text ?? "") ?? [];
  const payee = aPayee(address);
  await payee.opens(200, "Send your bank details safely");
  const { accountName, accountNumber } = details();
  const typed = { name: "Tallowwood Timber", accountName, bsb: "06", accountNumber, abn: "", phone: "0412 345 678" };
  await payee.isRefused(typed, "A BSB has 6 digits, such as 062-000");
  const form = { ...typed, bsb: "062-000" };
  const sent = (await sendDetails(await routeArgs(simulated, null, address, { token }, { form }))) as Response;
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, "/bank-consent/continue"]);
  const handover = sent.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  expect((await aBrowser().get("/bank-consent/continue", { Cookie: handover })).status).toBe(200);
  await payee.opens(200, "Continue to your bank");
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
