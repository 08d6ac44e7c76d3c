import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { InvoiceFacts, PayeeOfInvoice } from "~/modules/rules/invoices/facts";
import { isNamed, isSameAccount } from "~/modules/rules/invoices/verdict";
import { namesNewWay } from "./invoice";
import { type StoredReading, sayWords } from "./reading";

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
    const words = name.split(/(?=[^\p{L}\p{N}])/u);
    const isFirst = own !== "" && words.some((_, at) => letters(words.slice(0, at + 1).join("")) === own);
    return isFirst || (asked.length >= SHORTEST_NAME && own.startsWith(asked));
  });

const ABROAD = "iban_or_swift";

/** What is said of each way to pay that is not known as the payee's. */
const UNKNOWN: Readonly<Record<string, (way: string) => string>> = {
  pay_id: () => "The PayID on it",
  biller: (way) => `The BPAY biller code ${way} on it`,
  qr_code_leads_elsewhere: (way) => `${way}, where a QR code on it leads,`,
  payment_link: (way) => `${way}, where it asks to be paid,`,
  cheque_payee: (way) => `The name for cheques on it, “${way}”,`,
  collector: () => "Whoever it says collects for the payee",
  [ABROAD]: () => "The account abroad on it",
};
/** Many honest invoices have one of these beside the account. */
const USUAL: ReadonlySet<string> = new Set(["payment_link", ABROAD]);

/** "karrifloors-pay.top", where the payee's own site is "karrifloors.com.au". */
function imitates(way: string, payee: PayeeOfInvoice): boolean {
  const [own = ""] = ownDomain(payee).split(".");
  return own.length >= SHORTEST_NAME && way.split(/[./]/).some((part) => part !== own && part.includes(own));
}

type Named = Pick<StoredReading, "payIds" | "bpay" | "findings">;
type Way = { code: string; way: string; page?: number | undefined; isOwn: (payee: PayeeOfInvoice) => boolean };

/** Every other way to pay that an invoice names. */
export const waysIn = ({ payIds, bpay, findings }: Named): Way[] => [
  ...payIds.map((each) => ({
    ...{ code: "pay_id", way: each.payId, page: each.page },
    isOwn: (payee: PayeeOfInvoice) => isOwnPayId(each, payee),
  })),
  ...bpay.map(({ billerCode, page }) => ({ code: "biller", way: billerCode, page, isOwn: () => false })),
  ...findings.flatMap(({ code, way = "", digits = "", lines = [], page }) => {
    const isOwn = (payee: PayeeOfInvoice) => {
      if (code === "cheque_payee") return isOwnName(payee, way);
      const domain = ownDomain(payee);
      return domain !== "" && `.${way}`.endsWith(`.${domain}`);
    };
    return code in UNKNOWN ? [{ code, way: way || digits || letters(lines.join()), page, isOwn }] : [];
  }),
];

/** Equal for the same way on another invoice. */
const keyOf = ({ code, way }: Pick<Way, "code" | "way">): string => `${code} ${way}`;

type Accepted = Named & Pick<StoredReading, "accounts"> & { said: Parameters<typeof namesNewWay>[0] };

/** The keys of the ways on invoices that a person accepted. `noted`: beside an account, and without a warning. */
export function knownWays(accepted: readonly Accepted[], payIds: readonly { payId: string }[]) {
  const isNoted = ({ accounts, said }: Accepted, { code }: Way) =>
    USUAL.has(code) && accounts.length > 0 && !namesNewWay(said);
  const keysOf = (areNoted: boolean) =>
    accepted.flatMap((each) => waysIn(each).flatMap((way) => (isNoted(each, way) === areNoted ? [keyOf(way)] : [])));
  const known = [...keysOf(false), ...payIds.map(({ payId }) => keyOf({ code: "pay_id", way: payId }))];
  return { known, noted: keysOf(true), hasAccepted: accepted.length > 0 };
}

/**
 * What is said of ways to pay that are not known as this payee's. One that many honest invoices have is only noted
 * beside the payee's account, until a person has accepted an invoice of the payee.
 * @param known the keys of the ways that are known
 * @param noted those that are known beside the payee's account only
 */
export function sayNewWays(
  read: Named & Pick<StoredReading, "accounts">,
  payee: PayeeOfInvoice,
  { known, noted, hasAccepted }: ReturnType<typeof knownWays>,
): InvoiceFacts["noticed"] {
  const hasAccount = read.accounts.some((each) => each.certain && isSameAccount(each, payee));
  return waysIn(read)
    .filter((each) => !(each.isOwn(payee) || [...known, ...(hasAccount ? noted : [])].includes(keyOf(each))))
    .flatMap(({ code, way, page = null }) => {
      const isNoted = USUAL.has(code) && hasAccount && !hasAccepted && !imitates(way, payee);
      // Other rules speak of bank details for payments from abroad that are noted, or the only ones.
      if (code === ABROAD && (isNoted || !hasAccount)) return [];
      const message = `${UNKNOWN[code]?.(sayWords(way))} is not known as this payee's: call the payee on a number you know before you pay in this way.`;
      return [{ code: `${code}_unknown`, message, page, weight: isNoted ? "kind" : "way" }];
    });
}
