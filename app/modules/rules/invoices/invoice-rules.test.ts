import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { RULES } from "~/modules/rules";
import { currentInvoiceRules, INVOICE_RULES, replayInvoice, runInvoiceRules, silentRules } from ".";
import { type AccountOfInvoice, type InvoiceFacts, invoiceFacts, type PayeeOfInvoice } from "./facts";
import { judgeInvoice } from "./verdict";

const NOW = Date.UTC(2026, 10, 20, 3, 0);

const CORAL: PayeeOfInvoice = {
  id: "coral",
  name: "Coral Sea Refrigeration",
  accountName: "Coral Sea Refrigeration Pty Ltd",
  bsb: "062204",
  accountNumber: "10458905",
  abn: "51824753556",
  email: "accounts@coralsearefrigeration.com.au",
  isArchived: false,
  standing: { state: "verified", how: "confirmed by the bank", at: NOW - 600 * DAY_MS },
};
const HARBOUR: PayeeOfInvoice = {
  ...CORAL,
  id: "harbour",
  name: "Harbour Joinery",
  accountName: "Harbour Joinery Pty Ltd",
  bsb: "083001",
  accountNumber: "70123456",
  abn: "83914571673",
  email: "accounts@harbourjoinery.com.au",
};

const WHITELISTED: PayeeOfInvoice = { ...CORAL, standing: { state: "whitelisted", at: NOW - 30 * DAY_MS } };

const account = (given: Partial<AccountOfInvoice> = {}): AccountOfInvoice => ({
  bsb: CORAL.bsb,
  accountNumber: CORAL.accountNumber,
  accountName: null,
  page: 1,
  certain: true,
  whose: "payee",
  holder: null,
  ...given,
});
const holder = (payee: PayeeOfInvoice, state: "has" | "had" | "archived" = "has") => ({
  payeeId: payee.id,
  name: payee.name,
  state,
  until: state === "has" ? null : NOW - 90 * DAY_MS,
});
const coralsAccount = (given: Partial<AccountOfInvoice> = {}) => account({ holder: holder(CORAL), ...given });
const harboursAccount = (state: "has" | "had" | "archived" = "has") =>
  account({ bsb: HARBOUR.bsb, accountNumber: HARBOUR.accountNumber, holder: holder(HARBOUR, state) });
const HIDDEN: InvoiceFacts["noticed"] = [{ code: "hidden_text", message: "Hidden.", page: 1, weight: "grave" }];
const REFUSED: InvoiceFacts["noticed"] = [
  { code: "refused_account_words", message: "No.", page: 1, weight: "refused" },
];
const IBAN: InvoiceFacts["noticed"] = [{ code: "iban_or_swift", message: "An IBAN.", page: 1, weight: "kind" }];
const STRANGE = account({ bsb: "083170", accountNumber: "55120412" });

/** An invoice from Coral Sea Refrigeration with its verified account, on which no rule finds anything. */
const facts = (given: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  now: NOW,
  timeZone: "Australia/Sydney",
  unreadable: null,
  accounts: [coralsAccount()],
  isIncomplete: false,
  hasUnreadAccount: false,
  bpayCount: 0,
  payIdCount: 0,
  supplierName: "Coral Sea Refrigeration Pty Ltd",
  abn: CORAL.abn,
  invoiceNumber: "CSR-4471",
  totalCents: 1_859_000,
  chargesGst: true,
  sender: null,
  announcements: [],
  noticed: [],
  software: null,
  byAccount: [CORAL],
  byAbn: [CORAL],
  byEmail: [],
  byName: [CORAL],
  register: { state: "active", names: ["CORAL SEA REFRIGERATION PTY LTD"], hasGst: true },
  sameNumber: null,
  sameAmount: null,
  formerTotals: [],
  formerSoftware: [],
  ...given,
});

const nobody = { byAccount: [], byAbn: [], byEmail: [], byName: [], abn: null, register: null };

const HIDDEN_CORAL = coralsAccount({ certain: false });
const HIDDEN_HARBOUR = { ...harboursAccount(), certain: false };
const HIDDEN_BOTH = { ...nobody, accounts: [{ ...STRANGE, certain: false }, HIDDEN_HARBOUR] };
const OTHER_AND_UNREAD = { accounts: [STRANGE], byAccount: [], hasUnreadAccount: true };

const verdicts: [string, Partial<InvoiceFacts>, string, string | null][] = [
  ["the verified account", {}, "same_account", "account"],
  [
    "the verified account and nothing else that names the payee",
    { ...nobody, byAccount: [CORAL], supplierName: null },
    "same_account",
    "account",
  ],
  ["another account, found by ABN", { accounts: [STRANGE], byAccount: [] }, "other_account", "abn"],
  [
    "another account, found by the sender",
    { ...nobody, accounts: [STRANGE], byEmail: [CORAL], byName: [HARBOUR] },
    "other_account",
    "email",
  ],
  ["another account, found by name", { ...nobody, accounts: [STRANGE], byName: [CORAL] }, "other_account", "name"],
  ["another account, of nobody we know", { ...nobody, accounts: [STRANGE] }, "unknown_payee", null],
  [
    "the account of another payee than the ABN says",
    { accounts: [harboursAccount()], byAccount: [HARBOUR] },
    "another_payees_account",
    "abn",
  ],
  [
    "the account of a payee without an ABN, on an invoice that the ABN says is another's",
    { accounts: [harboursAccount()], byAccount: [{ ...HARBOUR, abn: null }] },
    "another_payees_account",
    "abn",
  ],
  [
    "the account of another payee than the name says",
    { ...nobody, accounts: [harboursAccount()], byAccount: [HARBOUR], byName: [CORAL] },
    "another_payees_account",
    "name",
  ],
  [
    "the account of a payee whose ABN is not the invoice's, which is nobody's",
    { accounts: [harboursAccount()], byAccount: [HARBOUR], byAbn: [], byName: [] },
    "another_payees_account",
    null,
  ],
  [
    "the account that another payee had",
    { accounts: [harboursAccount("had")], byAccount: [] },
    "another_payees_account",
    "abn",
  ],
  [
    "the account of an archived payee, which is named too",
    {
      ...nobody,
      accounts: [harboursAccount("archived")],
      byAccount: [{ ...HARBOUR, isArchived: true }],
      byName: [{ ...HARBOUR, isArchived: true }],
    },
    "another_payees_account",
    null,
  ],
  [
    "the payee's own former account",
    { accounts: [{ ...STRANGE, holder: holder(CORAL, "had") }], byAccount: [] },
    "other_account",
    "abn",
  ],
  ["a trading name with the right ABN", { supplierName: "CSR Cool Rooms", byName: [] }, "same_account", "account"],
  [
    "a trading name without an ABN",
    { ...nobody, byAccount: [CORAL], supplierName: "CSR Cool Rooms" },
    "same_account",
    "account",
  ],
  ["two accounts", { accounts: [coralsAccount(), STRANGE] }, "several_accounts", "account"],
  [
    "the same account twice",
    { accounts: [coralsAccount(), coralsAccount({ accountNumber: "010458905" })] },
    "same_account",
    "account",
  ],
  [
    "the customer's own account beside the payee's",
    { accounts: [{ ...STRANGE, whose: "customer" }, coralsAccount()] },
    "same_account",
    "account",
  ],
  [
    "the customer's own account alone",
    { ...nobody, accounts: [{ ...STRANGE, whose: "customer" }] },
    "no_account",
    null,
  ],
  ["no account", { accounts: [], byAccount: [] }, "no_account", "abn"],
  ["no account, and hidden bank digits", { accounts: [], byAccount: [], noticed: HIDDEN }, "unreadable", "abn"],
  [
    "words against an account that was not found",
    { accounts: [], byAccount: [], noticed: REFUSED },
    "unreadable",
    "abn",
  ],
  [
    "an account to be debited that is not certain",
    { accounts: [account({ whose: "customer", certain: false })], byAccount: [] },
    "unreadable",
    "abn",
  ],
  ["an IBAN of nobody we know, and no BSB", { ...nobody, accounts: [], noticed: IBAN }, "unreadable", null],
  ["an IBAN of a known payee, and no BSB", { accounts: [], byAccount: [], noticed: IBAN }, "other_account", "abn"],
  ["an IBAN beside BPAY", { accounts: [], byAccount: [], bpayCount: 1, noticed: IBAN }, "unreadable", "abn"],
  [
    "an IBAN, and part of it was not read",
    { accounts: [], byAccount: [], isIncomplete: true, noticed: IBAN },
    "unreadable",
    "abn",
  ],
  ["an IBAN beside the verified account", { noticed: IBAN }, "same_account", "account"],
  ["no account, and part of it was not read", { accounts: [], byAccount: [], isIncomplete: true }, "unreadable", "abn"],
  [
    "no account, and something beside “BSB” that was not read",
    { accounts: [], byAccount: [], hasUnreadAccount: true },
    "unreadable",
    "abn",
  ],
  [
    "the verified account, and something beside “BSB” that was not read",
    { hasUnreadAccount: true },
    "unreadable",
    "account",
  ],
  ["the verified account, hidden", { accounts: [coralsAccount({ certain: false })] }, "unreadable", "abn"],
  ["another account, hidden", { accounts: [{ ...STRANGE, certain: false }], byAccount: [] }, "other_account", "abn"],
  [
    "an account of nobody we know, hidden",
    { ...nobody, accounts: [{ ...STRANGE, certain: false }] },
    "unreadable",
    null,
  ],
  ["a picture", { ...nobody, accounts: [], unreadable: "it is a picture" }, "unreadable", null],
  ["another account, and something beside “BSB” that was not read", OTHER_AND_UNREAD, "other_account", "abn"],
  ["the account of another payee, hidden", { ...nobody, accounts: [HIDDEN_HARBOUR] }, "another_payees_account", null],
  ["a strange account and that of another payee, both hidden", HIDDEN_BOTH, "another_payees_account", null],
  [
    "the verified account, hidden, and seen again",
    { accounts: [HIDDEN_CORAL, coralsAccount()] },
    "same_account",
    "account",
  ],
  ["the verified account, and a hidden copy", { accounts: [coralsAccount(), HIDDEN_CORAL] }, "same_account", "account"],
  [
    "the account of a payee without an ABN, where the ABN leads to another and no name to anybody",
    { accounts: [harboursAccount()], byAccount: [{ ...HARBOUR, abn: null }], byName: [] },
    "another_payees_account",
    "abn",
  ],
  [
    "the account of a payee of the supplier's name, where a search by name found only another",
    { ...nobody, byAccount: [{ ...CORAL, accountName: "J R Pellew" }], byName: [HARBOUR] },
    "same_account",
    "account",
  ],
  [
    "the account of a payee of another name, which the search by name found too",
    { ...nobody, byAccount: [CORAL], byName: [HARBOUR, CORAL], supplierName: "CSR Cool Rooms" },
    "same_account",
    "account",
  ],
];

test.each(verdicts)("%s", (_, given, verdict, by) => {
  const judged = judgeInvoice(facts(given));
  expect([judged.verdict, judged.identified?.by ?? null]).toEqual([verdict, by]);
});

test("of several payees of one business the invoice is of the one whose account stands on it", () => {
  const branch = { ...CORAL, id: "branch", accountNumber: "10458913" };
  const strange = { ...STRANGE, certain: false };
  const given = { byAccount: [], byAbn: [branch, CORAL] };
  const ofWhom = (accounts: AccountOfInvoice[]) => judgeInvoice(facts({ ...given, accounts })).identified?.payee.id;
  expect(ofWhom([strange, HIDDEN_CORAL])).toBe("coral");
  expect(ofWhom([strange])).toBe("branch");
});

const sender = (given: Partial<NonNullable<InvoiceFacts["sender"]>> = {}) => ({
  address: "accounts@coralsearefrigeration.com.au",
  replyTo: null,
  isNew: false,
  lookalikeOf: null,
  ...given,
});

const EARLIER = { id: "i0", receivedAt: NOW - DAY_MS, totalCents: 1_859_000 };
/** Only the sender points to the payee; the ABN belongs to another business. */
const BY_SENDER = { ...nobody, accounts: [], abn: HARBOUR.abn, byEmail: [CORAL] };
const WITHOUT_ABN: Partial<InvoiceFacts> = { byAccount: [{ ...CORAL, abn: null }], byAbn: [] };

const AT_GMAIL = { ...CORAL, email: "Coral.Sea@gmail.com" };

const found: [string, Partial<InvoiceFacts>, Record<string, string>][] = [
  ["an honest invoice", {}, {}],
  ["an honest email", { sender: sender() }, {}],
  ["a look-alike sender", { sender: sender({ lookalikeOf: "coralsea.com.au" }) }, { sender_lookalike: "stop" }],
  [
    "a sender whose domain does not stand by it",
    { sender: sender({ authentication: "fail" }) },
    { authentication_failed: "warn" },
  ],
  ["a sender that could not be checked", { sender: sender({ authentication: "unknown" }) }, {}],
  ["a sender whose domain stands by it", { sender: sender({ authentication: "pass" }) }, {}],
  [
    "a sender whose name is another address",
    { sender: sender({ shownAs: "accounts@coralsea.com.au" }) },
    { sender_shown_as_another: "warn" },
  ],
  ["a new sender", { sender: sender({ isNew: true }) }, { sender_new: "note" }],
  [
    "a sender whose domain was registered last week",
    {
      sender: sender({
        against: { domain: "coral.example", registration: { since: NOW - 7 * DAY_MS, lookedUpAt: NOW } },
      }),
    },
    { sender_domain_new: "warn" },
  ],
  [
    "a sender whose domain is not registered",
    { sender: sender({ against: { domain: "coral.example", registration: { since: null, lookedUpAt: NOW } } }) },
    { sender_domain_new: "warn" },
  ],
  [
    "a sender whose domain was registered ninety days ago",
    {
      sender: sender({
        against: { domain: "coral.example", registration: { since: NOW - 90 * DAY_MS, lookedUpAt: NOW } },
      }),
    },
    {},
  ],
  [
    "a sender whose domain has no DMARC policy",
    { sender: sender({ against: { domain: "coral.example", noDmarc: { lookedUpAt: NOW } } }) },
    { sender_domain_without_dmarc: "note" },
  ],
  [
    "an account that a person whitelisted",
    { byAccount: [WHITELISTED], byAbn: [WHITELISTED], byName: [WHITELISTED] },
    { payee_whitelisted_only: "note" },
  ],
  [
    "an answer that goes elsewhere",
    { sender: sender({ replyTo: "me@elsewhere.example" }) },
    { reply_to_elsewhere: "warn" },
  ],
  [
    "an answer that goes to the payee, for whom a service sends",
    { sender: sender({ address: "invoices@service.example", replyTo: "billing@coralsearefrigeration.com.au" }) },
    {},
  ],
  [
    "an answer that goes elsewhere, from a service that sends for others",
    { sender: sender({ address: "invoices@service.example", replyTo: "billing@coral-sea.example" }) },
    { reply_to_elsewhere: "warn" },
  ],
  [
    "an answer that goes to the payee's address at a free provider",
    { byAccount: [AT_GMAIL], sender: sender({ replyTo: "coral.sea@gmail.com" }) },
    {},
  ],
  [
    "an answer that goes to another address at the payee's free provider",
    { byAccount: [AT_GMAIL], sender: sender({ replyTo: "coral.sea1@gmail.com" }) },
    { reply_to_elsewhere: "warn" },
  ],
  [
    "an answer to the payee's address, on an invoice of nobody who is known",
    { ...nobody, accounts: [STRANGE], sender: sender({ replyTo: "a@b.example" }) },
    { unknown_payee: "warn", reply_to_elsewhere: "warn" },
  ],
  [
    "an answer that goes where a person accepted it before",
    { sender: sender({ replyTo: "me@elsewhere.example", isReplyToKnown: true }) },
    {},
  ],
  ["an answer that goes to another desk", { sender: sender({ replyTo: "billing@coralsearefrigeration.com.au" }) }, {}],
  [
    "words of new details",
    { announcements: [{ text: "Our bank has changed", page: 1 }] },
    { announces_details: "warn" },
  ],
  ["hidden digits", { noticed: HIDDEN }, { document_altered: "stop" }],
  [
    "words against the account on it",
    { noticed: [{ code: "refused_account_words", message: "Not this one.", page: 1, weight: "refused" }] },
    { account_refused: "stop" },
  ],
  [
    "another way to pay",
    { noticed: [{ code: "biller_unknown", message: "A biller.", page: 1, weight: "way" }] },
    { new_way_to_pay: "warn" },
  ],
  [
    "a script",
    { noticed: [{ code: "script_action", message: "A script.", page: null, weight: "odd" }] },
    { document_odd: "warn" },
  ],
  [
    "a statement",
    { noticed: [{ code: "statement", message: "It is one.", page: null, weight: "kind" }] },
    { document_kind: "note" },
  ],
  [
    "the ABN of another payee beside the payee's account",
    { abn: HARBOUR.abn, byAbn: [HARBOUR], byName: [CORAL] },
    { another_payees_account: "stop", supplier_name_differs: "warn" },
  ],
  [
    "an ABN that the register has under another name",
    {
      byAccount: [{ ...CORAL, abn: null }],
      byAbn: [],
      register: { state: "active", names: ["WATTLE CREEK ELECTRICAL PTY LTD"], hasGst: true },
    },
    { abn_of_another: "stop" },
  ],
  ["a cancelled ABN", { register: { state: "cancelled", names: [], hasGst: false } }, { abn_not_active: "warn" }],
  ["an unknown ABN", { register: { state: "not_found", names: [], hasGst: false } }, { abn_not_active: "warn" }],
  [
    "GST without a registration",
    { register: { state: "active", names: [CORAL.name], hasGst: false } },
    { gst_not_registered: "warn" },
  ],
  [
    "no GST without a registration",
    { chargesGst: false, register: { state: "active", names: [CORAL.name], hasGst: false } },
    {},
  ],
  ["a register that has not answered", { register: null }, {}],
  [
    "the number again",
    { sameNumber: { id: "i0", receivedAt: NOW - DAY_MS, totalCents: 1_859_000 } },
    { seen_before: "warn" },
  ],
  [
    "the number again, on an invoice of another payee or of nobody who was known",
    { sameNumber: { ...EARLIER, isElsewhere: true } },
    { seen_before: "warn" },
  ],
  [
    "a new sender of nobody we know",
    { ...nobody, accounts: [], unreadable: "it is a picture", sender: sender({ isNew: true }) },
    { could_not_be_read: "warn", sender_new: "note" },
  ],
  [
    "the amount again",
    { sameAmount: { id: "i0", receivedAt: NOW - DAY_MS, totalCents: 1_859_000 } },
    { seen_before: "warn" },
  ],
  ["a total far above the usual", { formerTotals: [100_000, 120_000, 90_000] }, { unusual_total: "warn" }],
  ["a total a little above the usual", { formerTotals: [700_000, 120_000, 90_000] }, {}],
  ["two invoices show nothing usual", { formerTotals: [100, 120] }, {}],
  ["other software", { software: "iLovePDF", formerSoftware: ["Xero", "Xero", "Xero"] }, { other_software: "note" }],
  ["the usual software", { software: "Xero", formerSoftware: ["Word", "Xero", "Word"] }, {}],
  [
    "an account that nobody verified",
    { byAccount: [{ ...CORAL, standing: { state: "none" } }] },
    { payee_not_verified: "warn" },
  ],
  [
    "the verified account and another one",
    { accounts: [coralsAccount(), STRANGE] },
    { other_account: "stop", several_accounts: "warn" },
  ],
  ["BPAY alone", { accounts: [], byAccount: [], bpayCount: 1 }, { no_account: "note" }],
  [
    "the verified account, hidden",
    { accounts: [coralsAccount({ certain: false })] },
    { could_not_be_read: "warn", doubtful_account: "warn" },
  ],
  ["a picture", { ...nobody, accounts: [], unreadable: "it is a picture" }, { could_not_be_read: "warn" }],
  [
    "a picture of a known payee's invoice",
    { accounts: [], unreadable: "it is a picture" },
    { could_not_be_read: "warn" },
  ],
  ["part of it not read", { accounts: [], byAccount: [], isIncomplete: true }, { could_not_be_read: "warn" }],
  [
    "two hidden accounts of nobody we know",
    {
      ...nobody,
      accounts: [
        { ...STRANGE, certain: false, page: null },
        { ...STRANGE, bsb: "062000", certain: false },
      ],
    },
    { several_accounts: "warn", could_not_be_read: "warn", doubtful_account: "warn", unknown_payee: "warn" },
  ],
  ["the verified account beside one that could not be read", { hasUnreadAccount: true }, { unread_account: "stop" }],
  [
    "an account that could not be read alone",
    { accounts: [], byAccount: [], hasUnreadAccount: true },
    { unread_account: "stop" },
  ],
  [
    "an IBAN of nobody we know, and no BSB",
    { ...nobody, accounts: [], noticed: IBAN },
    { foreign_account: "warn", unknown_payee: "warn" },
  ],
  [
    "an IBAN in place of a known payee's account",
    { accounts: [], byAccount: [], noticed: IBAN },
    { other_account: "stop" },
  ],
  ["an IBAN beside BPAY", { accounts: [], byAccount: [], bpayCount: 1, noticed: IBAN }, { foreign_account: "warn" }],
  [
    "an IBAN, and part of it was not read",
    { accounts: [], byAccount: [], isIncomplete: true, noticed: IBAN },
    { could_not_be_read: "warn", document_kind: "note" },
  ],
  ["an IBAN beside the verified account", { noticed: IBAN }, { document_kind: "note" }],
  ["PayID alone", { accounts: [], byAccount: [], payIdCount: 1 }, { no_account: "note" }],
  ["BPAY and PayID", { accounts: [], byAccount: [], bpayCount: 2, payIdCount: 1 }, { no_account: "note" }],
  [
    "an account to be debited",
    { accounts: [account({ ...STRANGE, whose: "customer" })], byAccount: [] },
    { no_account: "note" },
  ],
  [
    "an account to be debited, and BPAY",
    { accounts: [account({ ...STRANGE, whose: "customer" })], byAccount: [], bpayCount: 1 },
    { no_account: "note" },
  ],
  [
    "no account, where each invoice before named one",
    { accounts: [], byAccount: [], formerlyNamed: 4 },
    { new_way_to_pay: "warn", no_account: "note" },
  ],
  [
    "BPAY in place of the account that each invoice before named",
    { accounts: [], byAccount: [], formerlyNamed: 3, bpayCount: 1 },
    { new_way_to_pay: "warn", no_account: "note" },
  ],
  [
    "an account to be debited, where each invoice before named one",
    { accounts: [account({ ...STRANGE, whose: "customer" })], byAccount: [], formerlyNamed: 4 },
    { no_account: "note" },
  ],
  ["the verified account, which each invoice before named", { formerlyNamed: 4 }, {}],
  ["no account, after two invoices", { accounts: [], byAccount: [], formerlyNamed: 2 }, { no_account: "note" }],
  ["no way to pay", { accounts: [], byAccount: [] }, { no_account: "note" }],
  ["nothing but hidden bank digits", { accounts: [], byAccount: [], noticed: HIDDEN }, { document_altered: "stop" }],
  [
    "hidden bank digits, and a part that was not read",
    { accounts: [], byAccount: [], noticed: HIDDEN, isIncomplete: true },
    { document_altered: "stop", could_not_be_read: "warn" },
  ],
  ["a stranger's invoice", { ...nobody, accounts: [STRANGE], supplierName: "Quill & Co" }, { unknown_payee: "warn" }],
  [
    "an invoice without a name of the supplier",
    { ...nobody, accounts: [STRANGE], supplierName: null },
    { unknown_payee: "warn" },
  ],
  ["another account on no page", { accounts: [{ ...STRANGE, page: null }], byAccount: [] }, { other_account: "stop" }],
  [
    "the payee's own former account",
    { accounts: [{ ...STRANGE, holder: holder(CORAL, "had") }], byAccount: [] },
    { other_account: "stop" },
  ],
  [
    "the payee's own account as an archived payee has it",
    { accounts: [{ ...STRANGE, holder: holder(CORAL, "archived") }], byAccount: [] },
    { other_account: "stop" },
  ],
  ...(["has", "had", "archived"] as const).map((state): [string, Partial<InvoiceFacts>, Record<string, string>] => [
    `an account of another payee: ${state}`,
    { accounts: [harboursAccount(state)], byAccount: [] },
    { another_payees_account: "stop" },
  ]),
  [
    "the former account of a payee, on an invoice of nobody we know",
    { ...nobody, accounts: [harboursAccount("had")] },
    { another_payees_account: "stop" },
  ],
  ["no ABN", { abn: null, byAbn: [], register: null, byName: [CORAL] }, {}],
  [
    "an ABN that is not the payee's, whom the sender leads to",
    { ...BY_SENDER, register: { state: "active", names: ["HARBOUR JOINERY"], hasGst: true } },
    { abn_of_another: "stop", no_account: "note" },
  ],
  [
    "an ABN of nobody that is not the payee's",
    { ...BY_SENDER, register: null },
    { abn_of_another: "stop", no_account: "note" },
  ],
  [
    "the ABN of an archived payee that is not the payee's",
    { ...BY_SENDER, byAbn: [{ ...HARBOUR, isArchived: true }] },
    { abn_of_another: "stop", no_account: "note" },
  ],
  ["a payee without an ABN, whose name the register has", WITHOUT_ABN, {}],
  [
    "a payee without an ABN, whose account name the register has",
    { ...WITHOUT_ABN, byAccount: [{ ...CORAL, abn: null, name: "Cool Rooms" }] },
    {},
  ],
  [
    "a payee without an ABN, where the register has the invoice's trading name",
    {
      ...WITHOUT_ABN,
      supplierName: "Pellew Holdings",
      register: { state: "active", names: ["QUILL PTY LTD", "PELLEW HOLDINGS"], hasGst: true },
    },
    { supplier_name_differs: "warn" },
  ],
  [
    "a payee without an ABN, of which the register has no names",
    { ...WITHOUT_ABN, register: { state: "active", names: [], hasGst: true } },
    {},
  ],
  ["a payee without an ABN, before the register answers", { ...WITHOUT_ABN, register: null }, {}],
  [
    "a payee without an ABN, and an invoice without a supplier's name",
    { ...WITHOUT_ABN, supplierName: null, register: { state: "active", names: ["QUILL PTY LTD"], hasGst: true } },
    { abn_of_another: "stop" },
  ],
  [
    "a payee without an ABN, and one that was cancelled",
    { ...WITHOUT_ABN, register: { state: "cancelled", names: ["QUILL PTY LTD"], hasGst: false } },
    { abn_not_active: "warn" },
  ],
  [
    "a trading name of the payee's ABN, which the register has under the payee's name too",
    {
      supplierName: "CSR Cool Rooms",
      byName: [],
      register: { state: "active", names: ["COOL ROOMS", CORAL.name], hasGst: true },
    },
    {},
  ],
  [
    "another name, before the register answers",
    { supplierName: "CSR Cool Rooms", byName: [], register: null },
    { supplier_name_differs: "warn" },
  ],
  [
    "another name, of which the register knows only others",
    { supplierName: "CSR Cool Rooms", byName: [], register: { state: "active", names: ["QUILL"], hasGst: true } },
    { supplier_name_differs: "warn" },
  ],
  [
    "a trading name, where the register has the payee's name and the payee has no ABN here",
    { ...WITHOUT_ABN, supplierName: "CSR Cool Rooms" },
    { supplier_name_differs: "warn" },
  ],
  ["no name of a supplier", { supplierName: null, byName: [] }, {}],
  [
    "words of new details on no page",
    { announcements: [{ text: "New BSB", page: null }] },
    { announces_details: "warn" },
  ],
  [
    "hidden digits in two places, and a cover",
    {
      noticed: [
        { code: "hidden_text", message: "Hidden.", page: null, weight: "grave" },
        { code: "hidden_text", message: "Hidden.", page: 2, weight: "grave" },
        { code: "covered_text", message: "Covered.", page: 2, weight: "grave" },
      ],
    },
    { document_altered: "stop" },
  ],
  [
    "other digits in three places, and an account that could not be read",
    {
      hasUnreadAccount: true,
      noticed: [
        { code: "glyphs_differ", message: "Others: ••••••851.", page: 1, weight: "grave" },
        { code: "glyphs_differ", message: "Others: •••596.", page: 1, weight: "grave" },
        { code: "glyphs_differ", message: "Others: ••••••851.", page: 2, weight: "grave" },
        { code: "account_could_not_be_read", message: "Unread.", page: 1, weight: "odd" },
      ],
    },
    { document_altered: "stop", unread_account: "stop" },
  ],
  [
    "an account to be debited, of which a warning tells",
    {
      ...{ accounts: [account({ ...STRANGE, whose: "customer" })], byAccount: [] },
      noticed: [
        { code: "only_debited", message: "The only account on it is one to be debited.", page: 1, weight: "odd" },
      ],
    },
    { document_odd: "warn", no_account: "note" },
  ],
  [
    "the number again, without a total, of nobody we know",
    { ...nobody, accounts: [STRANGE], sameNumber: { id: "i0", receivedAt: NOW - DAY_MS, totalCents: null } },
    { unknown_payee: "warn", seen_before: "warn" },
  ],
  ["the amount again, where this one names none", { totalCents: null, sameAmount: EARLIER }, {}],
  [
    "the amount again, of nobody we know",
    { ...nobody, accounts: [STRANGE], sameAmount: EARLIER },
    { unknown_payee: "warn", seen_before: "warn" },
  ],
  ["three times the largest total", { totalCents: 300_000, formerTotals: [1, 2, 100_000] }, {}],
  [
    "a cent above three times the largest",
    { totalCents: 300_001, formerTotals: [1, 2, 100_000] },
    { unusual_total: "warn" },
  ],
  ["no total to compare with former ones", { totalCents: null, formerTotals: [1, 2, 3] }, {}],
  ["no sign of the software", { software: null, formerSoftware: ["Xero", "Xero", "Xero"] }, {}],
  ["other software than of two invoices", { software: "iLovePDF", formerSoftware: ["Xero", "Xero"] }, {}],
  [
    "other software than several",
    { software: "iLovePDF", formerSoftware: ["Xero", "Word", "Xero"] },
    { other_software: "note" },
  ],
  [
    "another account at a payee that nobody verified",
    { accounts: [STRANGE], byAccount: [], byAbn: [{ ...CORAL, standing: { state: "none" } }] },
    { other_account: "stop" },
  ],
];

test.each(found)("what is found: %s", (_, given, expected) => {
  const findings = runInvoiceRules(facts(given), {});
  expect(findings.map(({ code, level }) => [code, level])).toEqual(Object.entries(expected));
  const said = findings.map(({ code: _, level: __, ...rest }) => JSON.stringify(rest));
  if (said.length > 0) expect(said).toMatchSnapshot();
  expect(invoiceFacts.parse(JSON.parse(JSON.stringify(facts(given))))).toEqual(facts(given));
});

test("findings are read by their level, the gravest first, and every rule that found nothing is named", () => {
  const given = facts({ accounts: [STRANGE], byAccount: [], sender: sender({ isNew: true, replyTo: "me@x.example" }) });
  const findings = runInvoiceRules(given, { reply_to_elsewhere: "hold", other_account: "off" });
  expect(findings.map(({ code, level }) => `${level} ${code}`)).toEqual([
    "stop reply_to_elsewhere",
    "note other_account",
    "note sender_new",
  ]);
  const found = findings.map(({ code }) => code);
  const silent = INVOICE_RULES.flatMap(({ id, label }) => (found.includes(id) ? [] : [label]));
  expect(silentRules(findings)).toEqual(silent);
  expect(silentRules([])).toHaveLength(INVOICE_RULES.length);
});

test("the sentence of another account says what is verified, since when, and shows no number in full", () => {
  const [first] = runInvoiceRules(facts({ accounts: [STRANGE], byAccount: [] }), {});
  expect(first?.message).toBe(
    "The invoice asks for 083-170 •••••412. Coral Sea Refrigeration has 062-204 •••••905, verified on 30 Mar 2025 (confirmed by the bank).",
  );
});

test("the organisation chooses each level, and nothing that was found is ever left out", () => {
  const given = facts({ accounts: [STRANGE], byAccount: [] });
  const [quiet] = runInvoiceRules(given, { other_account: "off" });
  expect(quiet).toMatchObject({ code: "other_account", level: "note" });
});

test("no rule of an invoice has the id of a rule of payments: one policy holds the levels of both", () => {
  const ids = [...RULES, ...INVOICE_RULES].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an account that is not certain is never the reason for the green verdict", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(coralsAccount(), STRANGE, harboursAccount()), { maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
      (accounts, isIncomplete, hasUnreadAccount) => {
        const doubtful = accounts.map((each) => ({ ...each, certain: false }));
        const { verdict } = judgeInvoice(facts({ accounts: doubtful, isIncomplete, hasUnreadAccount }));
        expect(verdict).not.toBe("same_account");
      },
    ),
  );
});

test("another number than the payee's never gives the green verdict", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9]\d{5,8}$/), (accountNumber) => {
      fc.pre(accountNumber.padStart(9, "0") !== CORAL.accountNumber.padStart(9, "0"));
      const { verdict } = judgeInvoice(facts({ accounts: [account({ accountNumber })], byAccount: [] }));
      expect(verdict).toBe("other_account");
    }),
  );
});

test("a stored decision is the same when it is run again, and a rule with a new version is not compared", () => {
  const given = facts({ accounts: [STRANGE], byAccount: [], sender: sender({ lookalikeOf: "coralsea.com.au" }) });
  const rules = currentInvoiceRules({ sender_lookalike: "warn" });
  const findings = runInvoiceRules(given, rules.levels);
  const label = INVOICE_RULES.find(({ id }) => id === "sender_lookalike")?.label;
  expect(replayInvoice(JSON.parse(JSON.stringify(given)), rules, findings)).toEqual({ different: [], changed: [] });
  expect(replayInvoice({ ...given, sender: null }, rules, findings)).toEqual({ different: [label], changed: [] });
  const older = { ...rules, versions: { ...rules.versions, sender_lookalike: 0 } };
  expect(replayInvoice({ ...given, sender: null }, older, findings)).toEqual({ different: [], changed: [label] });
  expect(rules.levels).toEqual({ sender_lookalike: "warn" });
  const unknown = { levels: {}, versions: { other_account: 2 } };
  expect(replayInvoice(given, unknown, findings)).toEqual({ different: [], changed: [] });
});

test("an email that is only a picture is said to be one", () => {
  const noticed = [{ code: "only_pictures", message: "Pictures.", page: 1, weight: "kind" as const }];
  const found = runInvoiceRules(facts({ ...nobody, accounts: [], isIncomplete: true, noticed }), {});
  expect(found.find(({ code }) => code === "could_not_be_read")?.message).toBe(
    "It could not be read: the email is a picture. Look at it yourself.",
  );
});
