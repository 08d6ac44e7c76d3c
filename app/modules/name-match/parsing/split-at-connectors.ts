import { Role, type Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import type { ConnectorKind } from "../vocabulary/lexicon";
import { LEXICON } from "../vocabulary/words";
import { type Name, PartKind } from "./name";

const PART_OF: Record<ConnectorKind, PartKind> = {
  trading: PartKind.Trading,
  trustee: PartKind.Beneficiary,
  style: PartKind.Beneficiary,
  alias: PartKind.Alias,
  care: PartKind.Alias,
};

const TA = LEXICON.get("ta").id;

/** "TA" without its slash is a connector only behind a legal form: it is a surname too. */
function isSurname({ reading }: Name, word: Word): boolean {
  if (word.id !== TA) return false;
  return word.index === 0 || !reading.word(word.index - 1).has(Flag.Legal);
}

/** Cuts a name at "trading as", "as trustee for", "formerly" and "c/o"; drops "The trustee for" at its start. */
export function splitAtConnectors(name: Name): void {
  const { reading } = name;
  if ((reading.union & Flag.Connector) === 0) return;
  let current = name.main;
  for (let k = 0; k < reading.count; k++) {
    const word = reading.word(k);
    if (!word.has(Flag.Connector)) continue;
    const { connector } = word.entry;
    if (connector === undefined || isSurname(name, word)) continue;
    if (connector === "style" && k === current.from) {
      word.role = Role.Skipped;
      name.style = word;
      continue;
    }
    const kind = PART_OF[connector];
    if (k === 0 || k === reading.count - 1 || name.has(kind)) continue;
    word.role = Role.Connector;
    if (word.entry.isSlip) name.connectorSlip = word;
    current.end = k;
    current = name.open(kind, k + 1);
  }
}
