import { BSB_INSTITUTIONS } from "~/kernel/bsb-institutions";

/** The provider's test banks, and two invented ones. */
const CONNECTORS = [
  { id: "AU00000", name: "Hooli Bank", tier: "1" },
  { id: "AU00004", name: "HooliGov Bank", tier: "4" },
  { id: "AU99001", name: "Riverbend Mutual", tier: "2" },
  { id: "AU99002", name: "Southern Cross Community Bank", tier: "3" },
] as const;

type Bank = { id: string; name: string };

const OWN_PREFIX = "AU";

/** The institutions of the BSB directory, by the digits that their BSBs begin with. */
const OWN_BANKS: readonly Bank[] = Object.entries(BSB_INSTITUTIONS).map(([digits, [, name]]) => ({
  id: OWN_PREFIX + digits,
  name,
}));

/** The bank that holds a BSB, as the directory of institutions names it; the first test bank where it names none. */
export function bankOfBsb(bsb: string): Bank {
  const ids = [bsb.slice(0, 3), bsb.slice(0, 2)].map((digits) => OWN_PREFIX + digits);
  return ids.flatMap((wanted) => OWN_BANKS.find(({ id }) => id === wanted) ?? [])[0] ?? CONNECTORS[0];
}

/** The banks offered to the payee of a BSB, that BSB's own first. */
export function banksFor(bsb: string): readonly Bank[] {
  const own = bankOfBsb(bsb);
  return [own, ...CONNECTORS.filter(({ id }) => id !== own.id)];
}

const ALL: readonly (Bank & { tier?: string })[] = [...CONNECTORS, ...OWN_BANKS];

/** The name of a bank by its id; undefined for one that the provider does not have. */
export const connectorName = (id: string): string | undefined => ALL.find((connector) => connector.id === id)?.name;

/** All banks that the provider connects to. */
export const listConnectors = () => ALL;
