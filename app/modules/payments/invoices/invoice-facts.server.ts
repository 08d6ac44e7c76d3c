import { columnsOf, payees } from "@db/database";
import { and, eq, or, sql } from "drizzle-orm";
import { namesOfEntity } from "~/kernel/abn";
import { accountKey } from "~/kernel/bank-account";
import { emailDomain, findLookalikeDomain, isFreeMailDomain } from "~/kernel/email";
import type { MailAuthentication } from "~/kernel/enums";
import type { WayKind } from "~/kernel/ways-to-pay";
import { domainTerms, rangesOfDomain } from "~/modules/core/payee-keys";
import { payeesWithTerms, rangesOf } from "~/modules/core/search-words.server";
import { findAgainstDomain } from "~/modules/directories/directory.server";
import { lookUpDomainSoon } from "~/modules/directories/email-domain.server";
import { lookUpAbn } from "~/modules/directories/register.server";
import { hasAccount } from "~/modules/payees/payee.server";
import {
  type FormerHolder,
  findFormerHolders,
  listInRanges,
  listOwnDomains,
} from "~/modules/payees/verifications/evidence.server";
import { listAccountHistories, standingOf } from "~/modules/payments/payment-facts/account-history.server";
import { findNamesakes } from "~/modules/payments/payment-facts/facts.server";
import type { InvoiceFacts, PayeeOfInvoice } from "~/modules/rules/invoices/facts";
import { identifyPayee } from "~/modules/rules/invoices/verdict";
import type { ReadAccount } from "~/ports/document-reader";
import type { Asking, ReadServices, Services, WriteServices } from "~/services-and-actor";
import { findSeenBefore, hasComeFrom, listTeaching, NAMES_WAY, readUsual } from "./earlier-invoices.server";
import { readKnownWays } from "./known-ways.server";
import { type DocumentFacts, documentFacts, type StoredReading } from "./reading";
import {
  besidesIn,
  keyOf,
  keyOfPicture,
  knownWays,
  newReferenceFindings,
  newWayFindings,
  onlyDebitedFindings,
  waysIn,
} from "./ways-to-pay";

export type GatheringFacts = WriteServices &
  Pick<Services, "secrets" | "businessRegister" | "domainRecords" | "domainRegistry" | "log">;

/** How many payees are read for one ABN or one domain; more would add nothing. */
const MOST_PAYEES = 5;
/** How long to wait for the register: a person may be waiting. Without an answer there is no finding. */
const REGISTER_MS = 1_500;

/** An invoice whose facts are wanted: what the reader returned, and how the invoice arrived. */
export type AskedInvoice = {
  document: DocumentFacts;
  /** Absent if it could not be read. */
  read?: StoredReading;
  timeZone: string;
  /** What the platform says about the sender of an email that it received. */
  authentication?: MailAuthentication;
};

/** Gathers the facts for the rules: what the document says, and what the organisation knows now. */
export async function gatherInvoiceFacts(
  services: GatheringFacts,
  asking: Asking & { invoiceId: string },
  asked: AskedInvoice,
): Promise<InvoiceFacts> {
  const { organizationId, invoiceId } = asking;
  const { accounts, ...document } = asked.document;
  const sender = senderOf(asked.read);
  const addresses = [...(sender ? [sender.address] : []), ...(asked.read?.emails.map(({ address }) => address) ?? [])];
  const [byAccount, formerHoldersOf, byAbn, byEmail, byName, register, ownDomains, domain] = await Promise.all([
    listByAccounts(services, organizationId, accounts),
    findFormerHolders(services, organizationId, accounts),
    listByAbn(services, asking, document.abn),
    listByDomain(services, organizationId, addresses),
    listByName(services, organizationId, [document.supplierName, ...accounts.map(({ accountName }) => accountName)]),
    askRegister(services, document.abn),
    sender ? listOwnDomains(services, organizationId) : ([] as string[]),
    sender ? lookUpDomainSoon(services, sender.address, REGISTER_MS) : {},
  ]);
  const now = services.clock.now();
  const against = sender && findAgainstDomain(sender.address, domain, now);
  const payeeOf = await readPayees(services, organizationId, [byAccount, byAbn, byEmail.ids, byName].flat());
  const ofAbn = payeeOf(byAbn);
  const read = asked.read && { ...asked.read, accounts: asked.read.accounts.map((each) => notDebited(each, ofAbn)) };
  const facts: InvoiceFacts = {
    now,
    timeZone: asked.timeZone,
    ...document,
    accounts: accounts.map((account) => ({
      ...notDebited(account, ofAbn),
      holder: holderOf(account, payeeOf(byAccount), formerHoldersOf(account)),
    })),
    byAccount: payeeOf(byAccount),
    byAbn: ofAbn,
    byEmail: payeeOf(byEmail.ids),
    byName: payeeOf(byName),
    register,
    sender: null,
    sameNumber: null,
    sameAmount: null,
    formerTotals: [],
    formerSoftware: [],
  };
  const payee = identifyPayee(facts)?.payee;
  const of = payee && { organizationId, payee, beforeId: invoiceId };
  const isOwnDomain = sender !== null && ownDomains.includes(emailDomain(sender.address));
  const seenOf = { organizationId, beforeId: invoiceId, payeeId: payee?.id ?? null };
  const [seen, usual, { isReplyToKnown, besides, ...asSeen }, isKnownSender] = await Promise.all([
    findSeenBefore(services, seenOf, document, now),
    of && readUsual(services, of, read),
    of && read ? asOfPayee(services, asking, read, of) : { isReplyToKnown: false, besides: [] as string[] },
    facts.byEmail.length > 0 || isOwnDomain || (of && sender ? hasComeFrom(services, of, sender.address) : false),
  ]);
  return {
    ...facts,
    ...seen,
    ...usual,
    ...asSeen,
    accounts: facts.accounts.map((each) =>
      !each.holder && besides.some((way) => way.startsWith(accountKey(each))) ? { ...each, isBeside: true } : each,
    ),
    sender: sender && {
      ...sender,
      ...(against && { against }),
      ...(isReplyToKnown && { isReplyToKnown }),
      ...(asked.authentication && { authentication: asked.authentication }),
      lookalikeOf: lookalikeOf(sender.address, [...byEmail.near, ...ownDomains, domainOf(payee)]),
      isNew: !isKnownSender,
    },
  };
}

/** What the document says about this payee, without what a person has seen and accepted on an earlier invoice of it. */
async function asOfPayee(
  services: ReadServices,
  asking: Asking,
  read: StoredReading,
  of: { organizationId: string; payee: PayeeOfInvoice; beforeId: string },
): Promise<Pick<InvoiceFacts, "noticed" | "hasUnreadAccount"> & { isReplyToKnown: boolean; besides: string[] }> {
  const { payee, beforeId } = of;
  const besides = besidesIn(read);
  const hasWays = waysIn(read).length > 0;
  const [known, earlier] = await Promise.all([
    hasWays || besides.length > 0 ? readKnownWays(services, asking, payee.id, beforeId) : knownWays([], []),
    hasWays ? listTeaching(services, of, NAMES_WAY) : [],
  ]);
  const accepted = besides.filter((each) => known.known.some((one) => keyOf(one) === keyOf(each)));
  const isAccepted = (kind: WayKind, way?: string) =>
    accepted.some((each) => each.kind === kind && (way === undefined || each.way === way));
  const second = accepted.filter((each) => each.kind === "account_beside" && !each.isOwn(payee));
  const findings = read.findings.filter(
    (finding) => !WAYS.has(finding.code) && !isAccepted("picture", keyOfPicture(finding)),
  );
  const { noticed, hasUnreadAccount } = documentFacts({ ...read, findings });
  const newWays = newWayFindings(read, payee, known, earlier);
  const newReferences = newReferenceFindings(read, earlier, known);
  return {
    noticed: [
      ...noticed,
      ...newWays,
      ...newReferences,
      ...onlyDebitedFindings(read, isAccepted("debited")),
      ...second.map(({ says, page = null }) => ({
        code: "account_beside",
        message: says,
        page,
        weight: "kind" as const,
      })),
    ],
    hasUnreadAccount,
    besides: second.map(({ way }) => way),
    isReplyToKnown: isAccepted("reply_to"),
  };
}

/** Said in other words where the payee is known. */
const WAYS: ReadonlySet<string> = new Set(["qr_code_leads_elsewhere", "collector"]);

const ADDRESS = /[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,6}/;

/** The sender that an email claims. */
function senderOf(read: StoredReading | undefined) {
  const { address, name = "" } = read?.email?.from ?? {};
  if (!address || emailDomain(address) === "") return null;
  const shownAs = ADDRESS.exec(name.toLowerCase())?.[0] ?? null;
  return {
    address: address.toLowerCase(),
    shownAs: shownAs && emailDomain(shownAs) !== emailDomain(address) ? shownAs : null,
    replyTo: read?.email?.replyTo?.address.toLowerCase() ?? null,
  };
}

const domainOf = (payee: PayeeOfInvoice | undefined): string => (payee?.email ? emailDomain(payee.email) : "");

const domainIs = (address: string | null, other: string): boolean =>
  address !== null && emailDomain(address) === emailDomain(other);

/** The known domain that the sender's could be mistaken for; null: it is a known domain, or resembles none. */
function lookalikeOf(address: string, known: readonly string[]): string | null {
  const domain = emailDomain(address);
  const others = known.filter((each) => each !== "" && !isFreeMailDomain(each));
  if (isFreeMailDomain(domain) || others.includes(domain)) return null;
  return findLookalikeDomain(domain, others)?.known ?? null;
}

type Account = { bsb: string; accountNumber: string };

/** An account that its words have debited or refunded is not the customer's if the payee with the document's ABN has it. */
const notDebited = <A extends Account & Pick<ReadAccount, "whose">>(account: A, ofAbn: readonly Account[]): A =>
  ofAbn.some((payee) => accountKey(payee) === accountKey(account)) ? { ...account, whose: "payee" } : account;

async function listByAccounts({ db }: ReadServices, organizationId: string, accounts: readonly Account[]) {
  const distinct = [...new Map(accounts.map((account) => [accountKey(account), account])).values()];
  if (distinct.length === 0) return [];
  const rows = await db
    .select({ id: payees.id })
    .from(payees)
    .where(or(...distinct.map((account) => hasAccount(organizationId, account))));
  return rows.map(({ id }) => id);
}

async function listByAbn({ db }: ReadServices, asking: Asking, abn: string | null): Promise<string[]> {
  if (abn === null) return [];
  const rows = await db.all<{ id: string }>(sql`SELECT ${payees.id} FROM ${payees}
    WHERE ${payees.organizationId} = ${asking.organizationId} AND ${payees.abn} = ${abn}
      AND ${payees.id} IN (${payeesWithTerms(asking, rangesOf(abn))}) LIMIT ${MOST_PAYEES}`);
  return rows.map(({ id }) => id);
}

/**
 * Payees at the domain of one of these addresses, in the order of the addresses; and the known domains for the
 * lookalike check.
 */
async function listByDomain(services: ReadServices, organizationId: string, addresses: readonly string[]) {
  const ranges = addresses.map((address) => ({ address, ranges: rangesOfDomain(domainTerms(address)) }));
  const inRange = await listInRanges(
    services,
    organizationId,
    ranges.flatMap(({ ranges: each }) => each),
  );
  const near = ranges.flatMap(({ address, ranges: each }) =>
    each.flatMap(inRange).flatMap(({ id, email }) => (email === null ? [] : [{ id, email, address }])),
  );
  const same = near.filter(({ email, address }) => domainIs(email, address));
  return {
    ids: [...new Set(same.map(({ id }) => id))].slice(0, MOST_PAYEES),
    near: [...new Set(near.map(({ email }) => emailDomain(email)))],
  };
}

async function listByName(services: ReadServices, organizationId: string, names: readonly (string | null)[]) {
  const asked = names.filter((name) => name !== null);
  if (asked.length === 0) return [];
  const found = await findNamesakes(services, organizationId, asked);
  return [...new Set(asked.flatMap((name) => (found.get(name) ?? []).map(({ payeeId }) => payeeId)))].slice(
    0,
    MOST_PAYEES,
  );
}

/** Reads each payee once. @returns a function that gives the payees for a list of ids, in its order */
export async function readPayees(services: ReadServices, organizationId: string, ids: readonly string[]) {
  const distinct = [...new Set(ids)];
  const { db } = services;
  const [rows, histories] = await Promise.all([
    distinct.length === 0
      ? []
      : db
          .select(columnsOf(payees, "id", "name", "accountName", "bsb", "accountNumber", "abn", "email", "archivedAt"))
          .from(payees)
          .where(
            and(
              eq(payees.organizationId, organizationId),
              sql`${payees.id} IN (SELECT value FROM json_each(${JSON.stringify(distinct)}))`,
            ),
          ),
    distinct.length === 0 ? new Map<string, never>() : listAccountHistories(services, organizationId, distinct),
  ]);
  const known = new Map(
    rows.map(({ archivedAt, ...row }): [string, PayeeOfInvoice] => {
      const history = histories.get(row.id);
      const standing = history ? standingOf(history.account, history) : { state: "none" as const };
      return [row.id, { ...row, isArchived: archivedAt !== null, standing }];
    }),
  );
  return (wanted: readonly string[]): PayeeOfInvoice[] => wanted.flatMap((id) => known.get(id) ?? []);
}

/** The payee that has the account now, or had it last. */
function holderOf(account: Account, holders: readonly PayeeOfInvoice[], former: readonly FormerHolder[]) {
  const now = holders.find((payee) => accountKey(payee) === accountKey(account));
  if (now && !now.isArchived) return { payeeId: now.id, name: now.name, state: "has" as const, until: null };
  const [last] = former;
  if (last) {
    const state = last.isArchived ? ("archived" as const) : ("had" as const);
    return { payeeId: last.payeeId, name: last.name, state, until: last.until };
  }
  return now ? { payeeId: now.id, name: now.name, state: "archived" as const, until: null } : null;
}

/** What the business register says about the ABN, if it answers in time. */
async function askRegister(services: GatheringFacts, abn: string | null): Promise<InvoiceFacts["register"]> {
  if (abn === null) return null;
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), REGISTER_MS));
  const looked = await Promise.race([lookUpAbn(services, abn), late]);
  const answer =
    looked?.state === "answered" ? looked.answer : looked?.state === "unreachable" ? looked.before : undefined;
  if (!answer) return null;
  const { entry } = answer;
  if (!entry) return { state: "not_found", names: [], hasGst: false };
  return {
    state: entry.isActive ? "active" : "cancelled",
    names: namesOfEntity(entry),
    hasGst: entry.gstFrom !== null,
  };
}
