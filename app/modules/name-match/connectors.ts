import { Connector, connectorOf } from "./lexicon";
import { type Name, Part } from "./name";
import { Role } from "./reading";
import { CONNECTOR } from "./vocabulary/flags";

const PARTS: Record<number, Part> = {
  [Connector.Trading]: Part.Trading,
  [Connector.Trustee]: Part.Beneficiary,
  [Connector.Alias]: Part.Alias,
  [Connector.Care]: Part.Alias,
};

/** Cuts a name at "trading as", "as trustee for", "formerly" and "c/o"; drops "The trustee for" at its start. */
export function splitAtConnectors(name: Name): void {
  const { reading, segments } = name;
  const main = segments[Part.Main];
  main.first = 0;
  main.end = reading.count;
  name.has = 1;
  name.style = -1;
  if ((reading.union & CONNECTOR) === 0) return;
  let current = main;
  for (let i = 0; i < reading.count; i++) {
    if ((reading.flags[i]! & CONNECTOR) === 0) continue;
    const connector = connectorOf[reading.word[i]!]!;
    if (connector === Connector.Style && i === current.first) {
      reading.role[i] = Role.Skipped;
      name.style = i;
      continue;
    }
    const part = connector === Connector.Style ? Part.Beneficiary : PARTS[connector]!;
    if (i === 0 || i === reading.count - 1 || (name.has & (1 << part)) !== 0) continue;
    reading.role[i] = Role.Connector;
    name.has |= 1 << part;
    current.end = i;
    current = segments[part];
    current.first = i + 1;
    current.end = reading.count;
  }
}
