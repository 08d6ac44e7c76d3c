import type { Finding } from "~/ports/document-reader";
import type { Line } from "../layout/lines";
import { readable } from "./context";
import { hostOf, PATH, siteOf } from "./shared-sites";

/** Ways to pay besides an account: sites and names for cheques. Whether they are the payee's is for the app to say. */

/** One more than the app keeps, which says so. */
const MOST = 21;
const LONGEST_NAME = 80;
/** Words of somebody who asks to be paid at a site. */
const PAYS_AT =
  /\b(?:pay|paid|settle|remit)\b|\bpayments?\s+(?:online|link|portal|page|site|gateway|by|via|through|can|may|is|at|here)\b|\b(?:credit|debit)\s+card\b|\bby card\b|\bcheckout\b/i;
/**
 * A link, or a name of a site as people write it, and its path. The part of an email address after its
 * "@" is none.
 */
const SITE = new RegExp(
  String.raw`(?<![\w@.-])(?:(?:https?:\/\/(?:[^\s/@]{1,60}@)?|www\.)((?:[a-z0-9-]{1,63}\.){1,6}[a-z][a-z0-9-]{1,62})|((?:[a-z0-9-]{1,63}\.){1,6}(?:com|net|org|au|nz|io|me|co|ly|app|biz|info|online|shop|store|site|link|page|pay|money|finance|xyz|uk|us|eu)))(?![\w@-]|\.[a-z])${PATH}`,
  "gi",
);
const CHEQUES =
  /\b(?:cheques?|money orders?)\b[^.!?\n]{0,30}\b(?:payable|made out|drawn)\s+(?:to|in favour of)\b[\s:]*([^\n\t;|•·(]{3,120})/gi;
/** Where a name ends that other words follow. */
const NAME_ENDS =
  /\s+(?:or|at|to|with|by|within|quoting|marked|crossed|for|and (?:mail|post|send|sent|quote)\w*)\s.*$|,\s.*$|(?<!\b\w{1,2}|\bpty)\.\s+[A-Z].*$/i;

/** @param lines the lines of a page or of a message */
export function findOtherWays(lines: readonly Line[]): Finding[] {
  const sites = lines.flatMap(({ text }, row) => {
    const isAsked = [lines[row - 1]?.text, text].some((words) => words !== undefined && PAYS_AT.test(words));
    return isAsked
      ? [...text.matchAll(SITE)].map(([, link, site = "", path]) => paymentLink(link ?? site, path, text))
      : [];
  });
  const whole = lines.map(({ text }) => text).join("\n");
  const cheques = [...whole.matchAll(CHEQUES)].map(
    ([words, name = ""]): Finding => ({
      code: "cheque_payee",
      way: name.replace(NAME_ENDS, "").trim().slice(0, LONGEST_NAME),
      lines: [readable(words.replaceAll("\n", " "))],
    }),
  );
  return [...onceEach(sites), ...onceEach(cheques)];
}

const paymentLink = (host: string, path: string | undefined, words: string): Finding => ({
  code: "payment_link",
  way: siteOf(host, path),
  lines: [readable(words)],
});

/** The links of a message's HTML, under words that ask to be paid there. */
export const findPaymentLinks = (html: string): Finding[] =>
  linksToPay(
    [...html.matchAll(ANCHOR)].map(([, host = "", path, inside = ""]) => ({
      ...{ host, path },
      words: inside.replace(TAG, " $1 "),
    })),
  );
/** A button may be a picture, which has its words in `alt`. */
const TAG = /<(?:[^<>]*?\balt\s*=\s*["']([^"'<>]*))?[^<>]*>/gi;
/** Nothing is tried at more than one length, so that links without an end take no time. */
const ANCHOR = new RegExp(
  String.raw`<a\b[^>]{0,400}?\bhref\s*=\s*["']?\s*https?:\/\/(?:[^\s"'/@>]{1,60}@)?([^\s"'/?#:>]{1,255})(?![^\s"'/?#:>])(?=${PATH})[^>]{0,2000}>([\s\S]{0,1000}?)<\/a`,
  "gi",
);

/** The links of a page, under words that ask to be paid there. */
export const paymentLinks = (links: readonly { target: string; words: string }[]): Finding[] =>
  linksToPay(
    links.flatMap(({ target, words }) => {
      const [, host, path] = TARGET.exec(target) ?? [];
      return host === undefined ? [] : [{ host, path, words }];
    }),
  );
const TARGET = new RegExp(String.raw`^\s*https?:\/\/(?:[^\s"'/@>]{1,60}@)?([^\s"'/?#:>]{1,255})${PATH}`, "i");

/** The sites that links lead to, and whether their words name another one. */
function linksToPay(links: readonly { host: string; path: string | undefined; words: string }[]): Finding[] {
  const found = links.flatMap(({ host, path, words }) => {
    if (!PAYS_AT.test(words)) return [];
    const link = paymentLink(host, path, words);
    const shown = [...words.matchAll(SITE)].map(([, site, name = ""]) => hostOf(site ?? name));
    const isElsewhere = shown.length > 0 && !shown.some((site) => isPartOf(hostOf(host), site));
    return isElsewhere ? [link, { ...link, code: "link_leads_elsewhere" as const }] : [link];
  });
  return onceEach(found);
}

/** "pay.karrifloors.com.au" is a part of "karrifloors.com.au", and the other way round. */
const isPartOf = (one: string, other: string) => `.${one}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${one}`);

function onceEach(found: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return found.filter(({ code, way }) => !seen.has(`${code} ${way}`) && seen.add(`${code} ${way}`)).slice(0, MOST);
}
