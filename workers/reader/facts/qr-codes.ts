import { parseAbn } from "~/kernel/abn";
import type { Box, Finding, ReadFacts } from "~/ports/document-reader";
import { type Line, linesOfText } from "../layout/lines";
import { findBpay, findForeign, findPayIds } from "./other-numbers";
import { readPageFacts } from "./page-facts";
import { REST_OF_LINK, siteOf } from "./shared-sites";

/** What a QR code asks for, compared with what its document says in words. */

const LONGEST = 2_000;
const LONGEST_SHOWN = 200;
const LINK = new RegExp(String.raw`(?:https?:|\bwww\.)${REST_OF_LINK}`, "gi");
/** Digital money. */
const WALLET = /^(?:bitcoin|lightning|ethereum|litecoin|tron|solana|monero|ripple|dogecoin):[^?\s]{0,200}/i;
/** Somebody's address, or the way into a network. */
const NO_PAYMENT = /^(?:BEGIN:VCARD|MECARD:|WIFI:|BEGIN:VEVENT)/i;
/** "732-001 99887766", or nothing but these digits. */
const PLAIN_ACCOUNT = /(?<!\d)(\d{3})-(\d{3})\D{1,4}(\d{5,9})(?!\d)|^\D{0,8}(\d{3})(\d{3})\D{1,4}(\d{5,9})\D*$/;

/**
 * Adds what a code names and the words do not. An account in it is evidence, never an answer.
 * @param words everything that the document says
 */
export function addCode(read: ReadFacts, { text, box }: QrCode, words: string, page: number): void {
  const find = (code: Finding["code"], given: Pick<Finding, "digits" | "way"> = {}) => {
    const shown = text === undefined ? {} : { lines: [text.slice(0, LONGEST_SHOWN)] };
    read.findings.push({ code, page, ...given, ...(box ? { box } : {}), ...shown });
  };
  if (text === undefined) {
    read.isReadableEverywhere = false;
    find("qr_code_not_read");
    return;
  }
  const lines = linesOfText(fieldsInWords(text.slice(0, LONGEST)));
  const others = accountsIn(text, lines).filter(
    ({ bsb, accountNumber }) => !read.accounts.some((one) => one.bsb === bsb && one.accountNumber === accountNumber),
  );
  for (const { bsb, accountNumber } of others) {
    find("qr_code_with_bank_details", { digits: `${bsb}${accountNumber}` });
    const place = { page, lines: [text.slice(0, LONGEST_SHOWN)] };
    read.accounts.push({ bsb, accountNumber, ...place, certain: false, doubts: ["qr_code"], whose: "unknown" });
  }
  if (others.length > 0) return;
  if (namesOther(lines, read, words)) find("qr_code_with_bank_details");
  else if (!NO_PAYMENT.test(text)) {
    const [wallet] = WALLET.exec(text) ?? [];
    const hosts = [...text.matchAll(LINK)].map(([link]) => siteOf(link));
    for (const way of new Set([...(wallet ? [wallet] : []), ...hosts])) find("qr_code_leads_elsewhere", { way });
  }
}

/** A code without text could not be read. */
type QrCode = { text?: string; box?: Box };

function accountsIn(text: string, lines: readonly Line[]): { bsb: string; accountNumber: string }[] {
  const named = readPageFacts(lines).accounts.filter(({ bsb, accountNumber }) => bsb && accountNumber);
  const [, one = "", two = "", rest = "", first = "", second = "", other = ""] = PLAIN_ACCOUNT.exec(text) ?? [];
  const plain = { bsb: one + two + first + second, accountNumber: rest + other };
  return named.length > 0 || plain.bsb === "" ? named : [plain];
}

const digitsOf = (text: string) => text.replace(/\D/g, "");

/** A PayID, a biller or an account of another country that the words do not name. */
function namesOther(lines: readonly Line[], { bpay, findings }: ReadFacts, words: string): boolean {
  const isSaid = (value: string) =>
    words.toLowerCase().includes(value) ||
    // Phone numbers begin with 0 or with the country's code.
    (/^\d{9,}$/.test(value) && digitsOf(words).includes(value.slice(-9)));
  const foreign = findings.flatMap(({ code, digits }) => (code === "iban_or_swift" && digits ? [digits] : []));
  return (
    findPayIds(lines).some(({ payId }) => !isSaid(payId)) ||
    findBpay(lines).some(({ billerCode }) => !bpay.some((one) => one.billerCode === billerCode)) ||
    findForeign(lines).some(({ digits = "" }) => !foreign.includes(digits))
  );
}

/** The payment networks' codes hold numbered fields, each with its length: whoever is paid, in words. Others are words. */
function fieldsInWords(text: string): string {
  if (!text.startsWith("000201")) return text;
  const paid = fieldsOf(text).filter(({ id }) => id >= FIRST_PAID && id <= LAST_PAID);
  const values = paid.flatMap(({ value }) => [value, ...fieldsOf(value).map((field) => field.value)]);
  return values
    .filter((value) => /^[^\s@]+@[^\s@]+$/.test(value) || parseAbn(value) || /^\+?\d[\d -]{7,14}\d$/.test(value))
    .map((value) => `PayID: ${value.replaceAll("-", "")}`)
    .join("\n");
}
const [FIRST_PAID, LAST_PAID] = [26, 51];

function fieldsOf(text: string): { id: number; value: string }[] {
  const fields: { id: number; value: string }[] = [];
  for (let at = 0; at < text.length; ) {
    const head = /^(\d{2})(\d{2})/.exec(text.slice(at));
    const [id, length] = [Number(head?.[1]), Number(head?.[2])];
    if (!head || length === 0 || at + 4 + length > text.length) return [];
    fields.push({ id, value: text.slice(at + 4, at + 4 + length) });
    at += 4 + length;
  }
  return fields;
}
