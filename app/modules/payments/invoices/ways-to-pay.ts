import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { InvoiceDecision } from "~/kernel/enums";
import { clip } from "~/kernel/text";
import { WAY_LABELS, type WayKind } from "~/kernel/ways-to-pay";
import type { InvoiceFacts, PayeeOfInvoice } from "~/modules/rules/invoices/facts";
import { isNamed, isSameAccount } from "~/modules/rules/invoices/verdict";
import { namesNewWay } from "./invoice";
import { type StoredReading, sayWords } from "./reading";

/** Ways to pay that an invoice names besides a bank account, compared with what is known of its payee. Pure. */

type PayId = Pick<StoredReading["payIds"][number], "payId" | "type">;
export type OfPayee = Pick<PayeeOfInvoice, "name" | "accountName" | "abn" | "email">;

/** The domain of the payee's address; "": everybody can have an address there. */
function ownDomain({ email }: Pick<OfPayee, "email">): string {
  const domain = emailDomain(email ?? "");
  return isFreeMailDomain(domain) ? "" : domain;
}

/** True if the payee's own details show that the PayID is the payee's. */
function isOwnPayId({ payId, type }: PayId, payee: OfPayee): boolean {
  if (type === "abn") return payId === payee.abn;
  const domain = ownDomain(payee);
  if (domain === "") return payId === payee.email?.toLowerCase();
  return type === "email" ? emailDomain(payId) === domain : payId === domain;
}

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const SHORTEST_NAME = 6;

/** The name may be cut off, or other words may follow it. */
const isOwnName = (payee: OfPayee, name: string): boolean =>
  isNamed(payee, name) ||
  [payee.name, payee.accountName].map(letters).some((own) => {
    const asked = letters(name);
    const words = name.split(/(?=[^\p{L}\p{N}])/u);
    const isFirst = own !== "" && words.some((_, at) => letters(words.slice(0, at + 1).join("")) === own);
    return isFirst || (asked.length >= SHORTEST_NAME && own.startsWith(asked));
  });

const ABROAD = "iban_or_swift";

/** What is said of each way to pay that is not known as the payee's. */
const UNKNOWN: Readonly<Record<WayKind, (way: string) => string>> = {
  pay_id: () => "The PayID on it",
  biller: (way) => `The BPAY biller code ${way} on it`,
  qr_code_leads_elsewhere: (way) => `${way}, where a QR code on it leads,`,
  payment_link: (way) => `${way}, where it asks to be paid,`,
  cheque_payee: (way) => `The name for cheques on it, “${way}”,`,
  collector: () => "Whoever it says collects for the payee",
  [ABROAD]: () => "The account abroad on it",
};
const isKind = (code: string): code is WayKind => Object.hasOwn(UNKNOWN, code);

/** Many honest invoices have one of these beside the account. */
const USUAL: ReadonlySet<WayKind> = new Set(["payment_link", ABROAD]);

/** "karrifloors-pay.top", where the payee's own site is "karrifloors.com.au". */
function imitates(way: string, payee: OfPayee): boolean {
  const [own = ""] = ownDomain(payee).split(".");
  return own.length >= SHORTEST_NAME && way.split(/[./]/).some((part) => part !== own && part.includes(own));
}

type Named = Pick<StoredReading, "payIds" | "bpay" | "findings">;
type Way = {
  kind: WayKind;
  /** Equal for the same way on another invoice. */
  way: string;
  /** As a person reads it, account numbers masked. */
  value: string;
  page?: number | undefined;
  isOwn: (payee: OfPayee) => boolean;
};

/** A name in other letters is the same name. */
const plain = (kind: WayKind, way: string): string =>
  kind === "cheque_payee" || kind === "collector" ? letters(way) || way : way;

const LONGEST_VALUE = 200;

/** Every other way to pay that an invoice names. */
export const waysIn = ({ payIds, bpay, findings }: Named): Way[] => [
  ...payIds.map((each): Way => {
    const { payId, page } = each;
    return { kind: "pay_id", way: payId, value: payId, page, isOwn: (payee) => isOwnPayId(each, payee) };
  }),
  ...bpay.map(
    ({ billerCode, page }): Way => ({ kind: "biller", way: billerCode, value: billerCode, page, isOwn: () => false }),
  ),
  ...findings.flatMap(({ code, way = "", digits = "", lines = [], page }): Way[] => {
    if (!isKind(code)) return [];
    const named = way || digits || lines.join(" ");
    const isOwn = (payee: OfPayee) => {
      if (code === "cheque_payee") return isOwnName(payee, way);
      const domain = ownDomain(payee);
      return domain !== "" && `.${way}`.endsWith(`.${domain}`);
    };
    return [{ kind: code, way: plain(code, named), value: clip(sayWords(named), LONGEST_VALUE), page, isOwn }];
  }),
];

/** The sign of an address at which nothing says who is paid, and of places that were left out. */
const isAnybodys = ({ way }: Pick<Way, "way">): boolean => way.endsWith("…");

/** An invoice that a person accepted. */
export type Accepted = Named &
  Pick<StoredReading, "accounts"> & {
    id: string;
    said: Parameters<typeof namesNewWay>[0];
    decidedAt: number;
    /** When it was compared with what was known. */
    judgedAt: number;
    /** Null: the person's account no longer exists. */
    by: string | null;
  };

/** A way that was forgotten, as it stands in the payee's history. */
export type Forgotten = { field: string; oldValue: string | null; createdAt: number };

export const isForgotten = (
  { kind, value }: Pick<Way, "kind" | "value">,
  { field, oldValue }: Omit<Forgotten, "createdAt">,
): boolean => field === WAY_LABELS[kind] && plain(kind, oldValue ?? "") === plain(kind, value);

/**
 * The ways on invoices that a person accepted, each with its first acceptance. An invoice does not bring back what was
 * forgotten after it had been compared, unless it warned: then whoever accepted it knew.
 */
export function knownWays(accepted: readonly Accepted[], forgotten: readonly Forgotten[]) {
  const known = new Map<string, Way & Pick<Accepted, "by"> & { invoiceId: string; since: number; isNoted: boolean }>();
  for (const { said, decidedAt, judgedAt, ...invoice } of accepted) {
    const isTold = namesNewWay(said);
    for (const way of waysIn(invoice)) {
      const knewAt = isTold ? decidedAt : judgedAt;
      if (forgotten.some((each) => each.createdAt >= knewAt && isForgotten(way, each))) continue;
      const key = keyOf(way);
      const before = known.get(key);
      // Beside an account, and without a warning.
      const isBeside = USUAL.has(way.kind) && invoice.accounts.length > 0 && !isTold;
      const isNoted = (isBeside || isAnybodys(way)) && before?.isNoted !== false;
      const first =
        before && before.since <= decidedAt
          ? before
          : { ...way, invoiceId: invoice.id, since: decidedAt, by: invoice.by };
      known.set(key, { ...first, isNoted });
    }
  }
  return { known: [...known.values()], hasAccepted: accepted.length > 0 };
}

/** An invoice of the payee, with the biller codes and references on it. */
export type Billed = Pick<StoredReading, "bpay"> &
  Pick<Accepted, "id" | "said"> & { numberKey: string | null; decision: InvoiceDecision | null; receivedAt: number };

/** How many invoices show whether a payee's references return. */
const ENOUGH_BILLS = 3;

/**
 * What is said of a reference that is on none of the payee's invoices with this biller code. Many payees may share a code
 * (DEFT, Pay Advantage), and then the reference says who is paid. Where references return, as customer numbers do, another
 * one warns; where each invoice has its own, it says nothing.
 */
export function sayNewReferences(
  { bpay }: Pick<StoredReading, "bpay">,
  earlier: readonly Billed[],
  { known, forgotten }: Pick<ReturnType<typeof knownWays>, "known"> & { forgotten: readonly Forgotten[] },
): InvoiceFacts["noticed"] {
  return bpay.flatMap(({ billerCode, reference, page }): InvoiceFacts["noticed"] => {
    const biller = known.find(({ kind, way }) => kind === "biller" && way === billerCode);
    if (!biller || !reference) return [];
    const isForgottenSince = (at: number) =>
      forgotten.some((each) => each.createdAt >= at && isForgotten(biller, each));
    const bills = earlier
      .filter(({ decision, said }) => decision === "accept" || (decision === null && !namesNewWay(said)))
      .filter(({ receivedAt }) => !isForgottenSince(receivedAt))
      .flatMap((bill) =>
        bill.bpay.flatMap((on) =>
          on.billerCode === billerCode && on.reference ? [[on.reference, bill.numberKey ?? bill.id]] : [],
        ),
      );
    const references = new Set(bills.map(([before]) => before));
    const count = new Set(bills.map(String)).size;
    const doReturn = count >= ENOUGH_BILLS && count >= 2 * references.size;
    if (references.has(reference) || (!doReturn && count !== 1)) return [];
    const message = `The BPAY reference ${sayWords(reference)} is on no earlier invoice of this payee: call the payee on a number you know before you pay in this way.`;
    return [{ code: "reference_unknown", message, page, weight: doReturn ? "way" : "kind" }];
  });
}

const keyOf = ({ kind, way }: Pick<Way, "kind" | "way">): string => `${kind} ${way}`;

/**
 * What is said of ways to pay that are not known as this payee's. One that many honest invoices have is only noted
 * beside the payee's account, until a person has accepted an invoice of the payee. An address at which nothing says who
 * is paid is never more than noted beside that account, and warns alone: whoever has an account at the same provider
 * can print one.
 */
export function sayNewWays(
  read: Named & Pick<StoredReading, "accounts">,
  payee: PayeeOfInvoice,
  { known, hasAccepted }: ReturnType<typeof knownWays>,
): InvoiceFacts["noticed"] {
  const hasAccount = read.accounts.some((each) => each.certain && isSameAccount(each, payee));
  return waysIn(read).flatMap((each) => {
    const { kind, value, page = null } = each;
    const before = known.find((one) => keyOf(one) === keyOf(each) && (hasAccount || !one.isNoted));
    const isOpen = isAnybodys(each);
    if (each.isOwn(payee) || (before && !isOpen)) return [];
    const isNoted = hasAccount && !imitates(value, payee) && (before || (USUAL.has(kind) && !hasAccepted));
    // Other rules speak of bank details for payments from abroad that are noted, or the only ones.
    if (kind === ABROAD && (isNoted || !hasAccount)) return [];
    const what = isOpen ? "does not say who is paid there" : "is not known as this payee's";
    const message = `${UNKNOWN[kind](value)} ${what}: call the payee on a number you know before you pay in this way.`;
    return [{ code: `${kind}_unknown`, message, page, weight: isNoted ? "kind" : "way" }];
  });
}
