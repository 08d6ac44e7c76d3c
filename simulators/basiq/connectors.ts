import { institutionOf } from "~/kernel/bsb";

/** The provider's test banks, and two invented ones. */
export const CONNECTORS = [
  { id: "AU00000", name: "Hooli Bank", tier: "1" },
  { id: "AU00004", name: "HooliGov Bank", tier: "4" },
  { id: "AU99001", name: "Riverbend Mutual", tier: "2" },
  { id: "AU99002", name: "Southern Cross Community Bank", tier: "3" },
] as const;

/** A bank that a payee can choose. */
type Bank = { id: string; name: string };

/** The bank that holds a BSB, as the directory of institutions names it; the first test bank where it names none. */
export function bankOfBsb(bsb: string): Bank {
  const institution = institutionOf(bsb);
  return institution ? { id: `AU${bsb.slice(0, 3)}`, name: institution.name } : CONNECTORS[0];
}

/** The banks offered to the payee of a BSB, that BSB's own first. */
export function banksFor(bsb: string): readonly Bank[] {
  const own = bankOfBsb(bsb);
  return [own, ...CONNECTORS.filter(({ id }) => id !== own.id)];
}

/** The name of a bank by its id, of a test bank or of one that {@link bankOfBsb} made; undefined for neither. */
export function connectorName(id: string): string | undefined {
  const prefix = /^AU(\d{3})$/.exec(id)?.[1];
  if (prefix) return institutionOf(`${prefix}000`)?.name;
  return CONNECTORS.find((connector) => connector.id === id)?.name;
}

export function connectorWire(publicOrigin: string) {
  return CONNECTORS.map(({ id, name, tier }) => ({
    type: "connector",
    id,
    method: "open-banking",
    stage: "live",
    status: "operational",
    institution: { name, shortName: name, type: "Bank", tier, country: "Australia" },
    links: { self: `${publicOrigin}/basiq/connectors/${id}/open-banking` },
  }));
}
