import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { documentFacts, toStored } from "~/modules/payments/invoices/reading";
import type { ReadFacts } from "~/ports/document-reader";
import { pngOf } from "./support/documents/painted";
import { HELVETICA, latin, PdfFile, words } from "./support/documents/pdf-file";
import { rowsOfDots } from "./support/documents/traps";
import { read, readFacts } from "./support/reader";

/** Emails as they are shown, with what is attached to them. */

const HEADERS = [
  "From: Karri Floors <accounts@karrifloors.example>",
  "To: bills@murraycafe.example",
  "Date: Tue, 03 Nov 2026 10:15:00 +1100",
  "Message-ID: <abc@karrifloors.example>",
  "Subject: Invoice INV-2207",
  "MIME-Version: 1.0",
];

const message = (body: string, type: string, headers: readonly string[] = []) =>
  [...HEADERS, ...headers, `Content-Type: ${type}; charset=utf-8`, "", body].join("\r\n");
const html = (body: string, head = "") => message(`<html><head>${head}</head><body>${body}</body></html>`, "text/html");
const PAY = "<p>Please pay to BSB 062-000, account number 12345678.</p>";
const OTHER = "BSB 732-001 Account 99887766";

const accountsOf = ({ accounts }: ReadFacts) =>
  accounts.map(({ bsb, accountNumber, certain }) => `${bsb} ${accountNumber}${certain ? "" : "?"}`);
const codesOf = ({ findings }: ReadFacts) => findings.map(({ code }) => code);

test.each([
  ["$1,837.00", 183_700],
  ["$1,837.00, with GST", 183_700],
  // Cut off, or grouped as nobody here writes: not its first digits.
  ["$1,\n837.00", undefined],
  ["$1,83\n7.00", undefined],
  ["$1.837,00", undefined],
])("an amount is read whole or not at all: %j", async (amount, cents) => {
  const { totalCents } = await readFacts(message(`Amount due: ${amount}`, "text/plain"));
  expect(totalCents).toBe(cents);
});

test.each([
  ["Tax invoice KF-9001", "KF-9001"],
  ["Invoice 10442", "10442"],
  ["Tax invoice 20/11/2026", undefined],
  ["Invoice for 3 doors", undefined],
])("an invoice's number may stand in its heading: %j", async (heading, number) => {
  const facts = await readFacts(message(`${heading}\nAmount due: $10.00`, "text/plain"));
  expect(facts.invoiceNumber).toBe(number);
});

test("an invoice's number may hold letters", async () => {
  const facts = await readFacts(message("Tax invoice INV-B1F57F\nAmount due: $10.00", "text/plain"));
  expect(facts.invoiceNumber).toBe("INV-B1F57F");
});

test("who wrote, to whom, when and what, and the account in the words", async () => {
  const facts = await readFacts(
    message("Hello\n\nBSB: 062-000\nAccount: 12345678\nAmount due: $1,837.00 by 17/11/2026", "text/plain", [
      "Reply-To: someone@elsewhere.example",
    ]),
  );
  expect(facts.email).toMatchObject({
    from: { name: "Karri Floors", address: "accounts@karrifloors.example" },
    replyTo: { address: "someone@elsewhere.example" },
    to: [{ address: "bills@murraycafe.example" }],
    date: "2026-11-02T23:15:00.000Z",
    messageId: "<abc@karrifloors.example>",
    subject: "Invoice INV-2207",
    isAutoReply: false,
    attachments: [],
  });
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
  expect(facts.totalCents).toBe(183_700);
});

const HIDING: Record<string, [string, string?]> = {
  "display none": [`<div style="display:none">${OTHER}</div>`],
  "a class that is not displayed": [
    `<div class="pre">${OTHER}</div>`,
    "<style>.pre { display: none !important }</style>",
  ],
  "size zero": [`<span style="font-size:0">${OTHER}</span>`],
  "size of one": [`<span style="font-size: 1px">${OTHER}</span>`],
  "white on white": [`<span style="color:#fff">${OTHER}</span>`],
  "white on white by an old element": [`<font color="white">${OTHER}</font>`],
  "the colour of its cell": [
    `<table><tr><td bgcolor="#1f3a5f"><font color="#1f3a5f">${OTHER}</font></td></tr></table>`,
  ],
  "no opacity": [`<div style="opacity:0">${OTHER}</div>`],
  "no height": [`<div style="max-height:0;overflow:hidden">${OTHER}</div>`],
  "far to the left": [`<div style="position:absolute;left:-9999px">${OTHER}</div>`],
  visibility: [`<div style="visibility:hidden">${OTHER}</div>`],
  "the attribute hidden": [`<div hidden>${OTHER}</div>`],
};

test.each(Object.entries(HIDING))("hidden by %s: named, and not read", async (_, [body, head]) => {
  const facts = await readFacts(html(PAY + body, head));
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
  expect(codesOf(facts)).toContain("hidden_in_email");
});

test.each([
  ["BSB: <span hidden>732-001</span> Account: <span hidden>99887766</span>", [], "hidden_in_email"],
  ["BSB: 732-001 Account: <i style='font-size:0'>99887766</i>", ["732001 ?"], "hidden_in_email"],
  ["<i hidden>BSB:</i> 732-001 <i hidden>Account:</i> 99887766", ["732001 99887766?"], undefined],
  ["<i hidden>BSB:</i> 732001 <i hidden>Account:</i> 99887766", [], "hidden_in_email"],
])("an account of which a part or a label is hidden is told of: %s", async (body, accounts, code) => {
  const facts = await readFacts(html(`<p>${body}</p>`));
  expect(accountsOf(facts)).toEqual(accounts);
  if (code) expect(facts.findings).toContainEqual(expect.objectContaining({ code, digits: "73200199887766" }));
});

/** Styles that may hide words, move them or paint others: what is under them is never certain, and is reported. */
const UNSURE: Record<string, [body: string, head?: string]> = {
  "a rule for screens alone": [`<p class="x">${OTHER}</p>`, "<style>@media screen{.x{display:none}}</style>"],
  "a rule that is important": [
    `<p class="x" style="display:block">${OTHER}</p>`,
    "<style>.x{display:none!important}</style>",
  ],
  "a rule that another wins over": [`<p class="x y">${OTHER}</p>`, "<style>.x{display:none} .y{display:block}</style>"],
  "a rule about an attribute": [`<p data-a="1">${OTHER}</p>`, "<style>[data-a]{display:none}</style>"],
  "a closed part": [`<details><summary>More</summary>${OTHER}</details>`],
  "a colour by its hue": [`<p style="color:hsl(0 0% 100%)">${OTHER}</p>`],
  "a colour that is seen through": [`<p style="color:rgba(0,0,0,0)">${OTHER}</p>`],
  "a colour by a name of its own": [`<p style="color:var(--c)">${OTHER}</p>`, "<style>:root{--c:#fff}</style>"],
  "light words over a picture": [`<td background="https://a.example/b.png"><font color="#ddd">${OTHER}</font></td>`],
  "dark words for dark screens": [
    `<p class="x">${OTHER}</p>`,
    "<style>@media (prefers-color-scheme:dark){body,.x{background:#000}}</style>",
  ],
  "a rule in a way of writing of its own": [`<p class="xy">${OTHER}</p>`, "<style>.x\\79 {display:none}</style>"],
  "a size that is worked out": [`<p style="font-size:calc(1px*0)">${OTHER}</p>`],
  "a window that is scrolled": [`<div style="height:20px;overflow:auto"><p>${OTHER}</p></div>`],
  "a filter": [`<p style="filter:opacity(0)">${OTHER}</p>`],
  zoom: [`<p style="zoom:0.01">${OTHER}</p>`],
  "content that is not drawn": [`<p style="content-visibility:hidden">${OTHER}</p>`],
  "a row that runs backwards": [
    `<div style="display:flex;flex-direction:row-reverse"><span>BSB 732-001</span><span>Account 99887766</span></div>`,
  ],
  "words that a style adds": [`<p class="x">${OTHER}</p>`, "<style>.x:before{content:'Not '}</style>"],
  "a part that floats aside": ["<p>BSB 732-001 Account <span style='float:right'>9988</span><span>7766</span></p>"],
  "a font of its own": [
    `<p class="x">${OTHER}</p>`,
    "<style>@font-face{font-family:Odd;src:url(data:font/ttf;base64,AAEA)}.x{font-family:Odd,Arial}</style>",
  ],
  "styles from elsewhere": [`<p>${OTHER}</p>`, '<link rel="stylesheet" href="https://a.example/b.css">'],
  "something laid over it": [`<p>${OTHER}</p><div style="position:absolute;top:0;background:#fff">Hello</div>`],
  "the shadow of a word laid over it": [`<p>${OTHER}<b style="box-shadow:-90px 0 0 9px #fff">.</b></p>`],
  "shadows laid side by side": [`<p>${OTHER}<i class="x">.</i></p>`, "<style>.x{box-shadow:0 0 0 4em white}</style>"],
  "the ground of the next line": [`<p>${OTHER}<br><span style="background:#fff;padding-top:22px">Thank you</span></p>`],
  "the edge of the next line": [`<p>${OTHER}<br><span style="border-top:20px solid #fff">Thank you</span></p>`],
  "a picture that is moved over it": [`<p>${OTHER}</p><img src="cid:a" style="margin-top:-40px">`],
};

test.each(Object.entries(UNSURE))("%s: not certain, and said", async (_, [body, head]) => {
  const facts = await readFacts(html(`<p>Your invoice</p>${body}`, head));
  expect(accountsOf(facts).filter((account) => !account.endsWith("?"))).toEqual([]);
  expect(codesOf(facts).filter((code) => /^(?:hidden_in_email|account_could_not_be_read)$/.test(code))).not.toEqual([]);
});

test("what mail programs and newsletters write makes no doubt", async () => {
  const facts = await readFacts(
    html(
      `<div style="display:none;max-height:0;overflow:hidden">Your invoice is ready</div><table role="presentation" style="border-collapse:collapse;width:100%"><tr><td class="col" style="direction:ltr;font-size:0;padding:20px 0;vertical-align:top"><div class="MsoNormal" style="margin:0 auto;font-family:Arial,sans-serif;font-size:14px;line-height:1.4;color:rgba(0,0,0,.87);mso-line-height-rule:exactly;line-break:after-white-space;font-variant-caps:normal;-webkit-text-stroke-width:0px;text-indent:0px"><table style="margin-left:-5.4pt"><tr><td>${PAY}</td></tr></table></div></td></tr></table>`,
      "<style>#outlook a{padding:0} p.MsoNormal{margin:0cm;color:windowtext} a:hover{color:#fff} @media only screen and (max-width:480px){.col{width:100%!important;display:block!important}} @media (prefers-color-scheme:dark){body{background:#000;color:#eee}.MsoNormal{color:#fff!important}}</style>",
    ),
  );
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
  expect(codesOf(facts)).toEqual([]);
});

test.each([
  `<div style="box-shadow:0 10px 40px #e8e8e8;border-radius:8px">${PAY}</div>`,
  `<table style="box-shadow:0 7px 14px rgba(50,50,93,.1),0 3px 6px rgba(0,0,0,.07)"><tr><td>${PAY}</td></tr></table>`,
  `${PAY}<p><a style="background:#0a0;color:#fff;padding:12px 24px;border-radius:4px">View invoice</a></p>`,
  `<p>BSB <span style="background:#f3f4f6;padding:4px 8px">062-000</span> Account <span style="background:#f3f4f6;padding:4px 8px">12345678</span></p>`,
])("cards, buttons and labels of honest messages make no doubt: %s", async (body) => {
  const facts = await readFacts(html(body));
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
  expect(codesOf(facts)).toEqual([]);
});

test.each(["<svg width='300' height='30'><text>BSB 062-000</text></svg>", "<img src='cid:a' width='400' height='30'>"])(
  "bank details that may stand in a picture: %s",
  async (picture) => {
    expect((await readFacts(html(`<p>Please pay as below.</p>${picture}`))).isReadableEverywhere).toBe(false);
  },
);

test.each([
  ['1234<span style="display:none">999</span>5678', "062000 12345678?"],
  ['1234<img src="cid:d" width="8" height="12">5678', "062000 12345678?"],
  ["<del>12345678</del>", "062000 12345678?"],
  ['<span style="display:inline-block;width:8ch;overflow:hidden">123456789</span>', "062000 123456789?"],
  ['<span style="letter-spacing:-.99em">12345678</span>', "062000 12345678?"],
  ['<span style="word-spacing:-7em">1234 5678</span>', "062000 12345678?"],
  ['1234<span style="margin-left:-8px">9</span>5678', "062000 123495678?"],
  ['1234<span style="vertical-align:-40px">56</span>78', "062000 12345678?"],
  ["<q style=\"quotes:'9' '9'\">12345678</q>", "062000 12345678?"],
  ["<b style=\"list-style:inside '9'\">12345678</b>", "062000 12345678?"],
  ['1234567<img src="https://supplier.example/8.png" width="8" height="14">', "062000 1234567?"],
  ['1234567<i style="background:url(https://supplier.example/8.png)"></i>', "062000 1234567?"],
  ['1234<progress value="1">99</progress>5678', "062000 12345678?"],
  ["<style>b::first-letter{font-size:0}</style><b>912345678</b>", "062000 912345678?"],
  ['<span style="font-size-adjust:0">12345678</span>', "062000 12345678?"],
])("digits with something hidden, a picture or a line among them are no certain number: %s", async (digits, read) => {
  const facts = await readFacts(html(`<p>BSB 062-000</p><p>Account ${digits}</p>`));
  expect(accountsOf(facts)).toEqual([read]);
  expect(codesOf(facts)).toContain("account_could_not_be_read");
});

test.each([
  `<table dir="rtl"><tr><td>062000</td><td>BSB</td><td>123456</td><td>Account</td></tr></table>`,
  "<p>BSB \u05d0 062-000 Account 12345678</p>",
  "<p>\u200fBSB 062-000 Account 12345678</p>",
  `<table dir="auto"><tr><td>\u05d0</td></tr><tr><td>BSB 062-000</td><td>Account 12345678</td></tr></table>`,
])("numbers among letters that run from right to left are not certain: %s", async (body) => {
  const facts = await readFacts(html(body));
  expect(facts.accounts.filter(({ certain }) => certain)).toEqual([]);
  expect(codesOf(facts)).toContain("account_could_not_be_read");
});

test("letters that run from right to left elsewhere change nothing", async () => {
  const facts = await readFacts(
    html(`<div dir="auto">${PAY}</div><p>\u05e9\u05dc\u05d5\u05dd</p>`.replace("auto", "ltr")),
  );
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
});

test("words after a head that is not closed are shown", async () => {
  const facts = await readFacts(message(`<html><head><title>Invoice</title><body>${PAY}`, "text/html"));
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
});

test.each([
  [
    `<img src="https://karrifloors.example/invoice.png" width="600" height="800">`,
    ["remote_pictures", "only_pictures"],
  ],
  [
    `<p>Regards</p><table background="//karrifloors.example/invoice.png"><tr><td></td></tr></table>`,
    ["remote_pictures", "only_pictures"],
  ],
  [`${PAY}<img src="https://karrifloors.example/logo.png" width="120" height="60">`, ["remote_pictures"]],
  [`${PAY}<img src="https://karrifloors.example/seen.gif" width="1" height="1">`, []],
])("pictures that are not in the message are named: %s", async (body, codes) => {
  const facts = await readFacts(html(body));
  expect(codesOf(facts)).toEqual(codes);
  if (codes.length > 1) expect(facts.isReadableEverywhere).toBe(false);
});

test("a message that is only a picture says so", async () => {
  const scan = filePart("scan.png", await pngOf(["Karri Floors", "of Fremantle"]), "image/png");
  const facts = await readFacts(boundary([textPart("See attached"), scan]));
  expect(codesOf(facts)).toContain("only_pictures");
  expect(facts.isReadableEverywhere).toBe(false);
});

test.each(["1234&unknown;5678", "1234567&sup2;", "1234567\u00bd"])(
  "a sign among the digits that is none of them: %s",
  async (digits) => {
    const facts = await readFacts(html(`<p>BSB 062-000</p><p>Account ${digits}</p>`));
    expect(facts.accounts.filter(({ certain }) => certain)).toEqual([]);
  },
);

test.each(["<!-->", "<!--->", "<!-- a --!>"])("a comment that has ended, as browsers see it: %s", async (comment) => {
  const facts = await readFacts(html(`<p>Hello</p>${comment}${PAY}<!-- -->`));
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
});

test("words in a tag that is none are not shown", async () => {
  expect(accountsOf(await readFacts(html(`${PAY}</ ${OTHER}>`)))).toEqual(["062000 12345678"]);
});

test.each([
  `<div style="height:18px;overflow:hidden"><p>Hello</p><p>${OTHER}</p></div>`,
  `<table><colgroup><col><col style="visibility:collapse"></colgroup><tr><td>a</td><td>${OTHER}</td></tr></table>`,
  `<p>${OTHER}</p><p style="outline:24px solid #fff">Hello</p>`,
  `<meta name="color-scheme" content="dark"><p style="color:#151515">${OTHER}</p>`,
])("words that are cut off, folded away or covered are not certain: %s", async (body) => {
  expect(accountsOf(await readFacts(html(body)))).toEqual(["732001 99887766?"]);
});

test.each([
  '<style>p::after{content:"BSB 732-001"}</style><p>Please pay:</p>',
  '<div style="border-image:url(https://supplier.example/bank.png) 100 fill">Please pay:</div>',
  `${"<p>Many words</p>".repeat(12_000)}<p>${OTHER}</p>`,
])("what is added to the words, or too long, is not read: %.40s", async (body) => {
  expect((await readFacts(html(body))).isReadableEverywhere).toBe(false);
});

test("a comment of the message is no text of it", async () => {
  const facts = await readFacts(html(`${PAY}<!-- ${OTHER} -->`));
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
  expect(codesOf(facts)).toEqual([]);
});

test("light words on a dark ground are shown", async () => {
  const facts = await readFacts(html(`<div style="background:#123; color:#fff">${OTHER}</div>`));
  expect(accountsOf(facts)).toEqual(["732001 99887766"]);
  expect(codesOf(facts)).toEqual([]);
});

test("a table", async () => {
  const facts = await readFacts(
    html("<table><tr><th>BSB</th><th>Account number</th></tr><tr><td>062-000</td><td>1234 5678</td></tr></table>"),
  );
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
});

test.each(["Account \u202e87654321\u202c", '<bdo dir="rtl">Account 87654321</bdo>'])(
  "signs of direction among the digits: %s",
  async (body) => {
    const facts = await readFacts(html(`<p>BSB 062-000 ${body}</p>`));
    expect(codesOf(facts)).toContain("turned_around");
    expect(facts.accounts.filter(({ certain }) => certain)).toEqual([]);
  },
);

const boundary = (parts: readonly string[], type = "mixed") =>
  [
    ...HEADERS,
    `Content-Type: multipart/${type}; boundary=XX`,
    "",
    ...parts.map((part) => `--XX\r\n${part}`),
    "--XX--",
    "",
  ].join("\r\n");
const textPart = (text: string) => `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`;
const htmlPart = (text: string) => `Content-Type: text/html; charset=utf-8\r\n\r\n${text}\r\n`;
const filePart = (name: string, bytes: Uint8Array, type = "application/pdf") =>
  `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString("base64")}\r\n`;

test("the plain part names another account than what is shown", async () => {
  const facts = await readFacts(boundary([textPart(OTHER), htmlPart(PAY)], "alternative"));
  expect(accountsOf(facts)).toEqual(["062000 12345678?"]);
  expect(codesOf(facts)).toContain("body_parts_differ");
});

test("a message with two boundaries, of which programs choose one", async () => {
  const one = boundary([textPart("BSB 062-000 Account 12345678")]);
  const two = one.replace("boundary=XX", "boundary=XX;\r\n boundary=YY");
  const facts = await readFacts(`${two}\r\n--YY\r\n${textPart(OTHER)}\r\n--YY--\r\n`);
  expect(accountsOf(facts)).toEqual(["062000 12345678?"]);
  expect(facts).toMatchObject({ findings: [{ code: "shown_differently" }], isReadableEverywhere: false });
  expect(await readFacts(one)).toMatchObject({ accounts: [{ certain: true }], findings: [] });
});

function pdf(...texts: string[]): Uint8Array {
  const file = new PdfFile();
  file.page(
    ["TAX INVOICE INV-2207", "Karri Floors Pty Ltd", "ABN 51 824 753 556", ...texts]
      .map((text, index) => words(text, 50, 780 - index * 14))
      .join(""),
    HELVETICA,
  );
  return file.toBytes();
}

test("what is attached is read, and what it says the email says", async () => {
  const facts = await readFacts(
    boundary([
      textPart("Please find the invoice attached."),
      filePart("invoice.pdf", pdf("BSB 062-000", "Account 12345678")),
    ]),
  );
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
  expect(facts.email?.attachments).toMatchObject([{ fileName: "invoice.pdf", read: { status: "read", kind: "pdf" } }]);
  expect(facts.email?.attachments[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(facts).toMatchObject({ supplierName: "Karri Floors Pty Ltd", isReadableEverywhere: true, findings: [] });
});

test("an email in an email is read with what is attached to that", async () => {
  const inner = boundary([textPart("As agreed"), filePart("invoice.pdf", pdf("BSB 062-000", "Account 12345678"))]);
  const facts = await readFacts(
    boundary([
      textPart("See below"),
      `Content-Type: message/rfc822\r\nContent-Disposition: attachment; filename="forwarded.eml"\r\n\r\n${inner}\r\n`,
    ]),
  );
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
});

test("an account in the words and another in the invoice are several", async () => {
  const facts = await readFacts(
    boundary([
      textPart(`Our bank details have changed: ${OTHER}`),
      filePart("invoice.pdf", pdf("BSB 062-000", "Account 12345678")),
    ]),
  );
  expect(codesOf(facts)).toEqual(expect.arrayContaining(["new_bank_details_words", "several_accounts"]));
});

test.each([
  ["can you send it to ANZ 015636 / 76862310 this time?", "number_written_otherwise"],
  ["please wire it to 015 636 / 7686 2310", "number_written_otherwise"],
  ["can you send it to ANZ 015636 76862310 this time?", "number_without_label"],
  ["we sent order 4411 on 12/11, call 0412 345 678 or 08 7025 1312", undefined],
])("an account that an answer asks for without a label, above the quoted one: %j", async (words, code) => {
  const facts = await readFacts(message(`${words}\n\n> BSB: 062-000\n> Account: 12345678`, "text/plain"));
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
  expect(codesOf(facts)).toEqual(code ? [code] : []);
});

test("words against the account quote it, and its number only in part", async () => {
  const facts = await readFacts(message("Our bank account (062-000 12345678) is under review.", "text/plain"));
  const [said] = documentFacts(toStored(facts)).noticed;
  expect(said).toMatchObject({ code: "refused_account_words", weight: "refused" });
  expect(said?.message).toContain("is under review");
  expect(said?.message).not.toMatch(/12345678/);
});

test("a picture or an archive is said to be unread: never that there are no bank details", async () => {
  const facts = await readFacts(
    boundary([
      textPart("See attached"),
      filePart("scan.png", new Uint8Array(800), "image/png"),
      filePart("invoice.zip", new Uint8Array([80, 75, 3, 4]), "application/zip"),
    ]),
  );
  expect(codesOf(facts)).toEqual(["attachment_not_read", "picture_could_not_be_read"]);
  expect(facts.isReadableEverywhere).toBe(false);
});

test.each([
  ["another account", ["BSB: 732-001", "Account number: 99887766"], ["account_could_not_be_read"]],
  ["the same account", ["BSB: 062-000", "Account number: 12345678"], []],
  ["the same number and a digit more", ["BSB: 062-000", "Account number: 123456789"], ["account_could_not_be_read"]],
  ["a name", ["Karri Floors", "of Fremantle"], []],
])("a picture in a message that shows %s", async (_, texts, codes) => {
  const picture = await pngOf(texts);
  const own = `${PAY}<img src="cid:a">`;
  const inline = `Content-Type: image/png\r\nContent-ID: <a>\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(picture).toString("base64")}\r\n`;
  expect(codesOf(await readFacts(boundary([htmlPart(own), inline], "related")))).toEqual(codes);
  const address = `data:image/png;base64,${Buffer.from(picture).toString("base64")}`;
  expect(codesOf(await readFacts(boundary([htmlPart(`${PAY}<img src="${address}">`)], "related")))).toEqual(codes);
});

test.each([
  ["a picture of lines", `<svg><text>${OTHER}</text></svg>`, "hidden_in_email"],
  ["words for another program alone", `<!--[if mso]><p>${OTHER}</p><![endif]-->`, "hidden_in_email"],
  ["words in place of a picture", `<img alt="${OTHER}">`, "hidden_in_email"],
  ["a page in the message", `<iframe srcdoc="<p>${OTHER}</p>"></iframe>`, "hidden_in_email"],
  ["the value of a field", `<input value="${OTHER}">`, "hidden_in_email"],
  ["the words of a drawing", `<v:shape><v:textpath on="t" string="${OTHER}"/></v:shape>`, "hidden_in_email"],
  [
    "the words of a drawing for one program alone",
    `<!--[if gte vml 1]><v:shape><v:textpath string="${OTHER}"/></v:shape><![endif]-->`,
    "hidden_in_email",
  ],
  [
    "the outline of a drawing",
    `<!--[if gte vml 1]><v:shape path="m 0,0 ${"l 9,9 ".repeat(60)} e"/><![endif]-->`,
    "picture_could_not_be_read",
  ],
  [
    "digits in circles",
    "<p>Pay \u2466\u2462\u2461\u24ea\u24ea\u2460 \u2468\u2468\u2467\u2467</p>",
    "number_without_label",
  ],
])("another account as %s is named", async (_, inside, code) => {
  expect(codesOf(await readFacts(boundary([htmlPart(`${PAY}${inside}`)], "related")))).toContain(code);
});

const cells = (row: string, cell: (ink: boolean) => string) => [...row].map((ink) => cell(ink === "1")).join("");
const drawn = [...rowsOfDots("732001"), ...rowsOfDots("99887766")];
const STEPS = Array.from({ length: 9 }, (_, at) => at);
const SHADOWS = STEPS.flatMap((x) => STEPS.map((y) => `${x * 2}px ${y * 3}px #000`));
const DRAWN: Record<string, string> = {
  "cells without words": `<table>${drawn.map((row) => `<tr>${cells(row, (ink) => `<td${ink ? " bgcolor=#000" : ""}></td>`)}</tr>`).join("")}</table>`,
  "blocks side by side": drawn
    .map((row) => `<p>${cells(row, (ink) => `<b style="background:${ink ? "#000" : "#fff"}">&nbsp;</b>`)}</p>`)
    .join(""),
  "the edges of cells": `<table>${STEPS.map((at) => `<tr>${STEPS.map((other) => `<td style="border-${(at + other) % 2 === 0 ? "top" : "left"}:2px solid"></td>`).join("")}</tr>`).join("")}</table>`,
  signs: `<pre>${drawn.map((row) => cells(row, (ink) => (ink ? "\u2588" : " "))).join("\n")}</pre>`,
  "a letter again and again": `<pre>${drawn.map((row) => cells(row, (ink) => (ink ? "X" : " "))).join("\n")}</pre>`,
  Braille: `<p>\u28ff\u28c0 \u2807\u2838 \u28ff\u28c0<br>\u28c0\u28ff \u2827\u283c \u28ff\u28ff</p>`,
  shadows: `<div style="width:2px;height:2px;box-shadow:${SHADOWS.join()}"></div>`,
  "a picture of lines": `<svg width="300" height="40"><path d="M0 0h9v9z"/></svg>`,
  "the numbers of a list, one digit each": `<ol>${[..."73200199887766"].map((digit) => `<li value="${digit}"></li>`).join("")}</ol>`,
  "digits that styles add": `<style>.a:before{content:"732001"}.b:before{content:attr(data-n)}</style><i class="a"></i><i class="b" data-n="99887766"></i>`,
  "the marks of a list": `<style>.a{list-style-type:"732001 "}.b{list-style:"99887766" inside}</style><ul><li class="a"></li><li class="b"></li></ul>`,
  "marks that the message defines": `<style>@counter-style a{system:cyclic;symbols:"732001" "99887766"}</style><ol style="list-style:a"><li></li></ol>`,
  "what styles count": `<style>p{counter-reset:a 732001 b 99887766}p:after{content:counter(a) " " counter(b)}</style><p></p>`,
};

test.each(Object.entries(DRAWN))("another account drawn by %s is named", async (_, inside) => {
  const facts = await readFacts(html(`${PAY}${inside}`));
  expect(codesOf(facts).join()).toMatch(/number_written_otherwise|picture_could_not_be_read/);
});

test("the numbers of a list's items are read as they are shown", async () => {
  const list = `<p>Pay to BSB</p><ol start="732001"><li>(BSB)</li></ol><p>and account</p><ol><li value="99887766">(account number)</li></ol>`;
  const facts = await readFacts(html(list));
  expect(facts.accounts).toMatchObject([{ bsb: "732001", accountNumber: "99887766" }]);
  expect(codesOf(facts)).toContain("number_written_otherwise");
});

const PLAIN: Record<string, string> = {
  "a list with numbers": `<ol><li>Sanding</li><li>Sealing</li></ol><ol start="3"><li>Waxing</li></ol><ol><li value="4">Oiling</li></ol>`,
  "a list without visible numbers": `<ol style="list-style:none"><li value="732001">Sanding</li></ol>`,
  "stripes and steps": `<table><tr>${STEPS.map((at) => `<td bgcolor="${at % 2 ? "#eee" : "#0a0"}"></td>`).join("")}</tr></table>`,
  "a table with empty cells": `<table>${STEPS.map(() => `<tr><td style="border:1px solid">Oak</td>${STEPS.map(() => `<td style="border:1px solid"></td>`).join("")}</tr>`).join("")}</table>`,
  rules: `<pre>-----------------------\n=======================\n* * * * * * * * * * * *\n</pre>`,
  "styles of Word": `<style>ol.lst_4{counter-reset:lst_400 0}li:before{content:counter(lst_400) ". "}</style><ol class="lst_4"><li>Oak</li></ol>`,
};

test.each(Object.entries(PLAIN))("%s is no number", async (_, inside) => {
  expect(codesOf(await readFacts(html(`${PAY}${inside}`)))).toEqual([]);
});

test("lines end where they end in the source of a message that says so", async () => {
  const facts = await readFacts(html("<pre>Karri Floors\nBSB: 062-000\nAccount: 12345678\nRef: 99887766</pre>"));
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
});

test.each([
  ["invoice.html", "text/html", `<p>${OTHER}</p>`],
  ["invoice.txt", "text/plain", OTHER],
])("what is attached as words is read: %s", async (name, type, words) => {
  const facts = await readFacts(boundary([htmlPart(PAY), filePart(name, latin(words), type)]));
  expect(accountsOf(facts)).toEqual(["062000 12345678", "732001 99887766"]);
  expect(codesOf(facts)).toEqual(["several_accounts"]);
});

/** A Word document: one file of a ZIP archive, packed. */
function letter(text: string): Uint8Array {
  const [name, packed] = [latin("word/document.xml"), deflateRawSync(`<w:p><w:t>${text}</w:t></w:p>`)];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, name, packed, entry, name, end]);
}

test.each([
  ["letter.docx", "application/octet-stream", letter(OTHER)],
  ["invoice.svg", "image/svg+xml", latin(`<svg xmlns="http://www.w3.org/2000/svg"><text>${OTHER}</text></svg>`)],
])("the words of %s are read, and not certain", async (name, type, bytes) => {
  const invoice = filePart("invoice.pdf", pdf("BSB 062-000", "Account 12345678"));
  const facts = await readFacts(boundary([htmlPart("See attached"), invoice, filePart(name, bytes, type)]));
  expect(accountsOf(facts)).toEqual(["062000 12345678", "732001 99887766?"]);
});

test("a drawing that is attached and has no words may show anything", async () => {
  const drawing = filePart("invoice.svg", latin("<svg><path d='M0 0h9'/></svg>"), "image/svg+xml");
  const facts = await readFacts(boundary([htmlPart(PAY), drawing]));
  expect(codesOf(facts).join()).toMatch(/attachment_not_read|picture_could_not_be_read/);
});

test("another account in the name of an attached file", async () => {
  const named = filePart("BSB 732-001 Account_99887766.pdf", pdf("BSB 062-000", "Account 12345678"));
  expect(codesOf(await readFacts(boundary([htmlPart("See attached"), named])))).toContain("body_parts_differ");
});

test("what takes no place among letters and digits is left out", async () => {
  const body = "B\u200bS\u00adB 73\u20602-0\u00ad01 Acc\u00adount 9988\u200b77\u00ad66";
  expect(accountsOf(await readFacts(html(body)))).toEqual(["732001 99887766"]);
});

const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));

test.each([
  ["invoice.html", "text/html", utf16(`<p>${OTHER}</p>`)],
  ["invoice.txt", "text/plain", utf16(OTHER)],
  ["invoice.rtf", "text/plain", latin(String.raw`{\rtf1 BSB 732-0\b0 01 Account 99887766}`)],
  ["invoice.xls", "text/plain", Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0x41)],
])("what programs may show otherwise than as these words is not read: %s as %s", async (name, type, bytes) => {
  const facts = await readFacts(boundary([htmlPart(PAY), filePart(name, bytes, type)]));
  expect(accountsOf(facts)).toEqual(["062000 12345678?"]);
  expect(codesOf(facts)).toEqual(["attachment_not_read"]);
});

test.each(["background: a", "counter-reset: a 123 ", "list-style: '1' "])(
  "a style as long as a message, for each of two thousand elements, is read in time: %s",
  async (style) => {
    const [key = "", value = ""] = style.split(":");
    const sheet = `<style>p { ${key}: ${value.repeat(380_000 / value.length)} }</style>`;
    expect(await read(html("<p>a</p>".repeat(2_000), sheet))).toMatchObject({ status: "read" });
  },
);

test("words of a style that are too long to be read may be a number", async () => {
  const long = `<style>p::before { content: "${"x".repeat(1_200)} ${OTHER}" }</style>`;
  expect(codesOf(await readFacts(html(PAY, long)))).toContain("number_written_otherwise");
});

test.each([
  `<script>document.body.innerHTML = ""</script>`,
  `<img title=">" src="x" onerror="document.body.innerHTML = ''">`,
  `<iframe src="https://karrifloors.example"></iframe>`,
  `<meta http-equiv="refresh" content="0;url=https://karrifloors.example">`,
])("what a script or another page in an attached page shows is not known: %s", async (active) => {
  const page = latin(`<p>${OTHER}</p>${active}`);
  const facts = await readFacts(boundary([htmlPart("See attached"), filePart("invoice.html", page, "text/html")]));
  expect(accountsOf(facts)).toEqual(["732001 99887766?"]);
  expect(codesOf(facts)).toEqual(expect.arrayContaining(["script_action", "attachment_not_read"]));
});

const SCRIPTED = filePart("invoice.htm", latin("<script>document.write(atob('QlNC'))</script>"), "text/html");
const INVOICE = filePart("invoice.pdf", pdf("BSB 062-000", "Account 12345678"));
const SCAN = filePart("scan.tif", Buffer.concat([latin("II*\0"), new Uint8Array(900)]), "image/tiff");
test.each([
  ["a page that a script writes", [SCRIPTED], "attachment_not_read", true],
  ["a page that a script writes, beside the invoice", [SCRIPTED, INVOICE], "attachment_not_read", true],
  ["a scan of a kind that is not looked at", [SCAN], "picture_could_not_be_read", true],
  ["a scan beside the invoice", [SCAN, INVOICE], "picture_could_not_be_read", false],
] as const)(
  "an attachment that cannot be read wholly makes the account uncertain: %s",
  async (_, files, code, isUnsure) => {
    const facts = await readFacts(boundary([htmlPart(PAY), ...files]));
    expect(accountsOf(facts)).toEqual([`062000 12345678${isUnsure ? "?" : ""}`]);
    expect(codesOf(facts)).toContain(code);
  },
);

test.each([
  ["invoice.docx", [], ["062000 12345678?"]],
  ["invoice.docx", [filePart("invoice.pdf", pdf("BSB 062-000", "Account 12345678"))], ["062000 12345678"]],
  ["card.vcf", [], ["062000 12345678"]],
])("an account in the message beside %s, which is not read, and %j", async (name, others, accounts) => {
  const unread = filePart(name, new Uint8Array([80, 75, 3, 4]), "application/octet-stream");
  expect(accountsOf(await readFacts(boundary([htmlPart(PAY), unread, ...others])))).toEqual(accounts);
});

test("digits drawn as keys are read", async () => {
  const keys = (digits: string) => [...digits].map((digit) => `${digit}\ufe0f\u20e3`).join("");
  const facts = await readFacts(boundary([htmlPart(`<p>BSB ${keys("062000")} Account ${keys("12345678")}</p>`)]));
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
});

test.each([["Auto-Submitted: auto-replied"], ["Precedence: bulk"], ["List-Id: <news.example>"], ["Return-Path: <>"]])(
  "no answer to %s",
  async (header) => {
    expect((await readFacts(message("Out of office", "text/plain", [header]))).email?.isAutoReply).toBe(true);
  },
);

test.each([
  "Content-Type: image/png\r\nContent-ID: <a>\r\nContent-Disposition: inline\r\n\r\nx\r\n",
  "Content-Type: application/octet-stream\r\nContent-Disposition: attachment\r\n\r\nx\r\n",
  "Content-Type: message/external-body; access-type=URL\r\n\r\nContent-Type: application/pdf\r\n",
])("a part without a name, or that nothing points at, is not read: %.40s", async (part) => {
  const facts = await readFacts(boundary([htmlPart("<p>Please see below.</p>"), part], "related"));
  expect(facts.isReadableEverywhere).toBe(false);
});

test("an invitation that names another account than the message", async () => {
  const invitation = `Content-Type: text/calendar\r\n\r\nDESCRIPTION:Pay ${OTHER}\r\n`;
  const facts = await readFacts(boundary([htmlPart(PAY), invitation], "alternative"));
  expect(codesOf(facts)).toContain("body_parts_differ");
});

test.each([
  [OTHER, ["732001 99887766?"]],
  ["+AEIAUwBC- 732-001 Account 99887766", ["732001 99887766?"]],
])("an account in UTF-7 is read: %s", async (words, accounts) => {
  const facts = await readFacts([...HEADERS, "Content-Type: text/plain; charset=utf-7", "", words].join("\r\n"));
  expect(accountsOf(facts).map((account) => `${account.replace("?", "")}?`)).toEqual(accounts);
  expect(facts.isReadableEverywhere).toBe(false);
});

test("what is no document says so", async () => {
  expect(await read("Just some words.\n")).toEqual({ status: "unreadable", reason: "not_a_document" });
  expect(await read(new Uint8Array())).toEqual({ status: "unreadable", reason: "not_a_document" });
});

test("a number stands under the head of its column, however wide the cells before it are", async () => {
  const row = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  const table =
    row("th", ["Name", "BSB", "A/C No."]) + row("td", ["Bangalow Consulting Pty Ltd", "062-000", "12345678"]);
  const facts = await readFacts(html(`<table>${table}</table>`));
  expect(accountsOf(facts)).toEqual(["062000 12345678"]);
});

test("a part with styles of its own counts as what it shows once its scripts have run", async () => {
  const part = (type: string, body: string) => `--alt\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${body}\r\n`;
  const styled = `<html amp4email><head><style amp4email-boilerplate>body{visibility:hidden}</style></head><body>${OTHER}</body></html>`;
  const parts = `${part("text/x-amp-html", styled)}${part("text/html", PAY)}--alt--`;
  const facts = await readFacts(
    [...HEADERS, 'Content-Type: multipart/alternative; boundary="alt"', "", parts].join("\r\n"),
  );
  expect(codesOf(facts)).toContain("body_parts_differ");
  expect(accountsOf(facts)).toEqual(["062000 12345678?"]);
});
