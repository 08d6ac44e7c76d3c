import { bsbDirectory, organizationDomains, organizations, payees, payeeTerms, verifications } from "@db/schema";
import { and, eq, gte, sql } from "drizzle-orm";
import { hasUnusualAccountLength } from "~/kernel/bsb";
import type { PayeeDetails } from "~/kernel/payee";
import { fingerprintsOfAccount } from "~/modules/account-fingerprints/payee-fingerprint.server";
import { isLive } from "~/modules/billing/subscription";
import { domainTerms } from "~/modules/search-terms/search-terms";
import type { Services } from "~/services";
import {
  type Comparable,
  countVouchings,
  type DirectoryEntry,
  describeInstitution,
  findLookalikes,
  rangesOfDomain,
  rangesOfNames,
  takeInTurn,
} from "./evidence";
import type { Evidence } from "./verification";

/** Vouching payees that are looked at; more say nothing more. */
const MAX_VOUCHING = 50;
/** Payees elsewhere with this account that are asked whether they count. */
const MAX_ASKED = 200;
/** Own payees that are compared with. */
const MAX_CANDIDATES = 200;
const CANDIDATES_PER_RANGE = 30;

type Subject = {
  organizationId: string;
  /** Null for a payee that is being added. */
  payeeId: string | null;
  details: PayeeDetails;
};

type Reading = Pick<Services, "db" | "clock" | "secrets">;

/** Everything known of a payee's account at this moment. Work is bounded, however large the tables are. */
export async function gatherEvidence(services: Reading, subject: Subject): Promise<Evidence> {
  const { details } = subject;
  const [directory, vouchedNames, candidates] = await Promise.all([
    findDirectoryEntry(services, details.bsb),
    listVouchedNames(services, subject),
    listCandidates(services, subject),
  ]);
  return {
    institution: describeInstitution(details.bsb, directory),
    unusualAccountLength: hasUnusualAccountLength(details.bsb, details.accountNumber),
    vouching: countVouchings(details.accountName, vouchedNames),
    lookalikes: findLookalikes(details, candidates),
  };
}

/** The BSB's row; null when a directory is loaded without it, undefined when none is loaded. */
export async function findDirectoryEntry(
  { db }: Pick<Services, "db">,
  bsb: string,
): Promise<DirectoryEntry | null | undefined> {
  const [[row], [any]] = await Promise.all([
    db
      .select({
        mnemonic: bsbDirectory.mnemonic,
        name: bsbDirectory.name,
        electronic: bsbDirectory.electronic,
        status: bsbDirectory.status,
        successorBsb: bsbDirectory.successorBsb,
      })
      .from(bsbDirectory)
      .where(eq(bsbDirectory.bsb, bsb)),
    db.select({ bsb: bsbDirectory.bsb }).from(bsbDirectory).where(gte(bsbDirectory.bsb, "")).limit(1),
  ]);
  return row ?? (any ? null : undefined);
}

/**
 * The names under which other organisations vouch for this account. An organisation counts if it chose to vouch
 * (the global whitelist) for exactly the details that its bank check confirmed and a person or rule approved, has a
 * confirmed domain, and is live. Who they are never leaves this function.
 */
async function listVouchedNames(services: Reading, { organizationId, details }: Subject): Promise<string[]> {
  const { db, clock } = services;
  const fingerprints = await fingerprintsOfAccount(services, details);
  const rows = await db
    .select({
      accountName: payees.accountName,
      subscriptionStatus: organizations.subscriptionStatus,
      trialEndsAt: organizations.trialEndsAt,
    })
    .from(payees)
    .innerJoin(organizations, eq(organizations.id, payees.organizationId))
    .where(
      and(
        sql`${payees.id} IN (SELECT ${payees.id} FROM ${payees}
          WHERE ${payees.accountFingerprint} IN (SELECT value FROM json_each(${JSON.stringify(fingerprints)}))
          AND ${payees.whitelistGlobal} = 1 AND ${payees.organizationId} <> ${organizationId} LIMIT ${MAX_ASKED})`,
        eq(organizations.active, true),
        sql`EXISTS (SELECT 1 FROM ${organizationDomains} WHERE ${organizationDomains.organizationId} = ${payees.organizationId})`,
        sql`EXISTS (SELECT 1 FROM ${verifications}
          WHERE ${verifications.organizationId} = ${payees.organizationId} AND ${verifications.payeeId} = ${payees.id}
          AND ${verifications.status} = 'verified' AND ${verifications.method} = 'basiq'
          AND ${verifications.outcome} IN ('match', 'close_match')
          AND ${verifications.accountName} = ${payees.accountName} AND ${verifications.bsb} = ${payees.bsb}
          AND ${verifications.accountNumber} = ${payees.accountNumber})`,
      ),
    )
    .limit(MAX_VOUCHING);
  const now = clock.now();
  return rows.filter((row) => isLive(row, now)).map((row) => row.accountName);
}

/** Own payees worth comparing with, found through the search index. */
async function listCandidates(services: Reading, subject: Subject): Promise<(Comparable & { payeeId: string })[]> {
  const { db } = services;
  const { organizationId, payeeId, details } = subject;
  const ranges = [...rangesOfDomain(domainTerms(details.email)), ...rangesOfNames([details.accountName, details.name])];
  const found = await db.all<{ ids: string }>(
    sql`SELECT (SELECT json_group_array("payeeId") FROM (
          SELECT ${payeeTerms.payeeId} FROM ${payeeTerms} WHERE ${payeeTerms.organizationId} = ${organizationId}
          AND ${payeeTerms.term} >= json_each.value ->> 'from' AND ${payeeTerms.term} <= json_each.value ->> 'to'
          LIMIT ${CANDIDATES_PER_RANGE}) AS walk) AS ids
        FROM json_each(${JSON.stringify(ranges)})`,
  );
  const lists = found.map((row) => (JSON.parse(row.ids) as string[]).filter((id) => id !== payeeId));
  const ids = takeInTurn(lists, MAX_CANDIDATES);
  return db
    .select({
      payeeId: payees.id,
      name: payees.name,
      accountName: payees.accountName,
      bsb: payees.bsb,
      accountNumber: payees.accountNumber,
      email: payees.email,
    })
    .from(payees)
    .where(
      and(
        eq(payees.organizationId, organizationId),
        sql`${payees.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
}
