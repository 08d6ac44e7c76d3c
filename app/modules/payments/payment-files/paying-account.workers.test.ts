import { alerts, auditLogs } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { eventPayload } from "~/modules/messages/webhook-endpoints/webhook-event";
import { findFileSettings } from "~/modules/payments/approval-limits.server";
import { readInboxItems, showInbox } from "~/modules/records/inbox/inbox.server";
import { action } from "~/routes/_app+/payments.files.$id";
import { raiseAllAlerts } from "../../../../tests/support/alerts";
import { aMember } from "../../../../tests/support/factories";
import { aColleague, peek, refusal } from "../../../../tests/support/payees";
import { anUploadedFile } from "../../../../tests/support/payment-files";
import { aTrustedPayee } from "../../../../tests/support/payments";
import { routeArgs } from "../../../../tests/support/requests";
import { testServices } from "../../../../tests/support/services";
import { clearFile } from "./clear-file.server";
import { readFilePage, readPaymentFilesPage } from "./file-page.server";
import { getPaymentFile } from "./payment-file.server";
import { changePayer, declarePayingAccounts, withdrawPayingAccount } from "./settings.server";

const PAYER = {
  bank: "CBA",
  userName: "HARBOUR JOINERY",
  userId: "301500",
  bsb: "062000",
  accountNumber: "55556666",
  remitter: "HARBOUR JOINERY",
};

async function aFile() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin", firstName: "Una" });
  const colleague = await aColleague(services, actor, { firstName: "Ava" });
  const { details } = await aTrustedPayee(services, actor);
  const upload = async (amount: number) =>
    (await anUploadedFile(services, actor, [{ ...details, amount }], `run-${amount}.aba`)).fileId;
  const declare = async (fileId: string) =>
    declarePayingAccounts(services, actor, {
      fileId,
      paysFrom: (await getPaymentFile(services, actor, fileId)).paysFrom,
    });
  return { services, actor, colleague, upload, declare };
}

test("an organisation that declared no account is asked, with the file's own offered to an administrator", async () => {
  const { services, actor, colleague, upload, declare } = await aFile();
  const fileId = await upload(100_00);
  const { paying } = await readFilePage(services, actor, fileId, {});
  expect(paying).toMatchObject({
    state: "none_declared",
    mayDeclare: true,
    undeclared: [{ bank: "CBA", userId: "301500", bsb: "082001", maskedAccountNumber: "••••••321" }],
  });
  expect((await readFilePage(services, colleague, fileId, {})).paying.mayDeclare).toBe(false);
  await declare(fileId);
  expect((await readFilePage(services, actor, fileId, {})).paying).toMatchObject({ state: "declared", undeclared: [] });
  await clearFile(services, actor, { fileId });
  expect(await refusal(declare(fileId))).toMatchObject({ status: 409, code: "CHANGED_MEANWHILE" });
});

test("a file that names another account is not cleared until an administrator declares it, and everybody is told", async () => {
  const { services, actor, colleague, upload, declare } = await aFile();
  await changePayer(services, actor, PAYER);
  const fileId = await upload(100_00);
  const error = await refusal(clearFile(services, actor, { fileId }));
  expect(error).toMatchObject({ status: 409, code: "OTHER_PAYING_ACCOUNT" });
  expect(error.message).toContain("returned payments would go to 082-001 ••••••321");
  await raiseAllAlerts(services);
  const told = await peek
    .select({ userId: alerts.userId, title: alerts.title, body: alerts.body })
    .from(alerts)
    .where(and(eq(alerts.organizationId, actor.organizationId), eq(alerts.event, "payment_file_stopped")));
  expect(told.map(({ userId }) => userId).sort()).toEqual([actor.userId, colleague.userId].sort());
  expect(told[0]).toMatchObject({ title: "Payment file stopped: run-10000.aba" });
  expect(told[0]?.body).toContain("The file cannot be cleared.");
  const [entry] = await peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.action, "payment_file.checked")));
  if (!entry) throw new Error("the file was checked");
  expect(JSON.parse(eventPayload("payment_file.checked", entry))).toMatchObject({ data: { state: "stopped" } });
  const statusInList = async () => (await readPaymentFilesPage(services, actor, new URLSearchParams())).rows[0]?.status;
  expect(await statusInList()).toBe("stopped");
  await declare(fileId);
  expect(await statusInList()).toBe("open");
  await clearFile(services, actor, { fileId });
});

test("a stopped file waits in the Inbox, though none of its lines is held, until its account is declared", async () => {
  const { services, actor, upload, declare } = await aFile();
  await changePayer(services, actor, PAYER);
  const fileId = await upload(100_00);
  const waiting = async () => showInbox(services, actor, await readInboxItems(services, actor), {}).items;
  expect(await waiting()).toMatchObject([
    { id: fileId, tab: "payments", group: "call", word: "Stopped: other paying account", cents: 100_00 },
  ]);
  await declare(fileId);
  expect(await waiting()).toEqual([]);
});

test("an account that was withdrawn stops the next file", async () => {
  const { services, actor, upload, declare } = await aFile();
  await changePayer(services, actor, PAYER);
  await declare(await upload(100_00));
  const { updatedAt: version } = await findFileSettings(services, actor.organizationId);
  await withdrawPayingAccount(services, actor, { index: 0, version: version ?? 0 });
  const fileId = await upload(200_00);
  expect(await refusal(clearFile(services, actor, { fileId }))).toMatchObject({ code: "OTHER_PAYING_ACCOUNT" });
});

test("an account that another administrator withdrew first: the second press withdraws no other one", async () => {
  const { services, actor, upload, declare } = await aFile();
  await changePayer(services, actor, PAYER);
  await declare(await upload(100_00));
  const { updatedAt, payingAccounts } = await findFileSettings(services, actor.organizationId);
  const shown = { index: 0, version: updatedAt ?? 0 };
  services.clock.advance(1_000);
  await changePayer(services, actor, PAYER);
  expect(await refusal(withdrawPayingAccount(services, actor, shown))).toMatchObject({
    status: 409,
    code: "CHANGED_MEANWHILE",
  });
  expect((await findFileSettings(services, actor.organizationId)).payingAccounts).toEqual(payingAccounts);
});

test("a member cannot declare an account, by page", async () => {
  const { services, colleague, upload } = await aFile();
  const fileId = await upload(100_00);
  const form = { intent: "declare", submissionId: services.ids.next() };
  const args = await routeArgs(services, colleague, `/payments/files/${fileId}`, { id: fileId }, { form });
  const answer = await Promise.resolve(action(args)).catch((thrown: unknown) => thrown);
  expect(JSON.stringify(answer)).toContain("ADMIN");
});

test("who declared which account stands in the trail, without the whole number", async () => {
  const { actor, upload, declare } = await aFile();
  await declare(await upload(100_00));
  const [entry] = await peek
    .select({ details: auditLogs.details, userId: auditLogs.userId })
    .from(auditLogs)
    .where(
      and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.action, "payment_file.settings_changed")),
    );
  expect(entry).toMatchObject({
    userId: actor.userId,
    details: { payingAccounts: [{ bank: "CBA", bsb: "082001", accountNumber: "••••••321" }] },
  });
});
