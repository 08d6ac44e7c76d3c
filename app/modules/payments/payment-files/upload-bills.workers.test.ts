import { expect, test } from "vitest";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { aMember } from "../../../../tests/support/factories";
import { anAddedPayee, details, refusal } from "../../../../tests/support/payees";
import { bytesOf, linesOf } from "../../../../tests/support/payment-files";
import { aTrustedPayee } from "../../../../tests/support/payments";
import { testServices } from "../../../../tests/support/services";
import { NOT_IN_TABLE } from "./csv/columns";
import { readStoredFile } from "./file-bytes.server";
import { getPaymentFile } from "./payment-file.server";
import { uploadFile } from "./upload-file.server";

const HEADINGS = "ContactName,InvoiceNumber,InvoiceAmountDue,Currency,Type,Status";
const billsOf = (...suppliers: string[]) =>
  bytesOf([HEADINGS, ...suppliers.map((name, at) => `"${name}",B-${at},99.50,AUD,Bill,Awaiting Payment`)].join("\n"));

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services);
  const trusted = await aTrustedPayee(services, actor, { name: "O'Brien & Sons" });
  return { services, actor, trusted };
}

test("a list of bills is paid to the accounts of the payees, and each line is judged as any other", async () => {
  const { services, actor, trusted } = await anOffice();
  const unverified = await anAddedPayee(services, actor, { name: "Mulga", accountName: "Mulga Mechanical" });
  const bytes = billsOf("OBrien Sons", "MULGA MECHANICAL");
  const { fileId } = await uploadFile(services, actor, { name: "bills.csv", bytes });
  const { accountName, bsb, accountNumber } = trusted.details;
  expect(await linesOf(fileId)).toMatchObject([
    { line: 2, accountName, bsb, accountNumber, amount: 9_950, reference: "B-0", status: "authorised" },
    { line: 3, accountNumber: unverified.details.accountNumber, status: "held" },
  ]);
});

const CHOSEN = { accountName: 0, reference: 1, amount: 2, bsb: NOT_IN_TABLE, accountNumber: NOT_IN_TABLE };

test.each([
  ["headings that are known", { bytes: billsOf("O'Brien & Sons") }],
  [
    "columns that a person chose",
    {
      bytes: bytesOf("Creditor,Bill,Outstanding\nO'Brien & Sons,B-0,99.50"),
      columns: { signature: "creditor|bill|outstanding", mapping: CHOSEN },
    },
  ],
])("a list of bills with %s is read again with the accounts of the upload", async (_, input) => {
  const { services, actor, trusted } = await anOffice();
  const { fileId } = await uploadFile(services, actor, { name: "bills.csv", ...input });
  await editPayee(services, actor, { payeeId: trusted.payeeId, patch: { accountNumber: details().accountNumber } });
  const file = await getPaymentFile(services, actor, fileId);
  const { lines } = await readStoredFile(services, actor.organizationId, file);
  expect(lines.map(({ accountNumber }) => accountNumber)).toEqual([trusted.details.accountNumber]);
});

test("a supplier that is no payee, another organisation's, or two payees refuses the list with its line", async () => {
  const { services, actor, trusted } = await anOffice();
  const elsewhere = await anOffice();
  const upload = (name: string) =>
    refusal(uploadFile(services, elsewhere.actor, { name: "bills.csv", bytes: billsOf(name) }));
  const other = await anAddedPayee(services, actor, { name: "Only Here Pty Ltd" });
  expect(await upload(other.details.name)).toMatchObject({
    status: 400,
    code: "INVALID_FILE",
    message: "Line 2: no payee is called “Only Here Pty Ltd”. Add the payee, then upload the file again.",
  });
  await anAddedPayee(services, elsewhere.actor, { name: trusted.details.name });
  expect((await upload(trusted.details.name)).message).toContain("Line 2: several payees are called");
});
