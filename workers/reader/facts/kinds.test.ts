import { expect, test } from "vitest";
import { linesOfText } from "../layout/lines";
import { findKinds } from "./kinds";
import { findAbns } from "./other-numbers";

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

test.each([
  "Our bank details have changed.",
  "Our bank details have changed, not our address.",
  "Our bank details have changed. They will never change again.",
  "Our bank details have not changed except the account number.",
  "Our bank details have not changed, except that we now use another BSB.",
  "Our bank details have not changed, only the account number.",
  "Our bank details have not changed apart from the last two digits.",
  "Our name has not changed, but our bank details have changed.",
  "Our bank details have not changed but are now with another bank.",
  "We have not changed our bank, only our account number.",
  "We have not changed our bank. However, the account number is different.",
  "We have changed our bank.",
  "We have not only changed our bank but also our name.",
  "We've recently changed banks.",
  "We have switched our banking to ME Bank.",
  "Our trust account has changed.",
  "Our trust account has changed. For your security we do not print the new details here: call Daniel and he will read them to you.",
  "We never print our new bank details. Please call Daniel for them.",
  "We do not email our new bank details: please call Sam on 0400 000 000 and he will read them out.",
  "For security we will not send the new bank details by email, call us for them.",
  "For your security the updated details are not shown. Ring Kim and she will give you the new details.",
  "Our trading account has recently changed.",
  "Our business bank account has been changed.",
  "Our account is changing on 1 December.",
  "Please use our new bank account below.",
  "Please note our new bank details.",
  "Please update our bank details: they are new bank details from today.",
  "If you pay by EFT, please use our new bank account.",
  "If you have not yet saved our new bank details, please do so now.",
  "If you received our email of Monday, use the new bank details in it.",
  "You were told of our new bank details last week.",
  "We never accept cheques. Please note our new bank details below.",
  "We will never ask for your password, but please use our new account.",
  "We will not send a letter; please use our new bank details.",
  "Do not pay the old account.",
  "Our old account has been closed.",
  "Please do not use anything other than our new bank account.",
  "Updated bank details: BSB 062-000 Account 12345678",
  "New account number from 1 December",
  "As our bank details have changed, please pay to the account below.",
  "Do not be alarmed, our bank details have changed.",
  "If our bank details have changed in your system, use the ones below.",
  "We will send you the new bank details tomorrow.",
  "Our bank details had not changed in ten years; our bank details have changed now.",
  "Our bank details have not changed until now.",
  "Our bank details have not changed. Only the account number is another one.",
  "Our bank details have not changed until last week.",
  "Contrary to what you were told, our bank details have changed.",
  "Do not ignore our new bank details.",
  "Do not disregard new bank details that we send.",
  "We will never change again after this move to our new bank account.",
  "If you are asked, our bank details have changed.",
  "People often ask for our new bank details.",
  "Someone from our office will call you with new bank details.",
  "Ignore previous bank details, new account 062-000 12345678.",
  "Disregard former invoices and pay to new account 062-000 12345678.",
  "You do not have to call us about new bank details.",
  "We will not email a new account number. He will text it.",
  "Our bank details are changing on Monday and will not change again.",
  "Please ring Kim, we do not print the new details.",
  "Our bank details haven't changed, just the account number has.",
  "Please do not reply; use the new bank details on this invoice.",
  "Do not use the former details, pay to new bank account 062-000 12345678.",
  "Do not hesitate to call if you have questions about our new bank details.",
  "Do not send money without checking our new bank details.",
])("words that announce other bank details: %j", (text) => {
  expect(codesOf(text)).toContain("new_bank_details_words");
});

test.each([
  "We have not changed our bank account since 2014. Please call 03 9000 0000 if anybody tells you otherwise.",
  "We have not changed our bank account; the account below is our only account.",
  "We haven't changed our bank account.",
  "We have never changed our bank account.",
  "We are not changing our bank.",
  "We have not recently changed our account.",
  "Our bank details have not changed. We will never tell you of new bank details by email. If you receive such a message, call us.",
  "Our bank details have not changed.",
  "Our bank details haven’t changed.",
  "Our bank details have never changed.",
  "Our bank details have not been updated.",
  "Our bank details will not be changed by email.",
  "Our bank details have not changed since we moved to Geelong.",
  "Our bank details have not changed, but call us if anybody says so.",
  "Our bank details have not changed, only our phone number.",
  "Our bank details remain unchanged.",
  "Our account has not changed.",
  "Our trust account has not changed.",
  "Our bank account has never been changed.",
  "We will never email you new bank details.",
  "We will never email you our new bank details.",
  "We will never notify you of changed bank details by email or SMS.",
  "We never send new bank details by text message.",
  "We will not send you a new account number by email.",
  "We won't advise changed bank details by email.",
  "We do not accept changes or send new bank details by email.",
  "Our staff will never ask you to pay a new account.",
  "Never act on an email that gives a new account number.",
  "Do not trust an email with new bank details.",
  "If you receive new bank details, call us first.",
  "If anybody tells you that our bank details have changed, call us.",
  "If you are told that our bank details have changed, call us on the number you have.",
  "If you get an email with new bank details, please ring our office.",
  "Should anyone contact you with new bank details, please call 03 9000 0000.",
  "Call us before you act on any new bank details.",
  "Beware of emails with new bank details.",
  "Please be wary of messages about changed bank details.",
  "Criminals may send you new bank details in our name.",
  "Scammers email customers with new bank details.",
  "Ignore any email that announces new bank details.",
  "If our bank details are ever changed, we will write to you by post.",
  "Please ask us whether our bank details have changed.",
  "Any request to pay a new account is a fraud.",
  "We will never email you new bank details. Please pay to the account below.",
  "If you receive new bank details, call us. Please use the account below.",
  "Our bank details have not changed. Goods remain ours until paid in full to our account.",
  "Our bank details have not changed. Bank: ME Bank, but cheques are also accepted at our bank branch.",
  "Our bank details have not changed. They are shown below.",
  "Please be aware of scam emails containing new bank details.",
  "Always verify new bank details by phone on a number that you already have.",
  "Please note that our bank details have NOT changed.",
  "If you receive an email, call or SMS with new bank details, tell us.",
  "Someone may send you new bank details in our name.",
  "Verify any changed bank details by phone.",
  "Never pay to new bank details without calling us.",
  "Our bank details aren't changing.",
  "Please phone before acting on any changed bank details.",
  "We will never call, text or email you new bank details.",
])("words that announce nothing: %j", (text) => {
  expect(codesOf(text)).not.toContain("new_bank_details_words");
});

const ABN_IS_WRONG = { code: "abn_cannot_exist" };
test.each([
  ["Karri Floors Pty Ltd\nABN 51 824 753 557", true],
  ["A.B.N.: 51824753557", true],
  ["ABN No. 518 247 535 57  ACN 004 085 616", true],
  ["Karri Floors ABN\t51 824 753 557", true],
  ["ABN 51 824 753 556", false],
  ["ABN 51 824 753 557 001", false],
  ["ABN 1 51 824 753 557", false],
  ["ACN 004 085 616", false],
  ["Account 51824753557", false],
  ["Bill to:\nHarbour Joinery\nABN 51 824 753 557", false],
  ["Your ABN 51 824 753 557", false],
])("the check digits of an ABN: %j", (text, isWrong) => {
  const found = findKinds(linesOfText(text)).filter(({ code }) => code === ABN_IS_WRONG.code);
  expect(found).toMatchObject(isWrong ? [ABN_IS_WRONG] : []);
});

test.each(["ABN 51824753557 ", "ABN 51824753556 "])(
  "the time that a line of %j takes grows with its length only",
  (words) => {
    const lines = linesOfText(`Karri Floors ${words.repeat(200_000 / words.length)}`);
    const { user } = process.cpuUsage();
    findKinds(lines);
    findAbns(lines);
    expect(process.cpuUsage().user - user).toBeLessThan(1_500_000);
  },
);

test.each(["isHidden", "isOverlapped", "isUnsure"])("nothing is said of an ABN with a digit that is %s", (flag) => {
  const lines = linesOfText("ABN 51 824 753 557");
  expect(findKinds(lines)).toMatchObject([ABN_IS_WRONG]);
  Object.assign(lines[0]?.chars.at(-1) ?? {}, { [flag]: true });
  expect(findKinds(lines)).toEqual([]);
});
