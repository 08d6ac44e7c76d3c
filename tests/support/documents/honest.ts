import { block, type Op, type Sheet } from "./sheet";

/** Invoices as honest suppliers write them, each layout with details of its own. */
export type Honest = {
  name: string;
  sheet: Sheet;
  /** None: there are no bank details of the payee. */
  account?: { bsb: string; accountNumber: string; accountName?: string };
  whose?: "customer";
  totalCents?: number;
  abn?: string;
  biller?: string;
  payId?: string;
  /** Findings that are acceptable although the invoice is honest. */
  findings?: string[];
  /** Producers that cannot write it. */
  not?: string[];
};

const NAME = "Karri Floors Pty Ltd";
const ABN = "51 824 753 556";
const CUSTOMER_ABN = "53 004 085 616";

const top = (name = NAME): Op[] => [
  { text: "TAX INVOICE", x: 400, y: 60, size: 18, isBold: true },
  ...block(50, 60, [name, `ABN ${ABN}`, "12 Jarrah Street, Fremantle WA 6160", "Phone 08 9430 1234"]),
  ...block(50, 150, ["Bill to:", "Murray Cafe Pty Ltd", `ABN ${CUSTOMER_ABN}`, "3 Swan Road, Perth WA 6000"]),
  ...block(400, 100, ["Invoice number: INV-10452", "Invoice date: 03/11/2026", "Due date: 17/11/2026"]),
];
const goods: Op[] = [
  ...block(50, 260, ["Description", "Sanding and sealing, 42 m2", "Skirting boards"]),
  ...block(300, 260, ["Quantity", "42", "16"]),
  ...block(380, 260, ["Unit price", "$35.00", "$12.50"]),
  ...block(480, 260, ["Amount", "$1,470.00", "$200.00"]),
  ...block(380, 320, ["Subtotal", "GST (10%)", "Total due"]),
  ...block(480, 320, ["$1,670.00", "$167.00", "$1,837.00"]),
];

const invoice = (bank: readonly Op[], rest: readonly Op[] = goods): Sheet => ({
  pages: [[...top(), ...rest, ...bank]],
});

let serial = 0;
/** A BSB and an account number that appear nowhere else. */
function details(length = 8): { bsb: string; accountNumber: string } {
  serial += 1;
  const bsb = ["062000", "013999", "732001", "083004", "484799", "124001", "633000", "802985"][serial % 8] ?? "062000";
  const accountNumber = String(10_000_000_123 + serial * 48_271_939).slice(-length);
  return { bsb, accountNumber };
}

const dashed = (bsb: string) => `${bsb.slice(0, 3)}-${bsb.slice(3)}`;
const grouped = (digits: string) => digits.replace(/(\d{4})(?=\d)/, "$1 ");

type Maker = (d: {
  bsb: string;
  accountNumber: string;
  dash: string;
}) => Omit<Honest, "name" | "account"> & { hasName?: boolean };

const LAYOUTS: Record<string, Maker> = {
  "labels and values in lines": ({ dash, accountNumber }) => ({
    sheet: invoice(
      block(50, 450, ["Payment details", `Account name: ${NAME}`, `BSB: ${dash}`, `Account number: ${accountNumber}`]),
    ),
    hasName: true,
  }),
  "labels at the left, values in a column": ({ dash, accountNumber }) => ({
    sheet: invoice([
      ...block(50, 450, ["How to pay", "Bank", "Account name", "BSB", "Account no."]),
      ...block(170, 464, ["Westpac", NAME, dash, accountNumber]),
    ]),
    hasName: true,
  }),
  "a table with its header above": ({ dash, accountNumber }) => ({
    sheet: invoice([
      ...block(50, 460, ["BSB", dash]),
      ...block(150, 460, ["Account number", accountNumber]),
      ...block(290, 460, ["Account name", NAME]),
    ]),
    hasName: true,
  }),
  "a table with its header far above": ({ dash, accountNumber }) => ({
    sheet: invoice([
      ...block(50, 460, ["BSB No.", dash], 10, 2.4),
      ...block(150, 460, ["A/C No.", accountNumber], 10, 2.4),
    ]),
  }),
  "the value before its label": ({ dash, accountNumber }) => ({
    sheet: invoice(block(50, 450, ["Direct deposit", `${dash} (BSB)`, `${accountNumber} (Account number)`])),
  }),
  "the value above its label": ({ dash, accountNumber }) => ({
    sheet: invoice([...block(50, 450, [dash, "BSB"]), ...block(150, 450, [accountNumber, "Account number"])]),
  }),
  "digits that stand apart": ({ dash, accountNumber }) => ({
    sheet: invoice([
      { text: "BSB", x: 50, y: 450 },
      { text: dash, x: 110, y: 450, spacing: 5 },
      { text: "Account", x: 50, y: 470 },
      { text: accountNumber, x: 110, y: 470, spacing: 5 },
    ]),
  }),
  "one line": ({ dash, accountNumber }) => ({
    sheet: invoice(block(50, 450, [`EFT: BSB ${dash} Acc ${accountNumber} Name ${NAME}`])),
  }),
  "one label for both": ({ dash, accountNumber }) => ({
    sheet: invoice(block(50, 450, ["Bank transfer", `BSB / Account No: ${dash} / ${accountNumber}`])),
  }),
  "both under the word account": ({ dash, accountNumber }) => ({
    sheet: invoice(block(50, 450, [`Please pay to account ${dash} ${accountNumber}`])),
  }),
  "a sentence": ({ dash, accountNumber }) => ({
    sheet: invoice(
      block(50, 450, [
        `Please transfer the amount due to ${NAME}, BSB ${dash},`,
        `account number ${accountNumber}, and quote the invoice number.`,
      ]),
    ),
  }),
  "no dash in the BSB": ({ bsb, accountNumber }) => ({
    sheet: invoice(block(50, 450, [`BSB: ${bsb}`, `Account: ${accountNumber}`])),
  }),
  "a blank in the BSB": ({ bsb, accountNumber }) => ({
    sheet: invoice(block(50, 450, [`B.S.B. ${bsb.slice(0, 3)} ${bsb.slice(3)}`, `A/C ${grouped(accountNumber)}`])),
  }),
  "an en dash": ({ bsb, accountNumber }) => ({
    sheet: invoice(
      block(50, 450, [
        `BSB ${bsb.slice(0, 3)}–${bsb.slice(3)}`,
        `Account ${accountNumber.slice(0, 2)}–${accountNumber.slice(2, 5)}–${accountNumber.slice(5)}`,
      ]),
    ),
  }),
  "the BSB over two lines": ({ bsb, accountNumber }) => ({
    sheet: invoice([
      ...block(50, 450, ["BSB", "Account"], 10, 2.8),
      ...block(110, 450, [`${bsb.slice(0, 3)}-`, bsb.slice(3), accountNumber]),
    ]),
  }),
  "words for the branch": ({ dash, accountNumber }) => ({
    sheet: invoice(block(50, 450, [`Bank State Branch: ${dash}`, `Acct #: ${accountNumber}`])),
  }),
  "branch number": ({ dash, accountNumber }) => ({
    sheet: invoice(block(50, 450, [`Branch no: ${dash}`, `Account no: ${accountNumber}`, `Account holder: ${NAME}`])),
    hasName: true,
  }),
  "at the side, turned": ({ dash, accountNumber }) => ({
    sheet: invoice([{ text: `BSB ${dash}  Account ${accountNumber}`, x: 570, y: 400, turn: 1 }]),
  }),
  "with BPAY": ({ dash, accountNumber }) => ({
    sheet: invoice([
      ...block(50, 450, ["BPAY", "Biller Code: 23796", "Ref: 1234 5678 97"]),
      ...block(250, 450, ["Direct credit", `BSB: ${dash}`, `Account: ${accountNumber}`]),
    ]),
    biller: "23796",
  }),
  "with PayID": ({ dash, accountNumber }) => ({
    sheet: invoice(
      block(50, 450, [`BSB: ${dash}   Account number: ${accountNumber}`, "PayID: accounts@karrifloors.com.au"]),
    ),
    payId: "accounts@karrifloors.com.au",
  }),
  "beside the customer": ({ dash, accountNumber }) => ({
    sheet: invoice([
      ...block(50, 460, ["Customer number: 4471882", "Order number: 70021553", "ACN 004 085 616"]),
      ...block(330, 460, ["Payment details", `BSB: ${dash}`, `Account number: ${accountNumber}`]),
    ]),
  }),
  "a slip at the end": ({ dash, accountNumber }) => ({
    sheet: invoice([
      ...block(50, 450, [`BSB ${dash}`, `Account ${accountNumber}`]),
      ...block(50, 700, [
        "REMITTANCE ADVICE",
        `Please pay BSB ${dash} Account ${accountNumber}`,
        "Amount enclosed: ________",
      ]),
    ]),
  }),
  "small grey type": ({ dash, accountNumber }) => ({
    sheet: invoice(
      block(50, 800, [`Bank details: BSB ${dash}  Account ${accountNumber}  ${NAME}`], 6.5).map((op) => ({
        ...op,
        color: "#777777",
      })),
    ),
  }),
  "white on a dark panel": ({ dash, accountNumber }) => ({
    sheet: invoice([
      { panel: [40, 430, 515, 70], color: "#1f3a5f" },
      ...block(60, 455, [`BSB ${dash}`, `Account number ${accountNumber}`]).map((op) => ({ ...op, color: "#ffffff" })),
    ]),
  }),
  "bold and large": ({ dash, accountNumber }) => ({
    sheet: invoice(
      block(50, 460, [`BSB: ${dash}`, `ACCOUNT: ${accountNumber}`], 16).map((op) => ({ ...op, isBold: true })),
    ),
  }),
  "on the second page": ({ dash, accountNumber }) => ({
    sheet: {
      pages: [
        [...top(), ...goods],
        block(50, 80, ["Page 2 of 2", "Payment by direct deposit", `BSB: ${dash}`, `Account No.: ${accountNumber}`]),
      ],
    },
  }),
  "a statement": ({ dash, accountNumber }) => ({
    sheet: {
      pages: [
        [
          { text: "STATEMENT", x: 400, y: 60, size: 18 },
          ...block(50, 60, [NAME, `ABN ${ABN}`]),
          ...block(50, 200, ["Date", "01/10/2026", "08/10/2026"]),
          ...block(150, 200, ["Invoice", "INV-10211", "INV-10298"]),
          ...block(300, 200, ["Amount", "$450.00", "$1,210.00"]),
          ...block(50, 300, ["Balance due $1,660.00", `BSB: ${dash}`, `Account number: ${accountNumber}`]),
        ],
      ],
    },
    totalCents: 166_000,
    findings: ["statement", "asks_no_payment"],
  }),
  "a credit note": ({ dash, accountNumber }) => ({
    sheet: {
      pages: [
        [
          { text: "CREDIT NOTE", x: 400, y: 60, size: 18 },
          ...block(50, 60, [NAME, `ABN ${ABN}`]),
          ...block(50, 300, ["Total credit $110.00", `BSB: ${dash}`, `Account number: ${accountNumber}`]),
        ],
      ],
    },
    totalCents: 11_000,
    findings: ["credit_note", "asks_no_payment"],
  }),
};

const withAccount: Honest[] = Object.entries(LAYOUTS).map(([name, make], index) => {
  const given = details(index % 5 === 3 ? 9 : index % 5 === 4 ? 6 : 8);
  const { hasName, ...made } = make({ ...given, dash: dashed(given.bsb) });
  return {
    name,
    totalCents: 183_700,
    abn: ABN,
    ...made,
    account: { ...given, ...(hasName ? { accountName: NAME } : {}) },
  };
});

const debit = details();

/** Invoices without an account to pay. */
const WITHOUT: Honest[] = [
  {
    name: "paid by card",
    sheet: invoice(block(50, 450, ["Paid by Visa ending 4417. Thank you."])),
    findings: ["asks_no_payment"],
    totalCents: 183_700,
    abn: ABN,
  },
  {
    name: "by direct debit from the customer",
    sheet: invoice(
      block(50, 450, [
        "We will debit your account",
        `BSB ${dashed(debit.bsb)}`,
        `Account ${debit.accountNumber}`,
        "Debit date 17 November 2026",
      ]),
    ),
    account: debit,
    findings: ["asks_no_payment"],
    whose: "customer",
    totalCents: 183_700,
  },
];

const withNumbersBeside: Honest[] = (
  [
    ["a footer of one line", ({ dash, accountNumber }) => [`Karri | BSB ${dash} A/C ${accountNumber} | 08 9430 1234`]],
    ["labels that touch their digits", ({ bsb, accountNumber }) => [`EFT BSB${bsb} ACC${accountNumber}`]],
    ["labels and digits without a blank", ({ dash, accountNumber }) => [`BSB#${dash}A/C#${accountNumber}`]],
    ["the word number alone", ({ dash, accountNumber }) => [`Name Karri BSB ${dash} Number ${accountNumber}`]],
    ["no label under who is paid", ({ dash, accountNumber }) => ["Pay to", NAME, `${dash} ${accountNumber}`]],
    [
      "a BSB that goes on in the next line",
      ({ bsb, accountNumber }) => [
        `Kindly remit what is owed to us at BSB ${bsb.slice(0, 3)}-`,
        `${bsb.slice(3)}, account number ${accountNumber}, soon.`,
      ],
    ],
    [
      "a number of a part",
      ({ dash, accountNumber }) => ["Part no 123-456 8823441", `BSB ${dash}`, `Account ${accountNumber}`],
    ],
    ["words of a bank alone", ({ dash, accountNumber }) => [`E.F.T. Details: ${dash} ${accountNumber}`]],
    [
      "the label with its short form",
      ({ dash, accountNumber }) => [`Bank State Branch (BSB) ${dash}`, `Acc No ${accountNumber}`],
    ],
    [
      "details that have not changed",
      ({ dash, accountNumber }) => [`Our bank details have NOT changed: BSB ${dash} Account ${accountNumber}.`],
    ],
    [
      "no direct debit",
      ({ dash, accountNumber }) => ["Direct debit is not available.", `BSB: ${dash}`, `Account: ${accountNumber}`],
    ],
  ] as [string, (d: { bsb: string; accountNumber: string; dash: string }) => string[]][]
).map(([name, write]) => {
  const account = details();
  const bank = block(50, 450, write({ ...account, dash: dashed(account.bsb) }));
  return { name, sheet: invoice(bank), account, totalCents: 183_700 };
});

type Placed = [string, (d: { bsb: string; accountNumber: string; dash: string }) => Op[]];

const inColumns: Honest[] = (
  [
    [
      "numbers to ring in the column beside",
      ({ dash, accountNumber }) => [
        ...block(50, 450, ["EFT", `BSB ${dash}`, `Account ${accountNumber}`]),
        ...block(210, 450, ["accounts@karri.example", "1300 655 506", "PO Box 1234 Perth 6000"]),
      ],
    ],
    [
      "values moved in under their labels",
      ({ dash, accountNumber }) => [
        ...block(50, 450, ["BSB", "", "Account number", ""]),
        ...block(90, 450, ["", dash, "", accountNumber]),
      ],
    ],
    [
      "another number right below",
      ({ dash, accountNumber }) => [
        ...block(50, 450, ["BSB No.", "Account", "Reference"]),
        ...block(150, 450, [dash, accountNumber, "49168"]),
      ],
    ],
    [
      "what is said of BPAY beside it",
      ({ dash, accountNumber }) => [
        ...block(50, 450, ["Please remit to", `BSB No.: ${dash}`, `Acct No: ${accountNumber}`]),
        ...block(250, 450, ["BPAY", "Contact your bank to pay from your cheque or savings account."]),
      ],
    ],
    [
      "a label over two lines",
      ({ dash, accountNumber }) => [
        ...block(50, 450, ["BSB", "Acc.", "Number"]),
        ...block(120, 450, [dash]),
        { text: accountNumber, x: 120, y: 471 },
      ],
    ],
    [
      "a label in two languages over two lines",
      ({ dash, accountNumber }) => [
        ...block(50, 450, ["BSB", "", "Account number / Numero di", "conto"]),
        ...block(220, 450, [dash]),
        { text: accountNumber, x: 220, y: 485 },
      ],
    ],
    [
      "a narrow column with small captions above their values",
      ({ dash, accountNumber }) => [
        { text: "Payee", x: 420, y: 450, size: 7 },
        { text: NAME, x: 420, y: 461, size: 9 },
        { text: "Bank/Branch (BSB)", x: 420, y: 475, size: 7 },
        { text: dash, x: 420, y: 486, size: 9 },
        { text: "Acc", x: 420, y: 498, size: 7 },
        { text: accountNumber, x: 420, y: 509, size: 9 },
      ],
    ],
    [
      "columns that stand close",
      ({ dash, accountNumber }) => [
        ...block(50, 450, ["Bank", "ANZ"]),
        ...block(80, 450, ["BSB", dash]),
        ...block(121, 450, ["Account", accountNumber]),
        ...block(172, 450, ["Reference", "66190"]),
      ],
    ],
    [
      "words and digits that stand apart",
      ({ dash, accountNumber }) => [{ text: `BSB ${dash} ACC ${accountNumber}`, x: 50, y: 450, spacing: 4 }],
    ],
  ] satisfies Placed[]
).map(([name, write]) => {
  const account = details();
  const bank = write({ ...account, dash: dashed(account.bsb) });
  return { name, sheet: invoice(bank), account, totalCents: 183_700 };
});

const yours = details();
const OF_CUSTOMER: Honest = {
  name: "the customer's own, by its label",
  sheet: invoice([
    ...block(50, 450, ["Your BSB", "Your account number"]),
    ...block(200, 450, [dashed(yours.bsb), yours.accountNumber]),
  ]),
  account: yours,
  whose: "customer",
  totalCents: 183_700,
};

export const HONEST: readonly Honest[] = [...withAccount, ...withNumbersBeside, ...inColumns, OF_CUSTOMER, ...WITHOUT];

/** Only our own writer writes pages upright that viewers turn. */
export const TURNED: Honest = (() => {
  const given = details();
  const { pages } = invoice(block(50, 450, [`BSB ${dashed(given.bsb)}`, `Account ${given.accountNumber}`]));
  return {
    name: "a page that is shown turned",
    sheet: { pages, rotate: 90 as const },
    account: given,
    totalCents: 183_700,
  };
})();
