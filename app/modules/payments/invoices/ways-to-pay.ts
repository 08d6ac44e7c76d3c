import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { InvoiceFacts, PayeeOfInvoice } from "~/modules/rules/invoices/facts";
import { isNamed, isSameAccount } from "~/modules/rules/invoices/verdict";
import type { StoredReading } from "./reading";

/** Ways to pay that an invoice names besides a bank account, compared with what is known of its payee. Pure. */

type PayId = Pick<StoredReading["payIds"][number], "payId" | "type">;
type OfPayee = { abn: string | null; email: string | null };

/** The domain of the payee's address; "": everybody can have an address there. */
function ownDomain({ email }: Pick<OfPayee, "email">): string {
  const domain = emailDomain(email ?? "");
  return isFreeMailDomain(domain) ? "" : domain;
}

/** True if the payee's own details show that the PayID is the payee's. */
export function isOwnPayId({ payId, type }: PayId, payee: OfPayee): boolean {
  if (type === "abn") return payId === payee.abn;
  const domain = ownDomain(payee);
  if (domain === "") return payId === payee.email?.toLowerCase();
  return type === "email" ? emailDomain(payId) === domain : payId === domain;
}

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const SHORTEST_NAME = 6;

/** The name may be cut off, or other words may follow it. */
const isOwnName = (payee: PayeeOfInvoice, name: string): boolean =>
  isNamed(payee, name) ||
  [payee.name, payee.accountName].map(letters).some((own) => {
    const asked = letters(name);
    return asked.startsWith(own) || (asked.length >= SHORTEST_NAME && own.startsWith(asked));
  });

/** A way to pay that the payee's details do not show to be the payee's. */
export type Way = {
  /** Equal for the same way on another invoice. */
  key: string;
  code: string;
  sentence: string;
  page?: number | undefined;
  /** Many honest invoices have one beside the account. */
  isUsual?: boolean;
};

const CALL = "call the payee on a number you know before you pay in this way";
const ABROAD = "iban_or_swift";

function wayOf({ code, digits, way = "", page, lines = [] }: StoredReading["findings"][number], payee: PayeeOfInvoice) {
  const domain = ownDomain(payee);
  const isOwnSite = domain !== "" && (way === domain || way.endsWith(`.${domain}`));
  const of = (sentence: string, given: Partial<Way> = {}): Way[] => [
    { key: `${code} ${way}`, code: `${code}_unknown`, sentence, page, ...given },
  ];
  switch (code) {
    case "qr_code_leads_elsewhere":
      return isOwnSite ? [] : of(`A QR code on it leads to ${way}, which is not known as this payee's`);
    case "payment_link":
      return isOwnSite ? [] : of(`It asks to pay at ${way}, which is not known as this payee's`, { isUsual: true });
    case "cheque_payee":
      return isOwnName(payee, way) ? [] : of(`It asks for cheques to “${way}”, which is not this payee's name`);
    case "collector":
      return of("It says that somebody else collects for the payee", { key: `${code} ${letters(lines.join())}` });
    case ABROAD:
      return of("It names bank details for payments from abroad that are not known as this payee's", {
        ...{ key: `${code} ${digits}`, isUsual: true },
      });
    default:
      return [];
  }
}

type Named = Pick<StoredReading, "payIds" | "bpay" | "findings">;

/** Every other way to pay that an invoice names and that is not the payee's by the payee's own details. */
export const waysIn = ({ payIds, bpay, findings }: Named, payee: PayeeOfInvoice): Way[] => [
  ...payIds
    .filter((each) => !isOwnPayId(each, payee))
    .map(({ payId, page }): Way => {
      const sentence = "It names a PayID that is not known as this payee's";
      return { key: payIdKey(payId), code: "pay_id_unknown", sentence, page };
    }),
  ...bpay.map(({ billerCode, page }): Way => {
    const sentence = `Its BPAY biller code ${billerCode} is not known as this payee's`;
    return { key: `biller ${billerCode}`, code: "biller_unknown", sentence, page, isUsual: true };
  }),
  ...findings.flatMap((finding) => wayOf(finding, payee)),
];

export const payIdKey = (payId: string) => `pay_id ${payId}`;

/**
 * What is said of ways to pay that are not known as this payee's. One that many honest invoices have is only noted
 * beside the payee's account, until a person has accepted an invoice of the payee.
 * @param known the keys of the ways on invoices of the payee that a person accepted
 */
export function sayNewWays(
  read: Named & Pick<StoredReading, "accounts">,
  payee: PayeeOfInvoice,
  { known, hasAccepted }: { known: readonly string[]; hasAccepted: boolean },
): InvoiceFacts["noticed"] {
  const hasAccount = read.accounts.some((each) => each.certain && isSameAccount(each, payee));
  return waysIn(read, payee)
    .filter(({ key }) => !known.includes(key))
    .flatMap(({ code, sentence, page, isUsual }) => {
      const isNoted = isUsual && hasAccount && !hasAccepted;
      // Other rules speak of bank details for payments from abroad that are noted, or the only ones.
      if (code.startsWith(ABROAD) && (isNoted || !hasAccount)) return [];
      return [{ code, message: `${sentence}: ${CALL}.`, page: page ?? null, weight: isNoted ? "kind" : "way" }];
    });
}
