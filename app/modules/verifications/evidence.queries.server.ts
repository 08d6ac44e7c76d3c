import { payees, payeeTerms } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { hasUnusualAccountLength } from "~/kernel/bsb";
import type { PayeeDetails } from "~/kernel/payee";
import { describeInstitution } from "~/modules/bsb-directory/directory";
import { findDirectoryEntry } from "~/modules/bsb-directory/directory.queries.server";
import { domainTerms } from "~/modules/search-terms/search-terms";
import type { Services } from "~/services";
import { type Comparable, findLookalikes, rangesOfDomain, rangesOfNames, takeInTurn } from "./evidence";
import type { Evidence } from "./verification";
import { countVouchers } from "./vouching";
import { listVouchers } from "./vouching.queries.server";

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
  const [directory, vouchers, candidates] = await Promise.all([
    findDirectoryEntry(services, details.bsb),
    listVouchers(services, subject),
    listCandidates(services, subject),
  ]);
  return {
    institution: describeInstitution(details.bsb, directory),
    unusualAccountLength: hasUnusualAccountLength(details.bsb, details.accountNumber),
    vouching: countVouchers(details.accountName, vouchers, services.clock.now()),
    lookalikes: findLookalikes(details, candidates),
  };
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
