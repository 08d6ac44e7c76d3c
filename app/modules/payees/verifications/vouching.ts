import { DAY_MS } from "~/kernel/dates";
import { prepareName, scoreIfAlike } from "~/modules/name-match";

/** Which organisations' trust in an account counts as vouching. Pure: `vouching.queries.server.ts` reads the facts. */

/** How many other organisations vouch for an account, by how their name for it compares with the submitted one. */
export type Vouching = {
  exact: number;
  close: number;
  different: number;
  /** Organisations that trust the account and do not count; absent in evidence gathered before this was kept. */
  leftOut?: number;
};

/** Another organisation's trust in an account. */
export type Voucher = {
  accountName: string;
  /** Epoch milliseconds. */
  vouchedAt: number | null;
  organizationCreatedAt: number;
  /** It can act, and its trial or subscription runs. */
  isLive: boolean;
  /** It paid at least one invoice. */
  hasPaid: boolean;
  /** Its trust rests on what the payee's bank said about exactly these details. */
  isBankVerified: boolean;
  /** Confirmed email domains. */
  domains: readonly string[];
  /** Ids of the people it has or had. */
  people: readonly string[];
};

/** Who asks: the domains and people of the organisation that the evidence is gathered for. */
export type Asker = Pick<Voucher, "domains" | "people">;

/** An organisation younger than this does not vouch. */
const MIN_AGE_MS = 60 * DAY_MS;

/** Organisations that all vouched within this time of each other count as one. */
const SAME_WEEK_MS = 7 * DAY_MS;

/**
 * Counts the organisations whose word is worth something: each has paid an invoice, is older than 60 days, relies on a
 * bank's answer, and shares no domain and no person with the asker or with another that counts. When all of them vouched
 * within the same week, only the first counts.
 */
export function countVouchers(
  accountName: string,
  { vouchers, asker }: { vouchers: readonly Voucher[]; asker: Asker },
  now: number,
): Vouching {
  const counted = chooseVouchers(vouchers, asker, now);
  const compared = compareSpellings(
    accountName,
    counted.map((voucher) => voucher.accountName),
  );
  return { ...compared, leftOut: vouchers.length - counted.length };
}

/**
 * How the name of an account compares with the names that others have for it. Most organisations write it in one of a few
 * ways: each is compared once.
 */
function compareSpellings(
  accountName: string,
  names: readonly string[],
): Pick<Vouching, "exact" | "close" | "different"> {
  const own = prepareName(accountName);
  const bearers = new Map<string, number>();
  for (const name of names) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  const counts = { exact: 0, close: 0, different: 0 };
  for (const [name, count] of bearers) {
    const matchType = scoreIfAlike(own, name)?.matchType;
    counts[matchType === "exact" ? "exact" : matchType === "fuzzy" ? "close" : "different"] += count;
  }
  return counts;
}

type Dated = Voucher & { vouchedAt: number };

function chooseVouchers(vouchers: readonly Voucher[], asker: Asker, now: number): Dated[] {
  const worthy = vouchers.filter((voucher): voucher is Dated => voucher.vouchedAt !== null && isWorthy(voucher, now));
  const chosen: Dated[] = [];
  for (const voucher of worthy.sort((a, b) => a.vouchedAt - b.vouchedAt)) {
    if (![asker, ...chosen].some((other) => isRelated(voucher, other))) chosen.push(voucher);
  }
  const [first] = chosen;
  const last = chosen.at(-1);
  const isOneWeek = first !== undefined && last !== undefined && last.vouchedAt - first.vouchedAt <= SAME_WEEK_MS;
  return isOneWeek ? [first] : chosen;
}

function isWorthy(voucher: Voucher, now: number): boolean {
  const { isLive, hasPaid, isBankVerified, organizationCreatedAt, domains } = voucher;
  const isOldEnough = now - organizationCreatedAt > MIN_AGE_MS;
  return isLive && hasPaid && isBankVerified && isOldEnough && domains.length > 0;
}

const isRelated = (a: Asker, b: Asker) =>
  a.domains.some((domain) => b.domains.includes(domain)) || a.people.some((person) => b.people.includes(person));
