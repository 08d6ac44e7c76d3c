import { parseAbn } from "~/kernel/abn";
import { accountKey, maskAccountNumber, maskedAccount } from "~/kernel/bank-account";
import { emailDomain, findLookalikeDomain, isFreeMailDomain } from "~/kernel/email";
import { clip } from "~/kernel/text";
import { WAY_LABELS, type WayKind } from "~/kernel/ways-to-pay";
import type { InvoiceFacts, PayeeOfInvoice } from "~/modules/rules/invoices/facts";
import { isNamed, isSameAccount } from "~/modules/rules/invoices/verdict";
import { maskedWords, noticedOf, type StoredReading, totalOf } from "./reading";

/** Ways to pay that an invoice names besides a bank account, compared with what is known of its payee. Pure. */

type PayId = Pick<StoredReading["payIds"][number], "payId" | "type">;
export type OfPayee = Pick<PayeeOfInvoice, "name" | "accountName" | "bsb" | "accountNumber" | "abn" | "email">;

/** The domain of the payee's address; "": everybody can have an address there. */
export function ownDomain({ email }: Pick<OfPayee, "email">): string {
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
const UNKNOWN = {
  pay_id: () => "The PayID on it",
  biller: (way: string) => `The BPAY biller code ${way} on it`,
  qr_code_leads_elsewhere: (way: string) => `${way}, where a QR code on it leads,`,
  payment_link: (way: string) => `${way}, where it asks to be paid,`,
  cheque_payee: (way: string) => `The name for cheques on it, “${way}”,`,
  collector: () => "Whoever it says collects for the payee",
  [ABROAD]: () => "The account abroad on it",
};
const isKind = (code: string): code is keyof typeof UNKNOWN => Object.hasOwn(UNKNOWN, code);

/** Many honest invoices have one of these beside the account. */
const USUAL: ReadonlySet<WayKind> = new Set(["payment_link", ABROAD]);

/** "karrifloors-pay.top", where the payee's own site is "karrifloors.com.au"; or its name in letters like those. */
function imitates(way: string, payee: OfPayee): boolean {
  const domain = ownDomain(payee);
  const [own = ""] = domain.split(".");
  const { reason } = findLookalikeDomain(way.replace(/[/:].*/, ""), domain ? [domain] : []) ?? {};
  if (reason === "confusable" || reason === "punycode") return true;
  return own.length >= SHORTEST_NAME && way.split(/[./]/).some((part) => part !== own && part.includes(own));
}

type Named = Pick<StoredReading, "accounts" | "payIds" | "bpay" | "findings" | "email">;
type Way = {
  kind: WayKind;
  /** Equal for the same way on another invoice. */
  way: string;
  /** As a person reads it, account numbers masked. */
  value: string;
  /** The sentence of a finding that warns of it. */
  says: string;
  page?: number | undefined;
  isOwn: (payee: OfPayee) => boolean;
};

const IS_NUMBER = /^\+?[\d\s()-]{8,}$/;

/** A name in other letters is the same name, and a phone number with the country's code the same number. */
function plain(kind: WayKind, way: string): string {
  if (kind === "cheque_payee" || kind === "collector") return letters(way) || way;
  if (kind !== "pay_id" || !IS_NUMBER.test(way)) return way;
  const digits = way.replace(/\D/g, "");
  return parseAbn(digits) ?? digits.replace(/^61(?=\d{9}$)/, "0");
}

/** A phone number is somebody's, and the audit trail cannot forget it. The trail masks an email address itself. */
export const maskPhone = (value: string) =>
  IS_NUMBER.test(value) ? maskAccountNumber(value.replace(/\D/g, "")) : value;

const LONGEST_VALUE = 200;

/** Every other way to pay that an invoice names. */
export const waysIn = ({ payIds, bpay, findings }: Named): Way[] => [
  ...payIds.map((each) => ({
    ...aWay("pay_id", each.payId),
    ...{ page: each.page, isOwn: (payee: OfPayee) => isOwnPayId(each, payee) },
  })),
  ...bpay.map(({ billerCode, page }) => ({ ...aWay("biller", billerCode), page, isOwn: () => false })),
  ...findings.flatMap(({ code, way = "", digits = "", lines = [], page }) => {
    if (!isKind(code)) return [];
    const named = way || digits || lines.join(" ");
    const isOwn = (payee: OfPayee) => {
      if (code === "cheque_payee") return isOwnName(payee, way);
      const domain = ownDomain(payee);
      const [host = ""] = way.split(/[/:]/);
      return domain !== "" && `.${host}`.endsWith(`.${domain}`);
    };
    return [{ ...aWay(code, named, clip(maskedWords(named), LONGEST_VALUE)), page, isOwn }];
  }),
];

function aWay(kind: keyof typeof UNKNOWN, named: string, value = named): Pick<Way, "kind" | "way" | "value" | "says"> {
  const way = plain(kind, named);
  const what = isAnybodys({ way }) ? "does not say who is paid there" : "is not known as this payee's";
  const says = `${UNKNOWN[kind](value)} ${what}: call the payee on a number you know before you pay in this way.`;
  return { kind, way, value, says };
}

/** A picture with what was found about it: whoever accepted that it may contain writing saw no other account on it. */
export const keyOfPicture = ({ code, picture }: Named["findings"][number]): string => `${code} ${picture}`;
const SHOWN_OF_PICTURE = 12;

/** What else is known once a person has accepted an invoice: which account is debited, where answers go, and pictures. */
export function besidesIn({ accounts, findings, email }: Named): Way[] {
  const domain = emailDomain(email?.from?.address ?? "");
  const answers = [email?.replyTo?.address.toLowerCase() ?? ""];
  return [
    ...[debitedOnly({ accounts }) ?? []].flat().map((account) => ({
      ...{ kind: "debited" as const, way: accountKey(account), says: `${ONLY_DEBITED}.` },
      value: maskedAccount(account),
      isOwn: (payee: OfPayee) => isSameAccount(account, payee),
    })),
    ...accounts.flatMap((first) => (first.certain ? accounts.flatMap((other) => beside(first, other)) : [])),
    ...answers
      .filter((address) => domain !== "" && address !== "" && emailDomain(address) !== domain)
      .map((address) => ({
        ...{ kind: "reply_to" as const, way: `${address} ${domain}`, says: `An answer to it would go to ${address}.` },
        value: clip(`${address} for emails from ${domain}`, LONGEST_VALUE),
        isOwn: (payee: OfPayee) => isOwnPayId({ payId: address, type: "email" }, payee),
      })),
    ...findings.flatMap((each) =>
      each.picture
        ? noticedOf(each).map(({ message }) => ({
            ...{ kind: "picture" as const, way: keyOfPicture(each), says: message },
            ...{ value: `${each.picture}`.slice(0, SHOWN_OF_PICTURE), isOwn: () => false },
          }))
        : [],
    ),
  ];
}

type Account = Named["accounts"][number];
/** Another account beside one that is certain. Only beside the payee's own is it known as anything. */
function beside(first: Account, other: Account): Way[] {
  if (other.bsb === "" || other.whose === "customer" || isSameAccount(first, other)) return [];
  const value = maskedAccount(other);
  const says = `It also names ${value}, which somebody accepted beside this payee's account.`;
  const isOwn = (payee: OfPayee) => !isSameAccount(first, payee);
  const way = `${accountKey(other)} beside ${accountKey(first)}`;
  return [{ kind: "account_beside", way, value, says, page: other.page, isOwn }];
}

/** The sign of an address at which nothing says who is paid, and of places that were left out. */
const isAnybodys = ({ way }: Pick<Way, "way">): boolean => way.endsWith("…");

/** An invoice that a person accepted. */
export type Accepted = Named & {
  id: string;
  numberKey: string | null;
  said: readonly { code: string; level: string; message: string }[];
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
 * What is known by invoices that a person accepted, each with its first acceptance. An invoice does not bring back what
 * was forgotten after it had been compared, unless it warned of it: then whoever accepted it knew.
 */
export function knownWays(accepted: readonly Accepted[], forgotten: readonly Forgotten[]) {
  const known = new Map<string, Way & Pick<Accepted, "by"> & { invoiceId: string; since: number; isNoted: boolean }>();
  for (const { said, decidedAt, judgedAt, ...invoice } of accepted) {
    const ways = [...waysIn(invoice), ...besidesIn(invoice)];
    for (const way of ways) {
      const isSaid = said.some(({ level, message }) => level !== "note" && ` ${message}`.includes(` ${way.says}`));
      const isTold = isSaid && isAlone(way, ways);
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
  return { accepted, forgotten, known: [...known.values()] };
}
type Known = ReturnType<typeof knownWays>;

/** An earlier invoice of the payee that teaches what is usual. */
type Earlier = Named & {
  id: string;
  numberKey: string | null;
  receivedAt: number;
  /** It surely is the payee's. */
  isSure: boolean;
};

/** How many invoices show what is usual. */
export const ENOUGH = 3;
/** One invoice that nobody stopped makes nothing usual. */
const SEVERAL = 2;

/** What an invoice names. Another of a copy of the same invoice shows nothing. */
type Shown = Pick<Earlier, "numberKey" | "id" | "isSure"> & { what: string };

/**
 * True where invoices name the same again and again, as they do a site or a customer number, and this is another one.
 * Where each has its own, nothing is usual. Those that surely are the payee's are also looked at alone: what others
 * name again and again does not become usual beside them.
 */
function isUnusual(asked: string, shown: readonly Shown[]): boolean {
  const isAnother = (some: readonly Shown[]) => {
    const all = [...new Map(some.map(({ what, numberKey, id }) => [`${numberKey ?? id} ${what}`, what])).values()];
    const doReturn = all.length >= ENOUGH && all.length >= 2 * new Set(all).size;
    return doReturn && all.filter((each) => each === asked).length < SEVERAL;
  };
  return isAnother(shown) || isAnother(shown.filter(({ isSure }) => isSure));
}

const hostOf = (site: string): string => site.replace(/\/.*/, "");

/**
 * What is said of a reference that is on none of the payee's accepted invoices with this biller code. Many payees may
 * share a code (DEFT, Pay Advantage), and then the reference says who is paid. Where references return, as customer
 * numbers do, another one warns; where each accepted invoice has its own, it says nothing.
 */
export function newReferenceFindings(
  { bpay }: Pick<StoredReading, "bpay">,
  earlier: readonly Earlier[],
  { known, accepted, forgotten }: Known,
): InvoiceFacts["noticed"] {
  return bpay.flatMap(({ billerCode, reference, page }): InvoiceFacts["noticed"] => {
    const biller = known.find(({ kind, way }) => kind === "biller" && way === billerCode);
    if (!biller || !reference) return [];
    const isSince = (at: number) => !forgotten.some((each) => each.createdAt >= at && isForgotten(biller, each));
    const on = (invoice: Pick<Named, "bpay">) =>
      invoice.bpay.flatMap((each) => (each.billerCode === billerCode && each.reference ? [each.reference] : []));
    const decided = accepted.filter(({ judgedAt }) => isSince(judgedAt));
    // However many invoices came since, those that a person accepted show what is usual.
    const shown = [
      ...decided.map((each) => ({ ...each, isSure: true })),
      ...earlier.filter(({ receivedAt }) => isSince(receivedAt)),
    ].flatMap((each) => on(each).map((what) => ({ ...each, what })));
    const taught = new Set(decided.flatMap(on));
    const doReturn = isUnusual(reference, shown);
    if (shown.length === 0 || taught.has(reference) || (taught.size > 1 && !doReturn)) return [];
    const message = `The BPAY reference ${maskedWords(reference)} is on no earlier invoice of this payee that somebody accepted: call the payee on a number you know before you pay in this way.`;
    return [{ code: "reference_unknown", message, page, weight: doReturn ? "way" : "kind" }];
  });
}

/** No other way on the invoice is warned of in the same words. */
const isAlone = (way: Way, ways: readonly Way[]): boolean =>
  ways.every((each) => keyOf(each) === keyOf(way) || each.says !== way.says);

export const keyOf = ({ kind, way }: Pick<Way, "kind" | "way">): string => `${kind} ${way}`;

/**
 * What is said of ways to pay that are not known as this payee's. One that many honest invoices have is only noted
 * beside the payee's account, until a person has accepted an invoice of the payee, or its invoices keep naming another
 * one. An address at which nothing says who is paid is never more than noted beside that account, and warns alone:
 * whoever has an account at the same provider can print one.
 */
export function newWayFindings(
  read: Named,
  payee: PayeeOfInvoice,
  { known, accepted, forgotten }: Known,
  earlier: readonly Earlier[],
): InvoiceFacts["noticed"] {
  const hasAccount = read.accounts.some((each) => each.certain && isSameAccount(each, payee));
  const usual = earlier.flatMap((invoice) =>
    waysIn(invoice).map((each) => ({ ...invoice, kind: each.kind, what: each.isOwn(payee) ? "" : each.way })),
  );
  const isNew = ({ kind, way, value }: Way) => {
    // The invoice that was accepted with it may be deleted.
    const isGone = forgotten.some((each) => isForgotten({ kind, value }, each));
    const shown = usual.filter((each) => each.kind === kind);
    const hosts = shown.map((each) => ({ ...each, what: hostOf(each.what) }));
    // Each bill may have a link of its own at the same host, also beside another site that is the same on each.
    const there = shown.filter(({ what }) => hostOf(what) === hostOf(way));
    return accepted.length > 0 || isGone || isUnusual(hostOf(way), hosts) || isUnusual(way, there);
  };
  return waysIn(read).flatMap((each) => {
    const { kind, value, says, page = null } = each;
    const before = known.find((one) => keyOf(one) === keyOf(each) && (hasAccount || !one.isNoted));
    const isOpen = isAnybodys(each);
    if (each.isOwn(payee) || (before && !isOpen)) return [];
    const isNoted = hasAccount && !imitates(value, payee) && (before || (USUAL.has(kind) && !isNew(each)));
    // Other rules speak of bank details for payments from abroad that are noted, or the only ones.
    if (kind === ABROAD && (isNoted || !hasAccount)) return [];
    return [{ code: `${kind}_unknown`, message: says, page, weight: isNoted ? "kind" : "way" }];
  });
}

const ONLY_DEBITED =
  "The only account on it is one to be debited or refunded: if that is not yours, call the payee before you pay to it";

const ASKS_TO_PAY = /\b(?:deposit|transfer|remit|send|pay)\b[^.]{0,40}\b(?:in)?to\b|\b(?:please|kindly|must) pay\b/i;

/** The account that would be debited, where there is no other. */
const debitedOnly = ({ accounts }: Pick<StoredReading, "accounts">) =>
  accounts.every(({ whose }) => whose === "customer") ? accounts[0] : undefined;

/**
 * An account that would be debited, where there is no other. It warns where the words ask for a payment, and where
 * nothing else on the invoice says how its total is paid.
 * @param isKnown it was debited on an invoice that a person accepted
 */
export function onlyDebitedFindings(
  read: Pick<StoredReading, "accounts" | "bpay" | "payIds" | "totalCents" | "currency">,
  isKnown = false,
): InvoiceFacts["noticed"] {
  const debited = debitedOnly(read);
  if (!debited) return [];
  const isUnpaid = (totalOf(read) ?? 0) > 0 && read.bpay.length + read.payIds.length === 0;
  const isAsked = debited.lines.some((line) => ASKS_TO_PAY.test(line));
  const weight = isAsked || (isUnpaid && !isKnown) ? "odd" : "kind";
  return [{ code: "only_debited", message: `${ONLY_DEBITED}.`, page: debited.page, weight }];
}
