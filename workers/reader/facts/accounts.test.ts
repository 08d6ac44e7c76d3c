import { expect, test } from "vitest";
import { linesOfText, toLines } from "../layout/lines";
import { MAX_UNLABELLED } from "../limits";
import { wordsBefore } from "./context";
import { findLooseNumbers } from "./loose-numbers";
import { findNumbers } from "./numbers";
import { readPageFacts } from "./page-facts";

/** Which numbers belong to which labels, in texts whose cells are parted by tabs. */

const accountsIn = (...rows: string[]) =>
  readPageFacts(linesOfText(rows.join("\n"))).accounts.map(
    ({ bsb, accountNumber, certain }) => `${bsb} ${accountNumber}${certain ? "" : "?"}`,
  );

test.each([
  [["062-000\tBSB\t\t\t12345678\tAccount number"]],
  [["062-000 BSB:", "12345678 Account number:"]],
  [["062-000 BSB", "12345678 Account"]],
  [["\t\t\t\t\t\t062-000\tBSB", "\t\t\t\t\t\t12345678\tAccount"]],
])("labels to the right of their values: %j", (rows) => {
  expect(accountsIn(...rows)).toEqual(["062000 12345678"]);
});

test("a BSB beside a label, and a number of six digits in the next line", () => {
  expect(accountsIn("034-168 BSB", "908 530 Account number")).toEqual(["034168 908530"]);
});

test.each(["Branch no. (BSB)", "Bank code (BSB)", "BSB (branch number)"])(
  "two names of a BSB are one label: %s",
  (label) => {
    const { accounts, openLabels } = readPageFacts(linesOfText(`${label} 084 563\nA/C no. 98-048-8819`));
    expect(accounts).toMatchObject([{ bsb: "084563", accountNumber: "980488819", certain: true }]);
    expect(openLabels).toEqual([]);
  },
);

test('"Number:" names the account right below "BSB:" only', () => {
  expect(accountsIn("Name:\tKarri Floors", "BSB:\t122-377", "Number:\t\t47268735")).toEqual(["122377 47268735"]);
  expect(accountsIn("BSB:\t122-377", "Karri Floors", "Number:\t\t47268735")).not.toContain("122377 47268735");
});

test("the name of a bank and below it the BSB, beside a caption at half their height", () => {
  const rows = ["\t\t\tBank Australia /", "Bank / BSB", "\t\t\t062-000", "", "", "Account no.\t\t12345678"];
  const lines = linesOfText(rows.join("\n")).map((line) => ({ ...line, baseline: line.baseline / 2 }));
  const { accounts, openLabels } = readPageFacts(lines);
  expect(accounts).toMatchObject([{ bsb: "062000", accountNumber: "12345678", certain: true }]);
  expect(openLabels).toEqual([]);
});

test("a customer's account number is no other reading of the one to be paid", () => {
  expect(accountsIn("Customer account: 7712 0345", "Deposit to BSB 033-152 account 16367975")).toEqual([
    "033152 16367975",
  ]);
  expect(accountsIn("Account: 7712 0345", "Deposit to BSB 033-152 account 16367975")).toEqual(["033152 16367975?"]);
});

test("other numbers far above the account, one of which a word calls the customer's", () => {
  const rows = ["Customer account 10448230. Job 062-118. Council permit 083-441/2026. Card payments by phone,"];
  const all = [...rows, "merchant 5353 1102.", "", "BSB / Acct: 037-171 / 314031", "In the name of: L Tupou"];
  expect(accountsIn(...all)).toEqual(["037171 314031"]);
});

test("each digit in a column of its own below the label", () => {
  const table = ["BSB", "0\t3\t3\t1\t2\t9", "", "Account no.", "3\t6\t7\t7\t9\t8"];
  expect(accountsIn(...table)).toEqual(["033129 367798"]);
  expect(accountsIn("Rating of each site", ...table.slice(1, 3))).toEqual([]);
});

test("a sentence whose last words name the number in the next line", () => {
  const rows = ["Bank transfers please: Karri, Bendigo Street branch, BSB number 038 686 and then account number"];
  expect(accountsIn(...rows, "479 506. Thank you!")).toEqual(["038686 479506"]);
});

test("lines that are stretched to the edges of a narrow column", () => {
  const stretched = (text: string, row: number) => {
    const words = text.split(" ");
    const blank = (40 - words.join("").length) / (words.length - 1);
    let column = 0;
    return words.flatMap((word) => {
      const start = column;
      column += word.length + blank;
      return [...word].map((letter, at) => {
        const box = { x: (start + at) * 5, y: row * 12, width: 5, height: 10 };
        const place = { box, room: box, origin: { x: box.x, y: row * 12 + 10 }, size: 10, turn: 0 as const };
        return { ...place, text: letter, order: row * 100 + start + at, piece: row, isAfterBlank: at === 0 };
      });
    });
  };
  const rows = ["to Karri Vineyard Pty Ltd, BSB", "062-000, account number", "12345678, and send us the"];
  const lines = toLines(rows.flatMap(stretched));
  expect(lines.map(({ text }) => text)).toEqual(rows);
  expect(readPageFacts(lines).accounts).toMatchObject([{ bsb: "062000", accountNumber: "12345678", certain: true }]);
});

test("a label at the end of a line goes on in the next", () => {
  const rows = ["Pay into the account of Karri Floors, BSB 112 911, account", "number 719554372, and quote SI0009416"];
  expect(accountsIn(...rows)).toEqual(["112911 719554372"]);
});

test("where each number may belong to the label on either side, none is certain", () => {
  for (const row of ["062000 BSB 732001 Account", "062000\tBSB\t123456\tAccount"])
    expect(accountsIn(row).filter((account) => !account.endsWith("?"))).toEqual([]);
});

const BLOCK = ["A/C Name: Karri Floors", "BSB: 062-000", "A/C No: 12345678"];
test.each([
  [["Any balance will be paid to your account.", "Bank details", ...BLOCK], "payee"],
  [["Refunds are paid to your account within 5 days.", ...BLOCK], "payee"],
  [["The balance will be paid to your account:", ...BLOCK], "customer"],
  [["We will debit your account on 26 November.", ...BLOCK], "customer"],
  [["Bill to: Karri Floors", "Your refund is paid to your account.", ...BLOCK], "customer"],
  [["Your refund is paid to your account.", "BSB: 062-000", "A/C No: 12345678"], "customer"],
])("whose account it is: %j", (rows, whose) => {
  expect(readPageFacts(linesOfText(rows.join("\n"))).accounts).toMatchObject([{ accountNumber: "12345678", whose }]);
});

test("a caption of two lines that begins with other words, and the number beside its middle", () => {
  const rows = ["BSB\t\t\t\t062-000", "", "Số tài khoản / Account", "\t\t\t\t12345678", "number"];
  const lines = linesOfText(rows.join("\n")).map((line) => ({ ...line, baseline: line.baseline / 2 }));
  expect(readPageFacts(lines).accounts).toMatchObject([{ bsb: "062000", accountNumber: "12345678", certain: true }]);
});

test.each([
  "please pay invoice INV-123 to 062-000 1234 5678",
  "please pay this invoice 062-000 1234 5678",
  "pay the total 062-000 12345678",
])("an account in a sentence about the invoice: %s", (text) => {
  expect(accountsIn(text)).toEqual(["062000 12345678?"]);
});

test.each(["476 569 270", "476569270"])("a word that names the BSB and the account number after it: %s", (number) => {
  const words = "Due to an audit of our trading account, remit to our holding account";
  expect(accountsIn(`${words} 084-029 / ${number} until further notice`)).toEqual(["084029 476569270?"]);
});

test("an account number at the start of the next line, after a BSB and the word for it", () => {
  expect(accountsIn("Yass Uniforms BSB 633-722 Account", "683006247")).toEqual(["633722 683006247"]);
});

test("a label below each number of a column", () => {
  expect(accountsIn("039 089", "BSB", "106 835", "account number")).toEqual(["039089 106835"]);
  expect(accountsIn("BSB", "039 089", "account number", "106 835")).toEqual(["039089 106835"]);
});

test("the standard text beside a BPAY code says nothing of an account in the next column", () => {
  const rows = ["Biller Code: 550537 BSB 485-081", "Contact your bank to pay from your Account 597950984"];
  const lines = linesOfText([...rows, "cheque, savings or credit account. Reference 0002653"].join("\n"));
  expect(readPageFacts(lines).accounts).toMatchObject([{ accountNumber: "597950984", certain: true, whose: "payee" }]);
});

const nameIn = (...rows: string[]) =>
  readPageFacts(linesOfText(rows.join("\n"))).accounts.map(({ accountName }) => accountName);

test.each([
  [["BSB: 062-000", "Account: 12345678", "Name: Karri Floors"]],
  [["Account: Karri Floors", "BSB No.: 062-000", "Account No.: 12345678"]],
  [["BSB\tAccount\tName", "062-000\t12345678\tKarri Floors"]],
  [["062-000\t12345678\tKarri Floors", "BSB\tAccount\tName"]],
  [["Bank\tAccount Name\tBSB No.\tAccount No.", "ANZ\tKarri Floors\t062-000\t12345678"]],
  [["062-000 BSB", "12345678 Account number", "Karri Floors Account name"]],
  [["Please pay into the account of Karri Floors, BSB 062-000, account number 12345678"]],
  [["Kindly transfer to Karri", "Floors, BSB 062-000, account 12345678"]],
  [["Please deposit to", "Karri Floors", "BSB 062-000 account 12345678"]],
  [["Pay to: Karri Floors - BSB 062-000", "- acct 12345678"]],
  [["Name: Karri", "Floors", "BSB: 062-000", "Account: 12345678"]],
  [["Name: Karri Floors accounts@karri.example", "BSB: 062-000", "Account: 12345678"]],
])("a word says in what name the account is: %j", (rows) => {
  expect(nameIn(...rows)).toEqual(["Karri Floors"]);
});

test.each([
  [["EFT: Numbat Hill Joinery", "BSB: 062-000 A/C: 12345678"], "Numbat Hill Joinery"],
  [["Direct credit: Võ & Đặng of Cairns", "BSB: 062-000 A/C: 12345678"], "Võ & Đặng of Cairns"],
  [["EFT: Westpac Banking", "BSB: 062-000 A/C: 12345678"], undefined],
  [["EFT: use the details below", "BSB: 062-000 A/C: 12345678"], undefined],
  [["EFT: PLEASE USE", "BSB: 062-000 A/C: 12345678"], undefined],
  [
    ["Pay to BSB 062-000, account 12345678, in the name of Numbat", "Hill Joinery Pty Ltd, quoting 771."],
    "Numbat Hill Joinery Pty Ltd",
  ],
  [
    ["Pay to BSB 062-000, account 12345678, in the name of Numbat Hill Joinery, quoting", "771. Thank you."],
    "Numbat Hill Joinery",
  ],
  [
    ["Pay to BSB 062-000, account 12345678, in the name of Numbat, Hill & Co", "Please pay by Friday."],
    "Numbat, Hill & Co",
  ],
  [
    ["Account name:\tNumbat Hill", "\tJoinery Pty Ltd", "BSB:\t062-000", "Account number:\t12345678"],
    "Numbat Hill Joinery Pty Ltd",
  ],
  [
    ["A/c Name Numbat", "Hill Trade", "Joinery Pty Ltd", "BSB 062-000", "A/c No 12345678"],
    "Numbat Hill Trade Joinery Pty Ltd",
  ],
  [
    ["Account name: Numbat ATF", "The Hill Trust", "ABN 51 824 753 556", "BSB 062-000", "Account 12345678"],
    "Numbat ATF The Hill Trust",
  ],
  [["BSB:\t062-000", "A/C No.\t12345678", "A/C Name\tNumbat Hill Trust", "\tA/C"], "Numbat Hill Trust A/C"],
  [["Account name:\tNumbat Hill Trust", "A/C:\t12345678", "BSB:\t062-000"], "Numbat Hill Trust"],
  [["Account name:\tNumbat Hill", "Bank:\tUp", "BSB:\t062-000", "Account number:\t12345678"], "Numbat Hill"],
  [["Account name", "Numbat Hill", "Commonwealth Bank", "BSB", "062-000", "Account", "12345678"], "Numbat Hill"],
  [["Account name: Numbat Hill Pty Ltd GST 10%\t81.43", "BSB: 062-000", "Account: 12345678"], "Numbat Hill Pty Ltd"],
  [["Account name: Total Hill Pty Ltd", "BSB: 062-000", "Account: 12345678"], "Total Hill Pty Ltd"],
])("the whole name and nothing else: %j", (rows, name) => {
  expect(nameIn(...rows)).toEqual([name]);
});

test("a caption of two lines has beside it the name whose lines have the same middle", () => {
  const rows = ["\t\t\tThe Trustee for the", "Account", "\t\t\tKarri Family Trust and", "name", "\t\t\tKarri Floors"];
  const lines = linesOfText([...rows, "", "", "", "BSB\t\t\t062-000", "", "", "Account number\t12345678"].join("\n"));
  const half = lines.map((line) => ({ ...line, baseline: line.baseline / 2 }));
  const [account] = readPageFacts(half).accounts;
  expect(account).toMatchObject({ accountName: "The Trustee for the Karri Family Trust and Karri Floors" });
});

test.each([
  [["Pay to\tYour direct debit account", "BSB: 062-000", "Account: 12345678"]],
  [["Pay to\tPayee", "BSB: 062-000", "Account: 12345678"]],
  [["EFT: BSB 062-000 ACC 12345678 Karri Floors"]],
  [["Karri Floors", "BSB: 062-000", "Account: 12345678"]],
  [["BSB: 062-000", "Account: 12345678", "Account: Savings"]],
  [["Please transfer to our account: BSB 062-000, account 12345678"]],
  [["Direct deposit: ANZ, BSB 062-000, account 12345678"]],
])("no word says in what name the account is: %j", (rows) => {
  expect(nameIn(...rows)).toEqual([undefined]);
});

const loose = (...rows: string[]) => {
  const lines = linesOfText(rows.join("\n"));
  return findLooseNumbers(lines, readPageFacts(lines)).map(({ code, digits = "" }) => `${code} ${digits}`);
};

test.each([
  [["Deutsche Bank", "Bank code: 37040044", "IBAN DE89 3704 0044 0532 0130 00"]],
  [["Branch code: 20 00 00 1", "Swift BARCGB22", "Account number 55779911"]],
  [["BPAY", "Biller Code: 23796", "Ref: 1234 5678 97", "Pay from your bank account, call 13 22 65"]],
])("numbers of other ways to pay are no accounts: %j", (rows) => {
  expect(loose(...rows)).toEqual([]);
  expect(readPageFacts(linesOfText(rows.join("\n"))).openLabels).toEqual([]);
});

test("a number that is written like an account is named with its digits", () => {
  expect(loose("Biller Code: 23796", "Pay 73200199887766")).toEqual(["number_without_label 73200199887766"]);
});

test("a word for an account before a BSB and an account number without a dash", () => {
  expect(loose("Acc: 484799 186805238")).toEqual(["number_without_label "]);
  expect(loose("BSB 062-000 Acc 12345678", "Your account: 484799 186805238")).toEqual([]);
});

test("digits one below the other, in columns below the words that name them", () => {
  const rows = ["0\t9", "8\t1", "4\t2", "0\t1", "8\t4", "3\t0", "7", "5", "8"];
  expect(loose("How to pay", "BSB\tAccount", ...rows)).toEqual(["number_written_otherwise "]);
  expect(loose("Rating of each site", "North\tSouth", ...rows)).toEqual([]);
});

test.each([
  ["in one line", "732-001 99887766; "],
  ["in a line each", "732-001 99887766\n"],
])("more BSBs without labels than anybody would compare are refused, %s", (_, text) => {
  const lines = linesOfText(text.repeat(MAX_UNLABELLED + 1));
  expect(() => readPageFacts(lines)).toThrow("too_slow");
  expect(readPageFacts(linesOfText(text.repeat(100))).accounts.length).toBeGreaterThan(0);
});

test("each number reads only the words right before it, however long its line is", () => {
  const [line] = linesOfText("99887766, ".repeat(2_000));
  if (!line) throw new Error("no line");
  expect(Math.max(...findNumbers([line]).map((run) => wordsBefore(run).length))).toBe(400);
});

test.each([
  "We have not changed our bank account since 2014. Please call us if anybody tells you otherwise.",
  "Our bank account has been the same since\n2014. Call us if anybody says otherwise.",
  "Account opened with us in 1998.",
  "In 2019 we opened our account with ME Bank.",
  "Our accounts were audited for 2025.",
])("a year is no account number: %j", (text) => {
  expect(accountsIn(text)).toEqual([]);
  expect(accountsIn("BSB 062-000 Account number 12345678", ...text.split("\n"))).toEqual(["062000 12345678"]);
});

test.each([
  "BSB 062-000 Account 2014",
  "BSB 062-000, our account is 2014",
  "BSB 062-000\tAccount number is 2014",
  "BSB\tAccount\n062-000\t2014",
])("digits like a year beside the word for an account: %j", (text) => {
  expect(accountsIn(...text.split("\n"))).toEqual(["062000 2014?"]);
});

const wide = (digits: string) => [...digits].join("\t\t\t\t");

test.each([
  [["BSB", "0\t3\t3\t1\t2\t9", "Account no.", "3\t6\t7\t7\t9\t8"], ["033129 367798"]],
  [["BSB:\t0\t3\t3\t1\t2\t9", "Account number:\t3\t6\t7\t7\t9\t8\t1"], ["033129 3677981"]],
  [["BSB 0 3 3 - 1 2 9", "Account 3 6 7 7 9 8 1 2"], ["033129 36779812"]],
  [["BSB | 0 | 3 | 3 | 1 | 2 | 9 |", "Acc no. | 3 | 6 | 7 | 7 | 9 | 8 | 1 |"], ["033129 3677981"]],
  [[`BSB${"\t".repeat(34)}Account number`, `${wide("033129")}${"\t".repeat(14)}${wide("367798")}`], ["033129 367798"]],
  [["BSB", "Qty\t1\t2\t3\t4\t5\t6\t7"], []],
])("digits in a box each: %j", (rows, accounts) => {
  expect(accountsIn(...rows)).toEqual(accounts);
});

test("digits in parts below the label of a BSB are not said to be nothing", () => {
  expect(loose("BSB and account", "0\t3\t3\t1\t2\t9\t4\t3\t2\t1\t0\t9\t8\t7")).not.toEqual([]);
  expect(loose("BSB", "03\t31\t29\t11")).not.toEqual([]);
  expect(loose("BSB", "Amount due $120.00", "1\tLabour\t2\t3")).toEqual([]);
});
