import { expect, test } from "vitest";
import { readShownHtml } from "../email/shown-html";
import { linesOfText } from "../layout/lines";
import { findPayIds } from "./other-numbers";
import { findOtherWays, paymentLinks } from "./other-ways";

/** Sites that a document asks to be paid at, and names for cheques. */

const findPaymentLinks = (html: string) => paymentLinks(readShownHtml(html).links);
const waysOf = (text: string) => findOtherWays(linesOfText(text)).map(({ code, way }) => `${code} ${way}`);

test.each([
  ["Pay online at https://pay.karri-floors.com/inv/1", "payment_link pay.karri-floors.com"],
  ["Pay this invoice by card:\nwww.karrifloors.com.au/pay", "payment_link karrifloors.com.au"],
  ["Credit card payments: karri.square.site", "payment_link karri.square.site"],
  ["Payment portal https://karri@elsewhere.com/x", "payment_link elsewhere.com"],
  ["Pay online at https://karri.cheap/1", "payment_link karri.cheap"],
  ["Pay by card: paypal.me/karrifloors", "payment_link paypal.me/karrifloors"],
  ["Pay by card: https://www.paypal.com/paypalme/crook/50", "payment_link paypal.com/paypalme/crook"],
  ["Pay by card: https://bit.ly/3xY_z?a=1", "payment_link bit.ly/3xY_z"],
  ["Cheques payable to Karri Floors Pty Ltd, PO Box 12", "cheque_payee Karri Floors Pty Ltd"],
  ["Please make cheques payable to:\nJ. Crook and Sons\nPO Box 1", "cheque_payee J. Crook and Sons"],
  ["Cheques payable to Karri Floors Pty. Ltd. Quote the number of it.", "cheque_payee Karri Floors Pty. Ltd"],
])("%j names %s", (text, way) => {
  expect(waysOf(text)).toEqual([way]);
});

test.each([
  "Karri Floors Pty Ltd\nwww.karrifloors.com.au",
  "Please pay to the account above. Questions: accounts@karrifloors.com.au",
  "Please pay within 14 days.\naccounts@karrifloors.com.au",
  "We accept cheques.",
])("no other way to pay: %j", (text) => {
  expect(waysOf(text)).toEqual([]);
});

test.each([
  ["Pay at kаrrifloors.com.au by card", "payment_link xn--krrifloors-zqi.com.au"],
  ["Pay at https://kаrrifloors.com.au by card", "payment_link xn--krrifloors-zqi.com.au"],
  ["Pay at karrifloors.cоm.au by card", "payment_link karrifloors.xn--cm-fmc.au"],
])("a site whose name has a letter of another script is another site: %j", (text, way) => {
  const asInPdf = linesOfText(text).map((line) => ({
    ...line,
    text: line.text.replace("а", "a").replace("о", "o"),
    chars: line.chars.map((char) => char && (/[ао]/.test(char.text) ? { ...char, written: char.text } : char)),
  }));
  for (const lines of [asInPdf, linesOfText(text)])
    expect(findOtherWays(lines).map(({ code, way: site }) => `${code} ${site}`)).toEqual([way]);
});

test("a PayID with a letter of another script is another PayID", () => {
  const lines = linesOfText("PayID: accounts@karrifloors.com.au");
  const letter = lines[0]?.chars.find((char) => char?.text === "k");
  expect(findPayIds(lines)).toMatchObject([{ payId: "accounts@karrifloors.com.au", type: "email" }]);
  Object.assign(letter ?? {}, { written: "к" });
  expect(findPayIds(lines)).toMatchObject([{ payId: "accounts@кarrifloors.com.au", type: "email" }]);
});

test("many sites hide neither another one nor a name for cheques", () => {
  const sites = Array.from({ length: 20 }, (_, at) => `Pay at ${at}.karrifloors.com`);
  const ways = waysOf([...sites, "Pay at elsewhere.com", "Cheques payable to J. Crook"].join("\n"));
  expect(ways.slice(-2)).toEqual(["payment_link elsewhere.com", "cheque_payee J. Crook"]);
});

test("the links of a message under words that ask to be paid there", () => {
  const html = `<a class="x" href="https://pay.elsewhere.com/1"><b>Pay</b> now</a> <a href="https://karrifloors.com.au">Our site</a>
    <a href='http://karrifloors.com.au@elsewhere.net/2'>Pay by card</a> <a href="https://paypal.me/crook?x">Pay</a>
    <a href="https://button.elsewhere.com"><img width="9" alt="Pay this invoice"></a>`;
  expect(findPaymentLinks(html).map(({ way }) => way)).toEqual([
    "pay.elsewhere.com",
    "elsewhere.net",
    "paypal.me/crook",
    "button.elsewhere.com",
  ]);
  expect(findPaymentLinks(`<a href="https://${"a".repeat(100_000)}`)).toEqual([]);
  const written = [
    `<a title=">" < href=https://elsewhere.net/'>Pay now`,
    `<a/style="${"color:red;".repeat(60)}" href = 'https://elsewhere.net'>Pay${"<br>".repeat(300)} now</a>`,
  ];
  for (const each of written) expect(findPaymentLinks(each).map(({ way }) => way)).toEqual(["elsewhere.net"]);
});

test.each([
  ["Pay now at karrifloors.com.au", "https://karrifloors-pay.top/1", true],
  ["Pay now at karrifloors.com.au", "https://karrifloors.com.au.elsewhere.top/1", true],
  ["Pay at www.karrifloors.com.au", "https://pay.karrifloors.com.au/1", false],
  ["Pay at pay.karrifloors.com.au", "https://karrifloors.com.au:443/1", false],
  ["Pay now", "https://karrifloors-pay.top/1", false],
])("the words of a link name another site than it leads to: %j, %s", (words, target, isElsewhere) => {
  const found = [findPaymentLinks(`<a href="${target}"><b>${words}</b></a>`), paymentLinks([{ target, words }])];
  for (const codes of found.map((each) => each.map(({ code }) => code)))
    expect(codes).toEqual(["payment_link", ...(isElsewhere ? ["link_leads_elsewhere"] : [])]);
});

test("a link without words that ask to be paid", () => {
  expect(paymentLinks([{ target: "https://elsewhere.com", words: "www.karrifloors.com.au" }])).toEqual([]);
  expect(paymentLinks([{ target: "mailto:a@karrifloors.com.au", words: "Pay" }])).toEqual([]);
});

test.each([
  `<a href=https://${"a".repeat(240)}>`.repeat(3_000),
  `<a href=https://a.com>${"<".repeat(900)}</a>`.repeat(800),
  `<a href=https://a.com/b/c/d/e/f>${"<".repeat(900)}</a>`.repeat(800),
  `<a href=https://a.com${"/b".repeat(900)} `.repeat(800),
  ...["<a ", "<a href=", `<a "`, "<a ='", "<a href='x' "].map((part) => part.repeat(800_000 / part.length)),
])("links without an end take no time: %.40s", (html) => {
  const { user } = process.cpuUsage();
  expect(findPaymentLinks(html)).toEqual([]);
  expect(process.cpuUsage().user - user).toBeLessThan(800_000);
});

test.each([
  ["Pay by Osko only, to the mobile 0491 575 254.", ["0491575254"]],
  ["Osko: 0400 000 000", ["0400000000"]],
  ["Pay by Osko to pay@karri.example", ["pay@karri.example"]],
  ["Send by PayID to our mobile number 0491 575 254", ["0491575254"]],
  ["Send it to our mobile 0491 575 254 by PayID", ["0491575254"]],
  ["Osko payments welcome. Phone 0400 000 000", []],
  ["We support Osko. Call 0491 570 156 with questions.", []],
  ["Pay with Osko or PayID, questions to 0491 570 156", []],
])("a mobile or an email for fast payments: %j", (text, payIds) => {
  expect(findPayIds(linesOfText(text)).map(({ payId }) => payId)).toEqual(payIds);
});
