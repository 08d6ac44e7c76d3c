import type { ReadAccount, ReadFacts } from "~/ports/document-reader";
import type { Line } from "../layout/lines";
import { type AccountSearch, findAccounts } from "./accounts";
import { findLabels, type Label } from "./labels";
import { findNumbers, type NumberRun } from "./numbers";
import { joinBoxes, joinSpaced } from "./numbers-by-label";

export type PageFacts = AccountSearch & { labels: Label[]; numbers: NumberRun[] };

/** The accounts and findings in some lines. */
export function readPageFacts(lines: readonly Line[]): PageFacts {
  const labels = findLabels(lines);
  const numbers = joinSpaced(joinBoxes(findNumbers(lines), labels), labels);
  return { ...findAccounts(lines, labels, numbers), labels, numbers };
}

/** The SWIFT code of an Australian bank, which adds nothing where BPAY or a PayID is named. */
const AUSTRALIAN_SWIFT = /^[A-Z]{4}AU[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/i;

/** Adds a finding if the document has more than one account that the reader may be asked to pay. */
export function reportSeveralAccounts(read: ReadFacts): ReadFacts {
  if (read.bpay.length + read.payIds.length > 0)
    read.findings = read.findings.filter(
      ({ code, digits = "" }) => code !== "iban_or_swift" || !AUSTRALIAN_SWIFT.test(digits),
    );
  // A customer has one account to be debited. If two are named, at least one is somebody else's.
  const debited = new Set(read.accounts.map(({ bsb, accountNumber }) => `${bsb} ${accountNumber}`));
  if (debited.size > 1 && read.accounts.every(({ whose }) => whose === "customer"))
    for (const account of read.accounts)
      Object.assign(account, { whose: "unknown", certain: false, doubts: [...account.doubts, "several_readings"] });
  const payees = read.accounts.filter(({ whose, doubts }) => whose !== "customer" && !doubts.includes("hidden_text"));
  const known = new Set(
    payees
      .filter(({ bsb, accountNumber }) => bsb && accountNumber)
      .map(({ bsb, accountNumber }) => `${bsb} ${accountNumber}`),
  );
  if (known.size > 1) read.findings.push({ code: "several_accounts" });
  // An account is named in words, and another document in the same file seems to show one in a picture.
  const pictured = read.findings.find(({ code, box }) => code === "picture_without_text" && box);
  const isSaid = read.findings.some(({ code }) => code === "account_could_not_be_read");
  if (pictured && read.accounts.length > 0 && !isSaid)
    read.findings.push({ ...pictured, code: "account_could_not_be_read" });
  const isHalf = ({ doubts }: ReadAccount) => doubts.includes("half_an_account") && !doubts.includes("hidden_text");
  const isForeign = read.findings.some(
    ({ code, digits = "" }) => code === "iban_or_swift" && !AUSTRALIAN_SWIFT.test(digits),
  );
  // An account of another country has no BSB.
  if (isForeign && read.accounts.every((account) => isHalf(account) && account.bsb === "")) read.accounts = [];
  const halves = read.accounts.filter(isHalf);
  for (const { page, box, lines } of halves) {
    const isNamed = read.findings.some(({ code }) => code === "account_could_not_be_read");
    if (!isNamed) read.findings.push({ code: "account_could_not_be_read", page, lines, ...(box ? { box } : {}) });
  }
  return read;
}
