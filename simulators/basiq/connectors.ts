/** The provider's test banks, and two invented ones. */
export const CONNECTORS = [
  { id: "AU00000", name: "Hooli Bank", tier: "1" },
  { id: "AU00004", name: "HooliGov Bank", tier: "4" },
  { id: "AU99001", name: "Riverbend Mutual", tier: "2" },
  { id: "AU99002", name: "Southern Cross Community Bank", tier: "3" },
] as const;

export function connectorName(id: string): string | undefined {
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
