import { matchNames, type NameMatch, scoreNames } from "~/modules/name-match";
import type { SharedAccount, SharedBankData, SharedIdentity } from "~/ports/bank-data";

export type ComparedName = {
  /** Of the names that the bank gave, the one that was compared. */
  name: string;
  match: NameMatch;
  /** The account came without a holder, so the owner's own name stood in for it. */
  fromIdentity: boolean;
};

type Candidate = { name: string; match: NameMatch };

const compareWith = (submitted: string, name: string): Candidate => ({ name, match: matchNames(submitted, name) });

const better = (a: Candidate, b: Candidate) => (b.match.score > a.match.score ? b : a);
const worse = (a: ComparedName, b: ComparedName) => (b.match.score < a.match.score ? b : a);

const organizationNames = ({ legalName, businessName }: SharedIdentity) =>
  [legalName, businessName].filter((name) => name !== undefined);

/**
 * The holder's name is the evidence. A legal or business name of the same connection may raise a close result, because
 * banks shorten holders; it may not rescue a name that the holder contradicts, nor one that contradicts the holder.
 */
function compareHolder(submitted: string, holder: string, identities: readonly SharedIdentity[]): ComparedName {
  const held = compareWith(submitted, holder);
  if (held.match.matchType !== "fuzzy") return { ...held, fromIdentity: false };
  const agreeing = identities
    .flatMap(organizationNames)
    .filter((name) => scoreNames(name, holder).matchType !== "none")
    .map((name) => compareWith(submitted, name));
  return { ...agreeing.reduce(better, held), fromIdentity: false };
}

/** What an owner is called: the organisation's names, and only without them the person's. */
function compareIdentity(submitted: string, identity: SharedIdentity): ComparedName | undefined {
  const organization = organizationNames(identity);
  const names = organization.length > 0 ? organization : [identity.fullName].filter((name) => name !== undefined);
  const [first, ...rest] = names.map((name) => compareWith(submitted, name));
  return first && { ...rest.reduce(better, first), fromIdentity: true };
}

function compareAccount(
  submitted: string,
  account: SharedAccount,
  identities: readonly SharedIdentity[],
): ComparedName[] {
  const own = identities.filter(({ connectionId }) => connectionId === account.connectionId);
  if (account.accountHolder) return [compareHolder(submitted, account.accountHolder, own)];
  return own.flatMap((identity) => compareIdentity(submitted, identity) ?? []);
}

/**
 * Compares the submitted name with what the bank calls the account.
 *
 * Within one source the best name counts; where several sources speak, the least favourable one does: evidence that
 * disagrees never raises a result. Undefined when the bank named nobody.
 */
export function compareNames(
  submitted: string,
  accounts: readonly SharedAccount[],
  identities: SharedBankData["identities"],
): ComparedName | undefined {
  const results = accounts.flatMap((account) => compareAccount(submitted, account, identities));
  const named = results.some((result) => !result.fromIdentity)
    ? results.filter((result) => !result.fromIdentity)
    : results;
  const [first, ...rest] = named;
  return first && rest.reduce(worse, first);
}
