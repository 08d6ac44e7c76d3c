import { expect, test } from "vitest";
import { linesOfText } from "../layout/lines";
import { findOtherWays, findPaymentLinks, paymentLinks } from "./other-ways";
import { siteOf } from "./shared-sites";

/** Which part of an address says who is paid. */

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
  ["paypal.me:443/karrifloors", "paypal.me/karrifloors"],
  ["linktr.ee/karri.crook", "linktr.ee/karri.crook"],
  ["paypal.me/karri%66loors", "paypal.me/karri%66loors"],
])("%s is paid as %s, however the address is written", (address, site) => {
  const [, host = "", path = ""] = /^([^/:]*)(?::443)?(.*)$/.exec(address) ?? [];
  expect(siteOf(host, path)).toBe(site);
  expect(siteOf(`WWW.${host.toUpperCase()}.`, path)).toBe(site);
  const target = `https://${address}?amount=50`;
  const ways = [
    findOtherWays(linesOfText(`Pay online at ${target} by card.`)),
    findOtherWays(linesOfText(`Pay by card (www.${address}).`)),
    findPaymentLinks(`<a href="${target}">Pay now</a>`),
    paymentLinks([{ target, words: "Pay now" }]),
  ];
  expect(ways.map((found) => found.map(({ way }) => way))).toEqual([[site], [site], [site], [site]]);
});
