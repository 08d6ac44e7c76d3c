import { expect, test } from "vitest";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { aMember } from "../../../../tests/support/factories";
import { anAddedPayee, details, refusal } from "../../../../tests/support/payees";
import { bytesOf, linesOf } from "../../../../tests/support/payment-files";
import { aTrustedPayee } from "../../../../tests/support/payments";
import { testServices } from "../../../../tests/support/services";
import { readStoredFile } from "./check-file.server";
import { NOT_IN_TABLE } from "./csv/columns";
import { decideLines } from "./decide-lines.server";
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

test("a supplier that is no payee, another organisation's, or two payees is a held line; the others are paid", async () => {
  const { services, actor, trusted } = await anOffice();
  const elsewhere = await anOffice();
  const other = await anAddedPayee(services, actor, { name: "Only Here Pty Ltd" });
  await anAddedPayee(services, elsewhere.actor, { name: "Twice Pty Ltd" });
  await anAddedPayee(services, elsewhere.actor, { name: "Twice Pty Ltd" });
  const bytes = billsOf(other.details.name, trusted.details.name, "Twice Pty Ltd");
  const { fileId } = await uploadFile(services, elsewhere.actor, { name: "bills.csv", bytes });
  const lines = await linesOf(fileId);
  expect(lines).toMatchObject([
    { line: 2, accountName: "Only Here Pty Ltd", bsb: "", accountNumber: "", status: "held", amount: 9_950 },
    { line: 3, status: "authorised" },
    { line: 4, accountName: "Twice Pty Ltd", bsb: "", status: "held" },
  ]);
  expect(lines[0]?.reasons).toMatchObject([{ rule: "supplier_unknown", level: "hold" }]);
  const file = await getPaymentFile(services, elsewhere.actor, fileId);
  expect(file.problems.map(({ message }) => message).slice(0, 2)).toEqual([
    "Line 2: no payee is called “Only Here Pty Ltd”. The line is held.",
    "Line 4: several payees are called “Twice Pty Ltd”. The line is held.",
  ]);
  expect(file.heldCount).toBe(2);
});

test.each([
  ["alone", { lines: [2] }],
  ["with others", { lines: [2, 3] }],
  ["for its reason", { rule: "supplier_unknown" }],
])(
  "a bill without an account is never approved: not %s; rejected it can be, and the others are cleared",
  async (_, choice) => {
    const { services, actor, trusted } = await anOffice();
    const bytes = billsOf("Nobody Here", "Nobody There", trusted.details.name);
    const { fileId } = await uploadFile(services, actor, { name: "bills.csv", bytes });
    const decide = (decision: "approve" | "reject") =>
      decideLines(services, actor, { fileId, choice, decision, reason: "We know this supplier" });
    expect(await refusal(decide("approve"))).toMatchObject({ status: 409, code: "DECIDE_ONE_BY_ONE" });
    expect((await linesOf(fileId)).map(({ status }) => status)).toEqual(["held", "held", "authorised"]);
    await decide("reject");
    expect((await linesOf(fileId))[0]?.status).toBe("rejected");
  },
);
