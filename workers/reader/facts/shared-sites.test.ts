import { expect, test } from "vitest";
import type { ReadFacts } from "~/ports/document-reader";
import { readShownHtml } from "../email/shown-html";
import { linesOfText } from "../layout/lines";
import { findOtherWays, paymentLinks } from "./other-ways";
import { addCode } from "./qr-codes";
import { siteOf } from "./shared-sites";

/** Which part of an address says who is paid. */

const findPaymentLinks = (html: string) => paymentLinks(readShownHtml(html).links);

test.each([
  ["pay.karrifloors.com.au/inv/1", "pay.karrifloors.com.au"],
  ["karri.square.site/item/7", "karri.square.site"],
  ["paypal.me/karrifloors/50", "paypal.me/karrifloors"],
  ["paypal.com/paypalme/karrifloors/50", "paypal.com/paypalme/karrifloors"],
  ["paypal.com/ncp/payment/NSZL98LMSGYWE", "paypal.com/ncp/payment/NSZL98LMSGYWE"],
  ["paypal.com/invoice/p", "paypal.com/…"],
  ["wise.com/pay/business/karrifloors", "wise.com/pay/business/karrifloors"],
  ["wise.com/pay/r/wC7Us-4r3knkCCY", "wise.com/…"],
  ["linktr.ee/karrifloors", "linktr.ee/karrifloors"],
  ["buy.stripe.com/6oE4jB1Cg", "buy.stripe.com/6oE4jB1Cg"],
  ["invoice.stripe.com/i/acct_1M2JTk/live_YWNj", "invoice.stripe.com/i/acct_1M2JTk"],
  ["checkout.stripe.com/c/pay/cs_live_a1", "checkout.stripe.com/…"],
  ["square.link/u/oHYfrPux", "square.link/u/oHYfrPux"],
  ["checkout.square.site/merchant/MLCT3G6R606D6/checkout/K4UY", "checkout.square.site/merchant/MLCT3G6R606D6"],
  ["checkout.square.site/buy/SMTLM436Z4", "checkout.square.site/…"],
  ["squareup.com/pay-invoice/inv-0-ChBF", "squareup.com/…"],
  ["pay.gocardless.com/BRT0004M3FDSNEA", "pay.gocardless.com/BRT0004M3FDSNEA"],
  ["pay.gocardless.com/flow/RE123", "pay.gocardless.com/…"],
  ["in.xero.com/U8b6mek8Laro784f", "in.xero.com/…"],
  ["in.xero.com", "in.xero.com/…"],
  ["connect.intuit.com/pay/KarriFloors/scs-v1-5e05", "connect.intuit.com/…"],
  ["pay.airwallex.com/sghgspa33ccg", "pay.airwallex.com/sghgspa33ccg"],
  ["pay.pinpayments.com/qkbo/sc", "pay.pinpayments.com/qkbo"],
  ["secure.lawpay.com/pages/karri-law/trust", "secure.lawpay.com/pages/karri-law"],
  ["bpoint.com.au/payments/chittering", "bpoint.com.au/payments/chittering"],
  ["bpoint.com.au", "bpoint.com.au"],
  ["rb.gy/x1y2z3", "rb.gy/x1y2z3"],
  ["docs.google.com/forms/d/e/1FAIpQLSf_q-Z/viewform", "docs.google.com/forms/d/e/1FAIpQLSf_q-Z"],
  ["docs.google.com/spreadsheets/d/1", "docs.google.com/…"],
  ["m.paypal.com/paypalme/karrifloors", "paypal.com/paypalme/karrifloors"],
  ["m.paypal.com/invoice/p", "paypal.com/…"],
  ["app.squareup.com/pay/1", "squareup.com/…"],
  ["eu.checkout.square.site/merchant/MLCT3G6R606D6", "checkout.square.site/merchant/MLCT3G6R606D6"],
  ["hosted.stripe.com/acct/1", "hosted.stripe.com/…"],
  ["go.xero.com/1", "go.xero.com/…"],
  ["xero.com", "xero.com/…"],
  ["xn--xer-tqc.com", "xn--xer-tqc.com"],
  ["notpaypal.com/paypalme/karrifloors", "notpaypal.com"],
  ["paypal.me:443/karrifloors", "paypal.me/karrifloors"],
  ["linktr.ee/karri.crook", "linktr.ee/karri.crook"],
  ["paypal.me/karri%66loors", "paypal.me/karri%66loors"],
])("%s is paid as %s, however the address is written", (address, site) => {
  const [, host = "", path = ""] = /^([^/:]*)(.*)$/.exec(address) ?? [];
  expect(siteOf(address)).toBe(site);
  expect(siteOf(`WWW.${host.toUpperCase()}.${path}`)).toBe(site);
  const target = `https://${address}?amount=50`;
  const ways = [
    findOtherWays(linesOfText(`Pay online at ${target} by card.`)),
    findOtherWays(linesOfText(`Pay by card (www.${address}).`)),
    findPaymentLinks(`<a href="${target}">Pay now</a>`),
    paymentLinks([{ target, words: "Pay now" }]),
  ];
  expect(ways.map((found) => found.map(({ way }) => way))).toEqual([[site], [site], [site], [site]]);
});

/** Addresses that lead elsewhere in a browser, though they look like the payee's own. */
test.each([
  [String.raw`https://elsewhere.top\@karrifloors.com.au`, "elsewhere.top"],
  ["https://elsewhere.top?@karrifloors.com.au", "elsewhere.top"],
  ["https://elsewhere.top#@karrifloors.com.au", "elsewhere.top"],
  ["https://one@karrifloors.com.au@elsewhere.top/1", "elsewhere.top"],
  [`https://karrifloors.com.au:${"a".repeat(80)}@elsewhere.top/1`, "elsewhere.top"],
  ["https://payékarrifloors.com.au/1", "xn--paykarrifloors-dkb.com.au"],
  ["https://karrifloors.com.aué.top/1", "karrifloors.com.xn--au-cja.top"],
  ["https://karrifloors.com.au。elsewhere.top/1", "karrifloors.com.au.elsewhere.top"],
  ["https://203.0.113.7/karrifloors.com.au", "203.0.113.7"],
  ["https://else%77here.top/1", "elsewhere.top"],
  ["https://paypal.me/karrifloors/../elsewhere", "paypal.me/elsewhere"],
  ["https://paypal.me/karrifloors/%2e%2e/elsewhere", "paypal.me/elsewhere"],
  [String.raw`https:\\elsewhere.top\karrifloors.com.au`, "elsewhere.top"],
  ["https:/elsewhere.top/1", "elsewhere.top"],
  ["HTTPS:elsewhere.top/1", "elsewhere.top"],
])("%s leads to %s, wherever it stands", (link, site) => {
  const read: ReadFacts = {
    ...{ status: "read", kind: "pdf", pages: 1, currency: "AUD", isReadableEverywhere: true },
    ...{ accounts: [], bpay: [], payIds: [], abns: [], emails: [], findings: [] },
  };
  addCode(read, { text: link }, "", 1);
  const ways = [
    findOtherWays(linesOfText(`Pay online at ${link} by card.`)),
    findPaymentLinks(`<a href="${link}">Pay now</a>`),
    findPaymentLinks(`<a href="${[...link].map((letter) => `&#${letter.codePointAt(0)};`).join("")}">Pay now</a>`),
    paymentLinks([{ target: link, words: "Pay now" }]),
    read.findings,
  ];
  expect(ways.map((found) => found.map(({ way }) => way))).toEqual([[site], [site], [site], [site], [site]]);
});
