import { organizationPolicies } from "@db/database";
import { expect, test } from "vitest";
import { aMember } from "../../../../tests/support/factories";
import { aColleague, alertsAbout, anAddedPayee, peek } from "../../../../tests/support/payees";
import { anUploadedFile } from "../../../../tests/support/payment-files";
import { testServices } from "../../../../tests/support/services";
import { decideLines } from "./decide-lines.server";
import { readFilePage } from "./file-page.server";

/**
 * A file with a held line to a payee that the first person added, uploaded by the second person; the third had nothing
 * to do with it.
 */
async function aCarefulOffice({ secondPersonRequired = true } = {}) {
  const services = testServices();
  const adder = await aMember(services);
  const [uploader, third] = [await aColleague(services, adder), await aColleague(services, adder)];
  const { organizationId } = adder;
  await peek.insert(organizationPolicies).values({ organizationId, secondPersonRequired, updatedAt: 1 });
  const payee = await anAddedPayee(services, adder);
  const { fileId } = await anUploadedFile(services, uploader, [payee.details]);
  const pageOf = (actor: typeof adder) => readFilePage(services, actor, fileId, {});
  return { adder, uploader, third, pageOf };
}

test("the person who uploaded a file reads who may approve it, before anything is pressed", async () => {
  const { adder, uploader, third, pageOf } = await aCarefulOffice();
  const { approvalBar } = await pageOf(uploader);
  const nameOf = ({ firstName, lastName }: typeof adder) => `${firstName} ${lastName}`;
  expect(approvalBar).toContain("You uploaded this file");
  expect(approvalBar).toContain(`${nameOf(adder)} or ${nameOf(third)} may approve it.`);
});

test("a line to a payee whose details a person entered is marked as their own work, and no other person's", async () => {
  const { adder, third, pageOf } = await aCarefulOffice();
  const isOwn = async (actor: typeof adder) => (await pageOf(actor)).lines.map(({ isOwnWork }) => isOwnWork);
  expect([await isOwn(adder), await isOwn(third)]).toEqual([[true], [false]]);
  expect((await pageOf(adder)).approvalBar).toBeNull();
});

test("without the rule of a second person nothing is barred", async () => {
  const { uploader, pageOf } = await aCarefulOffice({ secondPersonRequired: false });
  const { approvalBar, lines } = await pageOf(uploader);
  expect([approvalBar, lines.map(({ isOwnWork }) => isOwnWork)]).toEqual([null, [false]]);
});

test("lines that somebody approves as their own work are told to the other administrators, others' lines are not", async () => {
  const services = testServices();
  const ada = await aMember(services, { role: "admin" });
  const bo = await aColleague(services, ada, { role: "admin" });
  const payee = await anAddedPayee(services, bo);
  const { fileId } = await anUploadedFile(services, ada, [payee.details]);
  const approve = (actor: typeof ada, lines: number[], file = fileId) =>
    decideLines(services, actor, { fileId: file, choice: { lines }, decision: "approve", reason: "Called them" });
  await approve(ada, [2]);
  expect(await alertsAbout(services, ada.organizationId, "trusted_alone")).toEqual([
    {
      userId: bo.userId,
      title: "Approved alone: 1 payment of run.aba, $1,250.00",
      body: expect.stringContaining("approved 1 payment of a payment file as their own work"),
    },
  ]);
  const other = await anUploadedFile(services, bo, [{ ...payee.details, amount: 130_000 }], "second.aba");
  await approve(await aColleague(services, ada), [2], other.fileId);
  expect(await alertsAbout(services, ada.organizationId, "trusted_alone")).toHaveLength(1);
});
