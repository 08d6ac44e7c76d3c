import { splitDomain } from "~/kernel/domain-name";

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

/** What follows "https:" in a link; what a question mark or a number sign begins never says who is paid. */
export const REST_OF_LINK = String.raw`[^\s<>"?#]{1,2000}`;
/** A sentence goes on after an address. */
const AFTER = /[.,;:!)\]'’”]+$/;
const SCHEME = /^https?:/i;
const LONGEST_SITE = 255;

export const isLink = (target: string): boolean => SCHEME.test(target.trimStart());

/** Where a browser goes by a link, whatever stands before "@", and however its letters and slashes are written. */
function followed(link: string) {
  const [text] = link.trim().replace(AFTER, "").split(/[?#]/);
  const whole = SCHEME.test(text ?? "") ? `${text}` : `https://${text}`;
  // No browser follows a link that is none; as written it is nobody's.
  return URL.canParse(whole) ? new URL(whole) : { hostname: link, pathname: "" };
}

export const hostOf = (link: string): string =>
  followed(link)
    .hostname.toLowerCase()
    .slice(0, LONGEST_SITE)
    .replace(/^www\.|\.$/g, "");

/** Whose other sites are shared too: nothing is known of what names a payee there. At this one each payee has a host. */
const OWNERS = new Set(Object.keys(SHARED).map((site) => splitDomain(site).registered));
OWNERS.delete("square.site");

/**
 * Who is paid at a link: its host, and at a shared site, or a site below one, the path that names them, or "/…" where
 * nothing does.
 */
export function siteOf(link: string): string {
  const host = hostOf(link);
  const shared = Object.keys(SHARED).find((each) => `.${host}`.endsWith(`.${each}`));
  const site = shared ?? host;
  const isOwners = OWNERS.has(splitDomain(host).registered);
  const naming = SHORTENED.test(site) ? FIRST_PART : shared ? SHARED[shared] : isOwners ? null : undefined;
  return naming === undefined ? site : `${site}${naming?.exec(followed(link).pathname)?.[0] ?? "/…"}`;
}
