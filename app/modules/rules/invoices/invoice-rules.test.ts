import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { RULES } from "~/modules/rules";
import { currentInvoiceRules, INVOICE_RULES, replayInvoice, runInvoiceRules } from ".";
import type { AccountOfInvoice, InvoiceFacts, PayeeOfInvoice } from "./facts";
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
const STRANGE = account({ bsb: "083170", accountNumber: "55120412" });

/** An invoice of Coral Sea Refrigeration with its verified account, of which no rule has anything to say. */
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
];

test.each(verdicts)("%s", (_, given, verdict, by) => {
  const judged = judgeInvoice(facts(given));
  expect([judged.verdict, judged.identified?.by ?? null]).toEqual([verdict, by]);
});

const sender = (given: Partial<NonNullable<InvoiceFacts["sender"]>> = {}) => ({
  address: "accounts@coralsearefrigeration.com.au",
  replyTo: null,
  isNew: false,
  lookalikeOf: null,
  ...given,
});

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
  ["an answer that goes to another desk", { sender: sender({ replyTo: "billing@coralsearefrigeration.com.au" }) }, {}],
  [
    "words of new details",
    { announcements: [{ text: "Our bank has changed", page: 1 }] },
    { announces_details: "warn" },
  ],
  [
    "hidden digits",
    { noticed: [{ code: "hidden_text", message: "Hidden.", page: 1, weight: "grave" }] },
    { document_altered: "stop" },
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
];

test.each(found)("what is found: %s", (_, given, expected) => {
  const findings = runInvoiceRules(facts(given), {});
  expect(Object.fromEntries(findings.map(({ code, level }) => [code, level]))).toEqual(expected);
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
});
