/**
 * Sites at which many payees are paid, with the start of the path that names who is paid: a handle, a page, or a link of
 * one account's. Null: nothing in an address there does, or it is another one for each invoice. From the vendors'
 * documentation and from links that businesses published. Portals of a bank's billers are known by their host, because a
 * biller needs a contract with the bank.
 */
const SHARED: Readonly<Record<string, RegExp | null>> = {
  "paypal.me": /^\/[^/]+/,
  "paypal.com": /^\/(?:paypalme|ncp\/payment)\/[^/]+/,
  "revolut.me": /^\/[^/]+/,
  "wise.com": /^\/pay\/(?:me|business)\/[^/]+/,
  "linktr.ee": /^\/[^/]+/,
  "buy.stripe.com": /^\/[^/]+/,
  "donate.stripe.com": /^\/[^/]+/,
  "invoice.stripe.com": /^\/i\/acct_[^/]+/,
  "pay.stripe.com": /^\/invoice\/acct_[^/]+/,
  "checkout.stripe.com": null,
  "billing.stripe.com": null,
  "square.link": /^\/u\/[^/]+/,
  "checkout.square.site": /^\/merchant\/[^/]+/,
  "squareup.com": null,
  "app.squareup.com": null,
  "pay.gocardless.com": /^\/(?:AL|BRT)[^/]+/,
  "in.xero.com": null,
  "invoice.xero.com": null,
  "connect.intuit.com": null,
  "my.myob.com": null,
  "pay.airwallex.com": /^\/[^/]+/,
  "checkout.airwallex.com": null,
  "pay.pinpayments.com": /^\/[^/]+/,
  "pay.getpinch.com.au": /^\/pay\/[^/]+/,
  "secure.lawpay.com": /^\/pages\/[^/]+/,
  "secure.affinipay.com": /^\/pages\/[^/]+/,
  "zohosecurepay.com": /^\/(?:books|checkout)\/[^/]+/,
  "bpoint.com.au": /^\/(?:payments|pay)\/[^/]+|^/,
  "forms.gle": /^\/[^/]+/,
  "docs.google.com": /^\/forms\/d\/(?:e\/)?[^/]+/,
  "sites.google.com": /^\/(?:view|site)\/[^/]+/,
  "forms.office.com": /^\/r\/[^/]+/,
};
/** An address there leads to any other. */
const SHORTENED =
  /^(?:bit\.ly|tinyurl\.com|t\.co|rb\.gy|cutt\.ly|shorturl\.at|is\.gd|ow\.ly|goo\.gl|t\.ly|tiny\.cc|rebrand\.ly|qrco\.de)$/;
const FIRST_PART = /^\/[^/]+/;

/** A port, and a path as far as it may say who is paid. */
export const PATH = String.raw`(?::\d{1,5})?((?:\/[^\s/?#"'<>\\]{1,100}){1,4})?`;
/** A sentence goes on after an address. */
const AFTER = /[.,;:!)\]’”]+$/;

const LONGEST_SITE = 255;

export const hostOf = (host: string): string =>
  host
    .toLowerCase()
    .slice(0, LONGEST_SITE)
    .replace(/^www\.|\.$/g, "");

/** Who is paid at an address: its host, and at a shared site the path that names them, or "/…" where nothing does. */
export function siteOf(host: string, path = ""): string {
  const site = hostOf(host);
  const naming = SHORTENED.test(site) ? FIRST_PART : Object.hasOwn(SHARED, site) ? SHARED[site] : undefined;
  return naming === undefined ? site : `${site}${naming?.exec(path.replace(AFTER, ""))?.[0] ?? "/…"}`;
}
