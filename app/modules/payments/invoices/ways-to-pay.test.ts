import { expect, test } from "vitest";
import type { PayeeOfInvoice } from "~/modules/rules/invoices/facts";
import type { Finding } from "~/ports/document-reader";
import { toStored } from "./reading";
import { knownWays, newReferenceFindings, newWayFindings } from "./ways-to-pay";

/** What an invoice names besides an account, against what is known of its payee. */

const PAYEE: PayeeOfInvoice = {
  id: "karri",
  name: "Karri Floors",
  accountName: "Karri Floors Pty Ltd",
  ...{ bsb: "062000", accountNumber: "12345678", abn: "51824753556", email: "accounts@karrifloors.example" },
  isArchived: false,
  standing: { state: "verified", how: "confirmed by the bank", at: 0 },
};
const place = { page: 1, lines: [], certain: true, doubts: [] };
const ACCOUNT = { ...place, bsb: "062000", accountNumber: "12345678", whose: "payee" } as const;
const BILLER = { ...place, billerCode: "918273" };
const LINK: Finding = { code: "payment_link", way: "pay.elsewhere.com" };
const IBAN: Finding = { code: "iban_or_swift", digits: "GB82WEST12345698765432" };
const COLLECTOR: Finding = { code: "collector", lines: ["Pay our agent"] };
const nothing = { accounts: [], payIds: [], bpay: [], findings: [] };
const NEVER = knownWays([], []);
const accepted = (read: Partial<Read>, level?: "warn") => knownWays([anAccepted(read, level)], []);
const anAccepted = (read: Partial<Read>, level?: "warn", at = 1, before = NEVER) => ({
  ...{ ...nothing, ...read, said: level ? [{ code: "new_way_to_pay", level, message: warningOf(read, before) }] : [] },
  ...{ id: `invoice ${at}`, numberKey: null, decidedAt: at + 1, judgedAt: at, by: "Mira Okafor" },
});

/** What the rule says, in which the same words stand once. */
const warningOf = (read: Partial<Read>, before = NEVER) => {
  const found = newWayFindings({ ...nothing, ...read }, PAYEE, before, []);
  return [...new Set(found.map(({ message }) => message))].join(" ");
};

type Read = Parameters<typeof newWayFindings>[0];
type Earlier = Parameters<typeof newWayFindings>[3];
const said = (read: Partial<Read>, known = NEVER, payee = PAYEE, earlier: Earlier = []) =>
  newWayFindings({ ...nothing, ...read }, payee, known, earlier).map(({ code, weight }) => `${code} ${weight}`);
/** An earlier invoice that one of the organisation's people handed in, with a number of its own. */
const anEarlier = (read: Partial<Read>, at: number, isSure = false): Earlier[number] => ({
  ...{ ...nothing, ...read, id: `${at}`, numberKey: `K${at}`, receivedAt: at, isSure },
});

test.each([
  ["abn", "51824753556", false],
  ["abn", "83914571673", true],
  ["email", "billing@karrifloors.example", false],
  ["email", "karri.floors@mail.example", true],
  ["organisation", "karrifloors.example", false],
  ["phone", "0417533236", true],
] as const)("a PayID that is nothing of the payee's is named: %s %s", (type, payId, isNamed) => {
  const payIds = [{ ...place, type, payId }];
  expect(said({ payIds, accounts: [ACCOUNT] })).toEqual(isNamed ? ["pay_id_unknown way"] : []);
});

test.each([
  ["a code that leads to the payee's site", { code: "qr_code_leads_elsewhere", way: "pay.karrifloors.example" }, []],
  ["one that leads elsewhere", { code: "qr_code_leads_elsewhere", way: "karrifloors.example.net" }, ["way"]],
  ["a link to the payee's site", { code: "payment_link", way: "karrifloors.example" }, []],
  ["cheques to the payee", { code: "cheque_payee", way: "KARRI FLOORS PTY LTD" }, []],
  ["cheques to its name, cut off", { code: "cheque_payee", way: "Karri Floors Pt" }, []],
  ["cheques to the payee's name and more", { code: "cheque_payee", way: "Karri Floors Pty Ltd PO Box 4" }, []],
  ["cheques to somebody else", { code: "cheque_payee", way: "J. Crook" }, ["way"]],
  ["somebody who collects", { code: "collector", lines: ["Pay our collections agent"] }, ["way"]],
] as [string, Finding, string[]][])("%s, beside the payee's account", (_, finding, weights) => {
  const found = said({ findings: [finding], accounts: [ACCOUNT] });
  expect(found.map((each) => each.split(" ")[1])).toEqual(weights);
});

test.each([
  ["karrifloors-pay.top", "way"],
  ["pay-karrifloors.example.net", "way"],
  ["xn--krrifloors-zqi.example", "way"],
  ["pay.karrif1oors.example/pay", "way"],
  ["carrifloors.example", "kind"],
  ["karrifloors.square.site", "kind"],
])("a site like the payee's own warns beside the account too: %s", (way, weight) => {
  expect(said({ findings: [{ ...LINK, way }], accounts: [ACCOUNT] })).toEqual([`payment_link_unknown ${weight}`]);
});

test("a site of everybody's is not the payee's", () => {
  const findings: Finding[] = [{ code: "payment_link", way: "gmail.com" }];
  expect(said({ findings }, NEVER, { ...PAYEE, email: "karri@gmail.com" })).toEqual(["payment_link_unknown way"]);
  expect(said({ findings }, NEVER, { ...PAYEE, email: null })).toEqual(["payment_link_unknown way"]);
});

test("a biller warns, and a link is noted beside the account of a payee whose ways nobody knows, else it warns", () => {
  const [read, code] = [{ findings: [LINK] }, "payment_link_unknown"];
  expect(said({ bpay: [BILLER], accounts: [ACCOUNT] })).toEqual(["biller_unknown way"]);
  expect(said({ ...read, accounts: [ACCOUNT] })).toEqual([`${code} kind`]);
  expect(said(read)).toEqual([`${code} way`]);
  expect(said({ ...read, accounts: [{ ...ACCOUNT, certain: false }] })).toEqual([`${code} way`]);
  expect(said({ ...read, accounts: [{ ...ACCOUNT, accountNumber: "99887766" }] })).toEqual([`${code} way`]);
  expect(said({ ...read, accounts: [ACCOUNT] }, accepted({}))).toEqual([`${code} way`]);
});

test("an account abroad warns where invoices were accepted and it was on none of them", () => {
  const read = { findings: [IBAN], accounts: [ACCOUNT] };
  expect(said(read)).toEqual([]);
  expect(said({ findings: [IBAN] })).toEqual([]);
  expect(said(read, accepted({}))).toEqual(["iban_or_swift_unknown way"]);
});

test("what was on an invoice that a person accepted is known, and nothing else of its kind", () => {
  const read = {
    ...nothing,
    bpay: [BILLER],
    findings: [LINK, IBAN, COLLECTOR],
  };
  const known = accepted(read, "warn");
  expect(said({ ...read, accounts: [ACCOUNT] }, known)).toEqual([]);
  const other = { ...nothing, bpay: [{ ...BILLER, billerCode: "918274" }], accounts: [ACCOUNT] };
  expect(said(other, known)).toEqual(["biller_unknown way"]);
});

test("a link that was only noted beside the account is known beside it, and warns where it is asked for alone", () => {
  const read = { findings: [LINK], accounts: [ACCOUNT] };
  expect(said(read, accepted(read))).toEqual([]);
  expect(said({ findings: [LINK] }, accepted(read))).toEqual(["payment_link_unknown way"]);
  expect(said({ findings: [LINK] }, accepted(read, "warn"))).toEqual([]);
  expect(said({ findings: [LINK] }, accepted({ findings: [LINK] }))).toEqual([]);
});

test.each([
  ["Jo", "Jones Trading", ["way"]],
  ["Jo", "Jo. Box 4", []],
  ["…", "J. Crook", ["way"]],
])("cheques to %s's name are to a whole name: %s", (name, way, weights) => {
  const findings: Finding[] = [{ code: "cheque_payee", way }];
  const found = said({ findings, accounts: [ACCOUNT] }, NEVER, { ...PAYEE, name, accountName: name });
  expect(found.map((each) => each.split(" ")[1])).toEqual(weights);
});

test("more ways than are kept are told of, and the same on each page is one", () => {
  const links = (count: number) =>
    Array.from({ length: count }, (_, at): Finding => ({ code: "payment_link", way: `${at}.karrifloors.example` }));
  const stored = (findings: Finding[]) => {
    const facts = { abns: [], emails: [], pages: 1, currency: "AUD", isReadableEverywhere: true };
    return toStored({ ...nothing, ...facts, status: "read", kind: "pdf", findings });
  };
  const kept = (findings: Finding[], known = NEVER) => said({ ...stored(findings), accounts: [] }, known);
  expect(kept([...links(20), ...links(20), ...links(20)])).toEqual([]);
  expect(kept([...links(60), LINK])).toEqual(["payment_link_unknown way"]);
  expect(kept([...links(60), LINK], accepted(stored(links(60)), "warn"))).toEqual(["payment_link_unknown way"]);
});

test("a name for cheques is shown as a person sees it, its numbers masked", () => {
  const findings: Finding[] = [{ code: "cheque_payee", way: "J. Crook\u202e account ９９８８ 7766" }];
  const [found] = newWayFindings({ ...nothing, findings }, PAYEE, NEVER, []);
  expect(found?.message).toContain("“J. Crook account •••••766”");
});

const NOBODYS: Finding = { code: "payment_link", way: "in.xero.com/…" };
test.each([
  ["beside the account of a payee whose ways nobody knows", NOBODYS, true, undefined, "kind"],
  ["beside the account, on an invoice of somebody who did not use it before", NOBODYS, true, {}, "way"],
  ["beside the account, after one was accepted", NOBODYS, true, { findings: [NOBODYS] }, "kind"],
  ["alone", NOBODYS, false, undefined, "way"],
  ["alone, after one was accepted", NOBODYS, false, { findings: [NOBODYS] }, "way"],
  ["in a QR code", { ...NOBODYS, code: "qr_code_leads_elsewhere" }, true, undefined, "way"],
  [
    "in a QR code, after one was accepted",
    { ...NOBODYS, code: "qr_code_leads_elsewhere" },
    true,
    { findings: [{ ...NOBODYS, code: "qr_code_leads_elsewhere" }] },
    "kind",
  ],
] as [string, Finding, boolean, Partial<Read> | undefined, string][])(
  "an address that does not say who is paid is never known, and only noted beside the account: %s",
  (_, finding, isBeside, before, weight) => {
    const read = { ...nothing, findings: [finding], accounts: isBeside ? [ACCOUNT] : [] };
    const [found, ...others] = newWayFindings(read, PAYEE, before ? accepted(before, "warn") : NEVER, []);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: `${finding.code}_unknown`, weight });
    expect(found?.message).toContain("in.xero.com/..., where");
    expect(found?.message).toContain("does not say who is paid there: call the payee on a number you know");
  },
);

/** Ways that were accepted at 2, on an invoice that was compared at 1. */
test.each([
  ["after the acceptance", "warn", 3, ["biller_unknown way"]],
  ["in the same millisecond", "warn", 2, ["biller_unknown way"]],
  ["before the acceptance of an invoice that warned", "warn", 1, []],
  ["before the acceptance of an invoice that did not warn", undefined, 1, ["biller_unknown way"]],
  ["before that invoice was compared", undefined, 0, []],
] as const)("what is forgotten %s", (_, level, createdAt, expected) => {
  const read = { bpay: [BILLER] };
  const forgotten = { field: "BPAY biller code", oldValue: BILLER.billerCode, createdAt };
  const others = [
    { ...forgotten, field: "PayID", createdAt: 9 },
    { ...forgotten, oldValue: "918274", createdAt: 9 },
  ];
  expect(said(read, knownWays([anAccepted(read, level)], [forgotten, ...others]))).toEqual(expected);
});

test("a known way has its first acceptance, and a name in other letters is the same", () => {
  const cheques = (way: string) => ({ findings: [{ code: "cheque_payee" as const, way }] });
  const invoices = [anAccepted(cheques("J. CROOK"), "warn", 5), anAccepted(cheques("J Crook"), "warn", 3)];
  expect(knownWays(invoices, []).known).toMatchObject([{ value: "J Crook", since: 4, invoiceId: "invoice 3" }]);
  const forgotten = { field: "Name for cheques", oldValue: "j crook", createdAt: 9 };
  expect(knownWays(invoices, [forgotten]).known).toEqual([]);
});

/** Sites on earlier invoices of the payee that were handed in, beside its account; "": none. */
const OWN = "pay.karrifloors.example";
test.each([
  ["another site than on each of them", ["a.top", "a.top", "a.top"], "b.top", "way"],
  ["the same", ["a.top", "a.top", "a.top"], "a.top", "kind"],
  ["too few invoices to say what is usual", ["a.top", "a.top"], "b.top", "kind"],
  ["no site on any", ["", "", "", ""], "b.top", "kind"],
  ["another one was on the payee's own site", [OWN, OWN, "karrifloors.example"], "b.top", "way"],
  ["nothing said who is paid", ["in.xero.com/…", "in.xero.com/…", "in.xero.com/…"], "b.top", "way"],
  ["nothing says who is paid", ["a.top", "a.top", "a.top"], "in.xero.com/…", "way"],
  ["nothing ever says who is paid", ["in.xero.com/…", "in.xero.com/…", "in.xero.com/…"], "in.xero.com/…", "kind"],
  ["another name at a shared site", ["paypal.me/a", "paypal.me/a", "paypal.me/a"], "paypal.me/b", "way"],
  ["a link for each bill", ["buy.stripe.com/1", "buy.stripe.com/2", "buy.stripe.com/3"], "buy.stripe.com/4", "kind"],
  ["a link for each bill, now elsewhere", ["buy.stripe.com/1", "buy.stripe.com/2", "buy.stripe.com/3"], "b.top", "way"],
  ["each has its own host", ["a.top", "c.top", "d.top", "e.top"], "b.top", "kind"],
  ["a criminal's, once, that nobody stopped", ["a.top", "a.top", "b.top", "a.top"], "b.top", "way"],
  ["two sites in turn", ["a.top", "b.top", "a.top", "b.top"], "b.top", "kind"],
])("a site beside the account, %s", (_, sites, way, weight) => {
  const beside = (site: string) => ({ accounts: [ACCOUNT], findings: site ? [{ ...LINK, way: site }] : [] });
  const earlier = sites.map((site, at) => anEarlier(beside(site), at));
  const others = [1, 2, 3].map((at) => at + 10);
  const given = (shown: Earlier) => said(beside(way), NEVER, PAYEE, shown);
  expect(given(earlier)).toEqual([`payment_link_unknown ${weight}`]);
  // A copy of an invoice shows nothing.
  const copies = earlier.map((each) => ({ ...each, id: `copy ${each.id}` }));
  expect(given([...earlier, ...copies])).toEqual(given(earlier));
  // However often another site is handed in, it does not become usual beside those that surely are the payee's.
  const sure = earlier.map((each) => ({ ...each, isSure: true }));
  const handedIn = others.map((at) => anEarlier(beside(way), at));
  if (weight === "way") expect(given([...sure, ...handedIn])).toEqual(given(earlier));
  // However often it was on one that nobody decided, it is known by none.
  expect(given([...earlier, ...others.map((at) => anEarlier(beside(way), at))])).toHaveLength(1);
  expect(said({ findings: [{ ...LINK, way }] }, NEVER, PAYEE, earlier)).toEqual(["payment_link_unknown way"]);
});

test("a link for each bill warns neither beside sites that are the same on each, nor when another site would", () => {
  const read = (bill: number, extra: string[] = []): Partial<Read> => {
    const sites = [OWN, "in.xero.com/…", `buy.stripe.com/${bill}`, ...extra];
    return { accounts: [ACCOUNT], findings: sites.map((way) => ({ ...LINK, way })) };
  };
  const earlier = [1, 2, 3, 4, 5].map((at) => anEarlier(read(at), at));
  const noted = ["payment_link_unknown kind", "payment_link_unknown kind"];
  expect(said(read(6), NEVER, PAYEE, earlier)).toEqual(noted);
  expect(said(read(6, ["b.top"]), NEVER, PAYEE, earlier)).toEqual([...noted, "payment_link_unknown way"]);
});

test("however many quiet invoices followed, another BPAY reference than on the accepted ones is told of", () => {
  const taught = [1, 2, 3].map((at) => anAccepted({ bpay: [{ ...BILLER, reference: "A" }] }, "warn", at));
  const other = { bpay: [{ ...BILLER, reference: "X" }] };
  const quiet = Array.from({ length: 20 }, (_, at) => anEarlier(other, at + 10));
  const weights = (known: typeof NEVER) => newReferenceFindings(other, quiet, known).map(({ weight }) => weight);
  expect(weights(knownWays(taught, []))).toEqual(["way"]);
  expect(weights(knownWays(taught.slice(0, 1), []))).toEqual(["kind"]);
  expect(
    weights(knownWays(taught, [{ field: "BPAY biller code", oldValue: BILLER.billerCode, createdAt: 2 }])),
  ).toEqual(["kind"]);
});

test("a site that was forgotten warns beside the account too, when the invoice that was accepted with it is deleted", () => {
  const forgotten = { field: "Payment link", oldValue: `${LINK.way}`, createdAt: 9 };
  const read = { accounts: [ACCOUNT], findings: [LINK] };
  expect(said(read, knownWays([], [forgotten]))).toEqual(["payment_link_unknown way"]);
  expect(said(read, knownWays([], [{ ...forgotten, oldValue: "a.top" }]))).toEqual(["payment_link_unknown kind"]);
  const again = knownWays([anAccepted(read, undefined, 10)], [forgotten]);
  expect(said(read, again)).toEqual([]);
});

test("an account abroad warns where the payee's invoices keep naming another one", () => {
  const earlier = [1, 2, 3].map((at) => anEarlier({ accounts: [ACCOUNT], findings: [IBAN] }, at));
  const other: Finding = { ...IBAN, digits: "DE89370400440532013000" };
  expect(said({ accounts: [ACCOUNT], findings: [IBAN] }, NEVER, PAYEE, earlier)).toEqual([]);
  expect(said({ accounts: [ACCOUNT], findings: [other] }, NEVER, PAYEE, earlier)).toEqual([
    "iban_or_swift_unknown way",
  ]);
});

/**
 * References on the payee's earlier invoices with a known biller code, each invoice with a number of its own: what is said
 * where nobody decided them, and where a person accepted each.
 */
test.each([
  ["a second invoice with another one", ["A"], "kind", "kind"],
  ["too few invoices to see whether they return", ["A", "A"], "kind", "kind"],
  ["a customer number that is on each", ["A", "A", "A"], "way", "way"],
  ["two customer numbers", ["A", "B", "A", "B"], "way", "way"],
  ["each invoice has its own", ["A", "B", "C", "D"], "kind", undefined],
  ["most invoices have their own", ["A", "A", "B", "C"], "kind", undefined],
  ["the same one", ["X", "X", "X"], "kind", undefined],
  ["one of several", ["A", "A", "X", "A"], "way", undefined],
  ["a second customer number", ["A", "A", "X", "X"], "kind", undefined],
  ["no reference before", [undefined, undefined, undefined], undefined, undefined],
] as [string, (string | undefined)[], string | undefined, string | undefined][])(
  "a BPAY reference, %s",
  (_, references, weight, weightOfAccepted) => {
    const read = (reference: string | undefined) => ({ bpay: [reference ? { ...BILLER, reference } : BILLER] });
    const bills = references.map((reference, at) => anEarlier(read(reference), at));
    const weights = (shown: Earlier, isAccepted = false, forgottenAt = -1) => {
      const taught = isAccepted
        ? bills.map((bill, at) => ({ ...bill, ...anAccepted(bill, "warn", at), numberKey: bill.numberKey }))
        : [];
      const forgotten = { field: "BPAY biller code", oldValue: BILLER.billerCode, createdAt: forgottenAt };
      const known = knownWays([anAccepted({ bpay: [BILLER] }, "warn", 200), ...taught], [forgotten]);
      return newReferenceFindings(read("X"), shown, known).map((each) => each.weight);
    };
    expect(weights(bills)).toEqual(weight ? [weight] : []);
    expect(weights(bills, true)).toEqual(weightOfAccepted ? [weightOfAccepted] : []);
    // Neither a copy of an invoice nor one that was forgotten shows what is usual.
    const copies = bills.map((each) => ({ ...each, id: `copy ${each.id}` }));
    expect(weights([...bills, ...copies])).toEqual(weights(bills));
    expect(weights(bills, true, 99)).toEqual([]);
    // Nor does one that is handed in again and again, beside those that surely are the payee's.
    const sure = bills.map((each) => ({ ...each, isSure: true }));
    const handedIn = [11, 12, 13, 14].map((at) => anEarlier(read("X"), at));
    if (weight === "way") expect(weights([...sure, ...handedIn])).toEqual(weights(bills));
    expect(newReferenceFindings(read("X"), bills, NEVER)).toEqual([]);
  },
);

test("a BPAY reference may be the number of a card, and is shown masked", () => {
  const bills = [anEarlier({ bpay: [{ ...BILLER, reference: "1" }] }, 1)];
  const known = accepted({ bpay: [BILLER] }, "warn");
  const [found] = newReferenceFindings({ bpay: [{ ...BILLER, reference: "4111111111111111" }] }, bills, known);
  expect(found?.message).toContain("The BPAY reference ••••••111 is on no earlier invoice");
});

test.each(["linktr.ee/pay.karrifloors.example", "bitcoin:1.karrifloors.example", "paypal.me/x@karrifloors.example"])(
  "the payee's domain at the end of somebody else's address does not make it the payee's: %s",
  (way) => {
    expect(said({ findings: [{ ...LINK, way }] })).toEqual(["payment_link_unknown way"]);
  },
);

test("accepting an invoice that warned about one way does not bring back another that was forgotten since it was compared", () => {
  const read = { bpay: [BILLER], findings: [LINK] };
  const first = anAccepted({ bpay: [BILLER] }, "warn");
  const second = { ...anAccepted(read, "warn", 10, knownWays([first], [])), decidedAt: 30 };
  const forgotten = [{ field: "BPAY biller code", oldValue: "918273", createdAt: 20 }];
  const known = knownWays([first, second], forgotten);
  expect(said(read, known)).toEqual(["biller_unknown way"]);
  // One that it warned about is known: whoever accepted it knew.
  const link = [{ field: "Payment link", oldValue: "pay.elsewhere.com", createdAt: 20 }];
  expect(said(read, knownWays([first, second], link))).toEqual([]);
});

test("a PayID is the same and stays forgotten however its number is written", () => {
  const spelled = ["0417533236", "61417533236", "+61 417 533 236", "0417 533 236"];
  for (const payId of spelled) {
    const payIds = [{ ...place, type: "phone" as const, payId }];
    const forgotten = [{ field: "PayID", oldValue: "0417533236", createdAt: 20 }];
    for (const other of spelled) {
      const known = knownWays([anAccepted({ payIds: [{ ...place, type: "phone", payId: other }] }, "warn")], []);
      expect(said({ payIds }, known)).toEqual([]);
    }
    expect(said({ payIds }, knownWays([anAccepted({ payIds }, "warn")], forgotten))).toEqual(["pay_id_unknown way"]);
  }
});
