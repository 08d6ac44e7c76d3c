import type { Reading } from "../reading/reading";
import { Role, type Word } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { LEXICON } from "../vocabulary/words";
import { Holder, type Part } from "./name";

const meaning = (word: string) => LEXICON.get(word).meaning.id;

const TRUST = meaning("trust");
const FUND = meaning("fund");
const SUPER = meaning("superannuation");
const SMSF = meaning("smsf");
const ESTATE_OF = meaning("estateof");
const LATE = meaning("late");
const DECEASED = meaning("deceased");
const TRUST_KINDS = new Set(["family", "unit", "discretionary", "hybrid", "testamentary"].map(meaning));

function take(part: Part, word: Word, holder: Holder): void {
  word.role = Role.Entity;
  part.holder = holder;
  part.holderWords.include(word);
}

/** Finds what kind of holder a part names besides companies and people: trust, superannuation fund, estate. */
export function findHolder(reading: Reading, part: Part): void {
  if ((reading.union & Flag.Entity) === 0) return;
  const { from, end } = part;
  if (end - from < 2) return;
  const first = reading.word(from);
  if (first.meaning === ESTATE_OF) take(part, first, Holder.Estate);
  else if (first.meaning === LATE && end - from > 2) take(part, first, Holder.Plain);
  let at = end - 1;
  while (at > from && reading.word(at).role !== Role.Core && reading.word(at).role !== Role.Legal) at--;
  const last = reading.word(at);
  if (last.role !== Role.Core) return;
  if (last.meaning === DECEASED) take(part, last, Holder.Estate);
  else if (last.meaning === SMSF) {
    take(part, last, Holder.Fund);
    takeKind(reading, part, at);
  } else if (last.meaning === TRUST && at > from) {
    take(part, last, Holder.Trust);
    takeKind(reading, part, at);
  } else if (last.meaning === FUND && at > from && reading.word(at - 1).meaning === SUPER) {
    take(part, last, Holder.Fund);
    take(part, reading.word(at - 1), Holder.Fund);
    takeKind(reading, part, at - 1);
  }
}

/** The kind of trust or fund ("family", "unit") before the word at a place, where a name is left without it. */
function takeKind(reading: Reading, part: Part, at: number): void {
  if (at - 1 <= part.from) return;
  const kind = reading.word(at - 1);
  if (!TRUST_KINDS.has(kind.meaning)) return;
  part.trustKind = kind.meaning;
  take(part, kind, part.holder);
}
