import type { Finding } from "~/ports/document-reader";
import { asWritten, type Line } from "../layout/lines";
import { readable } from "./context";
import { hostOf, isLink, REST_OF_LINK, siteOf } from "./shared-sites";

/** Ways to pay besides an account: sites and names for cheques. Whether they are the payee's is for the app to say. */

/** One more than the app keeps, which says so. */
const MOST = 21;
const LONGEST_NAME = 80;
/** Words of somebody who asks to be paid at a site. */
const PAYS_AT =
  /\b(?:pay|paid|settle|remit)\b|\bpayments?\s+(?:online|link|portal|page|site|gateway|by|via|through|can|may|is|at|here)\b|\b(?:credit|debit)\s+card\b|\bby card\b|\bcheckout\b/i;
/** A link, or a name of a site as people write it, and its path. The part of an email address after its "@" is none. */
const SITE = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_@.-])(?:https?:${REST_OF_LINK}|www\.[^\s<>"?#|,;()]{1,2000}|(?:[\p{L}\p{M}\p{N}-]{1,63}\.){1,6}(?:com|net|org|au|nz|io|me|co|ly|app|biz|info|online|shop|store|site|link|page|pay|money|finance|xyz|uk|us|eu)(?![\p{L}\p{N}_@-]|[.。．｡]\p{L})(?:[/:]${REST_OF_LINK})?)`,
  "giu",
);
const CHEQUES =
  /\b(?:cheques?|money orders?)\b[^.!?\n]{0,30}\b(?:payable|made out|drawn)\s+(?:to|in favour of)\b[\s:]*([^\n\t;|•·(]{3,120})/gi;
/** Where a name ends that other words follow. */
const NAME_ENDS =
  /\s+(?:or|at|to|with|by|within|quoting|marked|crossed|for|and (?:mail|post|send|sent|quote)\w*)\s.*$|,\s.*$|(?<!\b\w{1,2}|\bpty)\.\s+[A-Z].*$/i;

/** @param lines the lines of a page or of a message */
export function findOtherWays(lines: readonly Line[]): Finding[] {
  const sites = lines.flatMap((line, row) => {
    const { text } = line;
    const isAsked = [lines[row - 1]?.text, text].some((words) => words !== undefined && PAYS_AT.test(words));
    return isAsked ? [...asWritten(line).matchAll(SITE)].map(([link]) => paymentLink(link, text)) : [];
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

const paymentLink = (link: string, words: string): Finding => ({
  code: "payment_link",
  way: siteOf(link),
  lines: [readable(words)],
});

/** Links under words that ask to be paid there: the sites that they lead to, and whether their words name another one. */
export function paymentLinks(links: readonly { target: string; words: string }[]): Finding[] {
  const found = links.flatMap(({ target, words }) => {
    if (!isLink(target) || !PAYS_AT.test(words)) return [];
    const link = paymentLink(target, words);
    const shown = [...words.matchAll(SITE)].map(([site]) => hostOf(site));
    const isElsewhere = shown.length > 0 && !shown.some((site) => isPartOf(hostOf(target), site));
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
