import { expect, test } from "vitest";
import {
  areVerified,
  attentionOf,
  headlineOf,
  shownStanding,
  sniffDocument,
  sumUpTaken,
  type TakenFile,
} from "./invoice";
import { documentFacts, nameWithNumber, toStored } from "./reading";
import { onlyDebitedFindings } from "./ways-to-pay";

const same = { status: "read", verdict: "same_account", isStopped: false, decision: null } as const;

test.each(["warn", "note"])("an account that nobody verified is not green where its rule is a %s", (level) => {
  const findings = [{ code: "payee_not_verified", level }];
  expect(shownStanding({ ...same, findings }).tone).toBe("pending");
});

test("the verified account of which nothing else is found is green", () => {
  expect(shownStanding({ ...same, findings: [] }).tone).toBe("verified");
  expect(shownStanding({ ...same, findings: [{ code: "document_kind", level: "note" }] }).tone).toBe("verified");
});

test("warnings beside the verified account are said in the headline too", () => {
  const standing = { ...same, findings: [{ code: "reply_to_elsewhere", level: "warn" }] };
  expect(headlineOf(standing)).toEqual({ title: "Same account as the verified one, with warnings", tone: "pending" });
});

test("an account that a person whitelisted without a verification is not called the verified one", () => {
  const standing = { ...same, findings: [{ code: "payee_whitelisted_only", level: "note" }] };
  expect(shownStanding(standing)).toEqual({ word: "Same account, not verified", tone: "pending" });
  expect(headlineOf(standing).title).toBe("Same account as the payee’s, which was whitelisted without a verification");
});

test("bank details that could not be read beside the verified account are said in the headline, not only below", () => {
  const standing = { ...same, verdict: "unreadable", isStopped: true } as const;
  const title = (code: string) => headlineOf({ ...standing, findings: [{ code, level: "stop" }] }).title;
  expect(title("unread_account")).toBe("Stop: it names bank details that could not be read");
  expect(title("authentication_failed")).toBe("Stop: its bank details could not be read");
});

test("an invoice with only an IBAN is not said to have no bank account", () => {
  const standing = { ...same, verdict: "unreadable", findings: [{ code: "foreign_account", level: "warn" }] } as const;
  expect(headlineOf(standing)).toEqual({
    title: "It names bank details for payments from abroad, which are not compared",
    tone: "pending",
  });
});

test("an unknown account from a domain that looks like a known one says so in the headline", () => {
  const titleOf = (code: string, isStopped: boolean) =>
    headlineOf({ ...same, verdict: "unknown_payee", isStopped, findings: [{ code, level: "hold" }] }).title;
  expect(titleOf("sender_lookalike", true)).toBe(
    "Stop: the sender’s domain looks like one you know, and this account is not verified",
  );
  const usual = "Not one of your payees: this account is not verified";
  expect([titleOf("sender_lookalike", false), titleOf("sender_new", true)]).toEqual([usual, usual]);
});

test.each([
  ["utf-16le", [0xff, 0xfe], 0],
  ["utf-16be", [0xfe, 0xff], 1],
])("an electronic invoice in %s is taken in", (_, mark, at) => {
  const xml = '<?xml version="1.0" encoding="UTF-16"?><Invoice></Invoice>';
  const bytes = [...xml].flatMap((letter) => (at === 0 ? [letter.charCodeAt(0), 0] : [0, letter.charCodeAt(0)]));
  expect(sniffDocument(Uint8Array.from([...mark, ...bytes]))).toBe("application/xml");
});

const place = { page: 1, lines: ["Pay by PayID"], certain: true, doubts: [] };

test.each(["account_could_not_be_read", "number_written_otherwise", "hidden_text"] as const)(
  "however much else was found, %s is kept",
  (code) => {
    const many = Array.from({ length: 99 }, () => ({ code: "picture_could_not_be_read" }) as const);
    const nothing = { accounts: [], bpay: [], payIds: [], abns: [], emails: [], currency: "AUD", pages: 1 };
    const findings = [...many, { code }];
    const stored = toStored({ ...nothing, status: "read", kind: "pdf", findings, isReadableEverywhere: true });
    expect(stored.findings[0]?.code).toBe(code);
    expect(stored.findings).toHaveLength(40);
    expect(documentFacts(stored).hasUnreadAccount).toBe(code !== "hidden_text");
  },
);

test.each([
  ["no other way to pay", {}, {}, true],
  ["BPAY", { bpay: [{ ...place, billerCode: "23796" }] }, {}, false],
  ["an IBAN", { findings: [{ code: "iban_or_swift" } as const] }, {}, false],
  [
    "BPAY, and the number is written like an account",
    { bpay: [{ ...place, billerCode: "23796" }] },
    { digits: "73200199887766" },
    true,
  ],
])("a number without a label beside %s", (_, given, number, isUnread) => {
  const nothing = { accounts: [], bpay: [], payIds: [], abns: [], emails: [], currency: "AUD", pages: 1, findings: [] };
  const read = { ...nothing, ...given, status: "read", kind: "pdf", isReadableEverywhere: true } as const;
  const findings = [...read.findings, { code: "number_without_label" as const, ...number }];
  expect(documentFacts(toStored({ ...read, bpay: [...read.bpay], findings })).hasUnreadAccount).toBe(isUnread);
});

test("a payee who names only an account to debit is said to, and warned of where it asks to be paid there", () => {
  const debited = { ...place, bsb: "062000", accountNumber: "12345678", whose: "customer" } as const;
  const nothing = { bpay: [], payIds: [], currency: "AUD" };
  const weights = (lines: string[]) =>
    onlyDebitedFindings({ ...nothing, accounts: [{ ...debited, lines }] }).map(({ weight }) => weight);
  expect(weights(["We will debit your account"])).toEqual(["kind"]);
  expect(weights(["Direct debit has ended: deposit the amount to"])).toEqual(["odd"]);
  expect(onlyDebitedFindings({ ...nothing, accounts: [{ ...debited, whose: "payee" }] })).toEqual([]);
  const payable = { ...nothing, accounts: [debited], totalCents: 12_000 };
  const weightOf = (read: Partial<typeof payable>, isKnown = false) =>
    onlyDebitedFindings({ ...payable, ...read }, isKnown)[0]?.weight;
  expect(weightOf({})).toBe("odd");
  expect(weightOf({}, true)).toBe("kind");
  expect(weightOf({ totalCents: -12_000 })).toBe("kind");
  expect(onlyDebitedFindings({ ...payable, bpay: [{ ...place, billerCode: "23796" }] })[0]?.weight).toBe("kind");
});

test("an invoice that was uploaded twice at once needs one decision", () => {
  const one = { name: "a.pdf", invoiceId: "1", isNew: true, attention: "decision", text: "Another account" } as const;
  const files = [one, { ...one, isNew: false }, { ...one, invoiceId: "2" }];
  expect(sumUpTaken(files)).toBe("2 uploaded, 1 received before. 2 need a decision before you pay.");
});

test("an upload is called verified only where each of its files is, and says what needs a person", () => {
  const file = (attention: TakenFile["attention"], at: number) => ({
    ...{ name: `${at}.pdf`, invoiceId: attention && `${at}`, isNew: attention !== null, attention, text: "" },
  });
  const said = (...files: TakenFile["attention"][]) => {
    const taken = files.map(file);
    return [areVerified(taken), sumUpTaken(taken)];
  };
  expect(said("verified", "verified")).toEqual([true, "2 uploaded, each with the verified account of its payee"]);
  expect(said("verified", "look", "look")).toEqual([false, "3 uploaded. 2 need a look before you pay."]);
  expect(said("verified", "none")).toEqual([false, "2 uploaded"]);
  expect(said("verified", null)).toEqual([false, "1 uploaded, 1 could not be taken"]);
  expect(said("reading", "decision", "look")).toEqual([
    false,
    "3 uploaded. 1 needs a decision before you pay. 1 needs a look before you pay. 1 was not read yet.",
  ]);
});

test("only the verified account of which nothing else is found needs no person", () => {
  const stranger = { ...same, verdict: "unknown_payee", findings: [] } as const;
  expect(attentionOf({ ...same, findings: [] })).toBe("verified");
  expect(attentionOf({ ...same, findings: [{ code: "payee_whitelisted_only", level: "note" }] })).toBe("look");
  expect(attentionOf(stranger)).toBe("look");
  expect(attentionOf({ ...stranger, isStopped: true })).toBe("decision");
  expect(attentionOf({ ...stranger, isStopped: true, decision: "reject" })).toBe("none");
  expect(attentionOf({ ...stranger, status: "reading", verdict: null })).toBe("reading");
});

test("an email without a number or a supplier is called after its subject, with account numbers masked", () => {
  const email = { invoiceNumber: null, supplierName: null, fileName: "b.eml" };
  const about = (subject: string | null) => nameWithNumber({ ...email, subject });
  expect(about("New bank details: 062-000 12345678")).toBe("“\u2068New bank details: ••••••678\u2069”");
  expect(about("Account １２３４５６７８")).toBe("“\u2068Account •••••678\u2069”");
  expect(about("\u202eInvoice\n 7")).toBe("“\u2068Invoice 7\u2069”");
  expect(about("x".repeat(300)).length).toBeLessThan(100);
  expect(about(" ")).toBe("b.eml");
  expect(about(null)).toBe("b.eml");
  expect(nameWithNumber({ ...email, subject: "Hello", supplierName: "Karri Floors" })).toBe("Karri Floors");
  expect(nameWithNumber({ ...email, subject: "Hello", invoiceNumber: "K-7" })).toBe("K-7");
});

test.each([
  ["verified", "verified one"],
  ["whitelisted", "payee’s"],
  ["none", "payee’s"],
] as const)("an account of the payee that is %s is called so in the headline of another one", (state, word) => {
  const standing = { ...same, verdict: "other_account", isStopped: true, findings: [] } as const;
  expect(headlineOf(standing, { state, how: "", at: 0 }).title).toBe(
    `Stop: this invoice asks for a different account from the ${word}`,
  );
});

test.each([
  ["no_account", [], false, "No account to pay to was found on this invoice"],
  ["no_account", ["abn_of_another"], true, "Stop: no account to pay to was found, and something else is wrong"],
  ["unreadable", ["could_not_be_read"], false, "The bank details could not be read"],
  ["unreadable", ["document_altered"], true, "Stop: its bank details could not be read"],
] as const)(
  "an invoice without an account, %s %j, is called what is known of it",
  (verdict, codes, isStopped, title) => {
    const findings = codes.map((code) => ({ code, level: isStopped ? "stop" : "warn" }));
    expect(headlineOf({ ...same, verdict, isStopped, findings }).title).toBe(title);
  },
);
