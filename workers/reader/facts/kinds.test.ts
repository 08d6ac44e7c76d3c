import { expect, test } from "vitest";
import { linesOfText } from "../layout/lines";
import { findKinds } from "./kinds";

/** Words against the account of a document, and honest words that are like them. */

const codesOf = (text: string) => findKinds(linesOfText(text)).map(({ code }) => code);

test.each([
  "Our bank account is being replaced this\nweek, so do not pay the one printed on it.",
  "Please do not pay the account printed on this invoice.",
  "Please don't use the bank details shown below, they are out of date.",
  "Ignore the BSB and account on the attached invoice.",
  "Our account is under review.",
  "BPAY preferred; transfers will be returned after 30 November.",
  "Our deposit account is closed. Pay by BPAY only.",
  "Our bank account (105-807 449248190) is under review.",
  "Our trust account BSB 105-807 Account 449248190 has been frozen.",
  "The account above is closed.",
  "Our account is no longer in use.",
  "Closed on 31 October: BSB 182-203 Account 973596977",
  "I will text you the new BSB and account number.",
  "We'll send you the updated account details by SMS.",
  "We have moved our banking to Auckland.",
  "We have moved our banking.",
  "Until further notice pay in USDT (TRC-20) to the wallet below.",
  "Please pay $4,239.16 in bitcoin.",
  "Payment is to be made in crypto.",
  "Until further notice pay through this link.",
  "Please pay by this link instead of the bank account.",
  "Direct deposit is no longer available. Pay securely at our payment portal.",
  "Bank transfers have been suspended until further notice.",
  "We no longer accept payments by EFT.",
  "Please reply to this email for our new bank details before you pay.",
  "Please send the amount by Western Union.",
  "* Please note: the last two digits of our account are now 37, all else is unchanged.",
  "The last 3 digits of the account number should be 418.",
  "The last digit above is misprinted.",
  "Our account ends in 82, not 80.",
  "Please pay to the account ending 82 instead of 80.",
  "Please replace the last two digits of the account with 37.",
])("words against the account on it: %j", (text) => {
  expect(codesOf(text)).toContain("refused_account_words");
});

test.each([
  "Our bank details have not changed.",
  "Our bank details have NOT changed: BSB 182-969 Account 41867230",
  "We will never change our account by email.",
  "Please do not pay by cheque.",
  "Please do not send cheques to the address above.",
  "Never pay to an account other than the one printed on this invoice.",
  "Do not pay any account other than the one shown above.",
  "Do not use bank details that differ from the account printed above.",
  "Do not use the invoice number as an account.",
  "Do not pay this invoice if your account is debited as shown below.",
  "Your account is on hold until this invoice is paid.",
  "This account is overdue.",
  "Our accounts department is closed from 24 December.",
  "Our account manager is unavailable today.",
  "Our office is closed on 26 January.",
  "Our old account is closed.",
  "We will never text you new bank details.",
  "We will not send you a new account number by email.",
  "If our details change, we will call you with the new bank details.",
  "We will email you a new invoice when your account number changes.",
  "View and pay this invoice online: use this link.",
  "Prefer a card? You can pay by this link instead.",
  "If you prefer, pay by this link instead of bank transfer.",
  "Please pay by direct deposit to the account above.",
  "Direct debit is no longer available.",
  "Call us for our bank details if you have not paid us before.",
  "Never reply to an email that asks for your new bank details.",
  "If you are asked for new bank details, call us.",
  "We accept EFT, card and Bitcoin.",
  "Transfers without a reference will be returned.",
  "Direct deposits that name no invoice will be returned.",
  "Please quote the invoice number instead of your account number shown above.",
  "Do not quote the account number below as the reference.",
  "Do not use the account number above as the reference.",
  "Do not send your bank details to the address shown on this invoice.",
  "Do not pay more than one invoice on the same transfer.",
  "Our trust account is audited annually.",
  "We will send you the invoice and other details tomorrow.",
  "We will send you the updated accounts next month.",
  "Contact your bank to pay from your cheque or savings account.",
  "The last four digits of your card are now on file.",
  "Quote the last four digits of the invoice number.",
  "Please check the last four digits of the account number before you pay.",
  "Paid from the account ending 4418 on 3 November.",
  "The last two digits of the reference are now the year.",
  "To read your meter, read the first five digits from left to right.",
  "The final figure has been changed to include GST.",
  "If the last two digits of our account are wrong, call us.",
  "We remind you that our account with ME Bank (BSB 944-385 Account 541906) is the only one we use, and that we will never change it by email.",
])("honest words: %j", (text) => {
  expect(codesOf(text)).not.toContain("refused_account_words");
});

test.each([
  "Please pay our collections agent: see their letter.",
  "Payment is to be made to our factoring partner Meridian Receivables.",
  "Our factoring partner now collects for us.",
  "A debt collector now receives all payments for us.",
  "This invoice has been assigned to Meridian Receivables.",
])("somebody who collects for the payee: %j", (text) => {
  expect(codesOf(text)).toContain("collector");
});

test.each([
  "Overdue accounts are passed to our collection agency.",
  "If you do not pay in time, our debt collector receives your details.",
  "You pay all costs of our debt collectors.",
  "Unpaid invoices may be assigned to a factoring company.",
  "Please pay to the account below. Our payment terms are 14 days.",
  "We may refer the debt to a collection agency and you pay its fees.",
])("nobody is said to collect: %j", (text) => {
  expect(codesOf(text)).not.toContain("collector");
});
