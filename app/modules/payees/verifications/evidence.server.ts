import { payees, payeeTerms } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { hasUnusualAccountLength } from "~/kernel/bsb";
import { toIso } from "~/kernel/dates";
import type { PayeeDetails } from "~/kernel/payee";
import { domainTerms } from "~/modules/core/search-terms";
import { describeInstitution } from "~/modules/directories/directory";
import { findDirectoryEntries } from "~/modules/directories/directory.server";
import type { Services } from "~/services";
import { type Comparable, findLookalikes, interleave, rangesOfDomain, rangesOfNames } from "./evidence";
import { type FormerHolder, formerHoldersBesides, ownFormerUntil } from "./former-accounts";
import { findFormerHolders } from "./former-accounts.server";
import { listFormerEmails } from "./former-emails.server";
import type { Evidence, Lookalike } from "./verification";
import { countVouchers } from "./vouching";
import { listVouchers } from "./vouching.server";

/** How many own payees each is compared with, and how many are taken from one range of the search index. */
type Reach = { candidates: number; perRange: number };

const REACH_OF_ONE: Reach = { candidates: 200, perRange: 30 };
/** Of hundreds at once each looks less far: the cost of an import stays in proportion to its rows. */
const REACH_OF_MANY: Reach = { candidates: 24, perRange: 6 };

type Subject = {
  /** Null for a payee that is being added. */
  payeeId: string | null;
  details: PayeeDetails;
};

type Reading = Pick<Services, "db" | "clock" | "secrets">;

/** Everything known of a payee's account at this moment. Work is bounded, however large the tables are. */
export async function gatherEvidence(
  services: Reading,
  { organizationId, ...subject }: Subject & { organizationId: string },
): Promise<Evidence> {
  const [evidence] = await gather(services, organizationId, [subject], REACH_OF_ONE);
  if (!evidence) throw new Error("no evidence was gathered");
  return evidence;
}

/** The same for some hundred payees in a handful of statements, in their order. */
export const gatherEvidenceOfMany = (services: Reading, organizationId: string, subjects: readonly Subject[]) =>
  gather(services, organizationId, subjects, REACH_OF_MANY);

/** For each of some hundred payees the own payees that look like it, by position. */
export async function findLookalikesOfMany(
  services: Pick<Services, "db">,
  organizationId: string,
  subjects: readonly Subject[],
): Promise<(at: number) => Lookalike[]> {
  const candidatesOf = await listCandidates(services, organizationId, { subjects, reach: REACH_OF_MANY });
  return (at) => {
    const subject = subjects[at];
    return subject ? findLookalikes(subject.details, candidatesOf(at)) : [];
  };
}

async function gather(
  services: Reading,
  organizationId: string,
  subjects: readonly Subject[],
  reach: Reach,
): Promise<Evidence[]> {
  const accounts = subjects.map(({ details }) => details);
  const [entryOf, vouchersOf, candidatesOf, formerEmailsOf, formerHoldersOf] = await Promise.all([
    findDirectoryEntries(
      services,
      accounts.map(({ bsb }) => bsb),
    ),
    listVouchers(services, organizationId, accounts),
    listCandidates(services, organizationId, { subjects, reach }),
    listFormerEmails(
      services,
      organizationId,
      subjects.flatMap(({ payeeId }) => payeeId ?? []),
    ),
    findFormerHolders(services, organizationId, accounts),
  ]);
  const now = services.clock.now();
  return subjects.map(({ payeeId, details }, at) => ({
    institution: describeInstitution(details.bsb, entryOf(details.bsb)),
    unusualAccountLength: hasUnusualAccountLength(details.bsb, details.accountNumber),
    vouching: countVouchers(details.accountName, vouchersOf(at), now),
    lookalikes: findLookalikes(
      details,
      candidatesOf(at),
      payeeId === null ? undefined : { payeeId, formerEmails: formerEmailsOf(payeeId) },
    ),
    ...whoseItWas(formerHoldersOf(details), payeeId),
  }));
}

/** More former holders of one account say nothing more. */
const MAX_FORMER_HOLDERS = 5;

/**
 * Whose account it was, as it is kept with the verification. No other payee can take the account while this one has it,
 * so nobody is added later.
 */
function whoseItWas(
  holders: readonly FormerHolder[],
  payeeId: string | null,
): Pick<Evidence, "formerHolders" | "ownUntil"> {
  const others = formerHoldersBesides(holders, payeeId).slice(0, MAX_FORMER_HOLDERS);
  const own = payeeId === null ? undefined : ownFormerUntil(holders, payeeId);
  return {
    ...(others.length > 0 && { formerHolders: others.map((each) => ({ ...each, until: toIso(each.until) })) }),
    ...(own !== undefined && { ownUntil: toIso(own) }),
  };
}

type Candidate = Comparable & { payeeId: string };

/** For each subject the own payees worth comparing with, found through the search index. */
async function listCandidates(
  services: Pick<Services, "db">,
  organizationId: string,
  { subjects, reach }: { subjects: readonly Subject[]; reach: Reach },
): Promise<(at: number) => Candidate[]> {
  const { db } = services;
  const rangesOf = subjects.map(({ details: { email, accountName, name } }) => [
    ...rangesOfDomain(domainTerms(email)),
    ...rangesOfNames([accountName, name]),
  ]);
  const keyOf = ({ from, to }: { from: string; to: string }) => `${from}\n${to}`;
  const ranges = [...new Map(rangesOf.flat().map((range) => [keyOf(range), range])).entries()];
  const found = await db.all<{ ids: string }>(
    sql`SELECT (SELECT json_group_array("payeeId") FROM (
          SELECT ${payeeTerms.payeeId} FROM ${payeeTerms} WHERE ${payeeTerms.organizationId} = ${organizationId}
          AND ${payeeTerms.term} >= json_each.value ->> 'from' AND ${payeeTerms.term} <= json_each.value ->> 'to'
          LIMIT ${reach.perRange}) AS walk) AS ids
        FROM json_each(${JSON.stringify(ranges.map(([, range]) => range))})`,
  );
  const idsIn = new Map(ranges.map(([key], at) => [key, JSON.parse(found[at]?.ids ?? "[]") as string[]]));
  const idsOf = subjects.map(({ payeeId }, at) => {
    const lists = rangesOf[at]?.map((range) => (idsIn.get(keyOf(range)) ?? []).filter((id) => id !== payeeId));
    return interleave(lists ?? [], reach.candidates);
  });
  const known = await readCandidates(services, organizationId, [...new Set(idsOf.flat())]);
  return (at) => (idsOf[at] ?? []).flatMap((id) => known.get(id) ?? []);
}

async function readCandidates({ db }: Pick<Services, "db">, organizationId: string, ids: readonly string[]) {
  const rows = await db
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
  return new Map(rows.map((row) => [row.payeeId, row]));
}
