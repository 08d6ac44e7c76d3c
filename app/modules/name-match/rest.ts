import { Severity } from "./evidence";
import { wordId } from "./lexicon";
import type { NameDifferenceType } from "./types";
import { COMPASS, COUNTRY, ENTITY, LINK, NUMBER, PLACE, PURPOSE, STATE, TELLING, WEAK } from "./vocabulary/flags";
import type { Words } from "./words";

const THE = wordId("the");

/** A small word that joins others ("of", "the") and tells nobody apart. */
export const isLink = (words: Words, k: number): boolean => (words.flags[k]! & LINK) !== 0 || words.word[k] === THE;

/** What kind of difference a word makes that only one name has. */
export const typeOf = (flags: number, fallback: NameDifferenceType): NameDifferenceType => {
  if ((flags & NUMBER) !== 0) return "number";
  if ((flags & (PLACE | STATE | COUNTRY | COMPASS)) !== 0) return "place";
  return fallback;
};

/** Words of one side without a partner, as one bit set, and how many. */
export class Rest {
  count = 0;
  union = 0;
  distinct = 0;
  first = -1;
  last = -1;

  gather(words: Words, pairs: Int32Array): void {
    this.count = 0;
    this.union = 0;
    this.distinct = 0;
    this.first = -1;
    this.last = -1;
    for (let k = 0; k < words.count; k++) {
      if (pairs[k]! >= 0 || isLink(words, k)) continue;
      this.count++;
      this.union |= words.flags[k]!;
      if ((words.flags[k]! & WEAK) === 0) this.distinct++;
      if (this.first < 0) this.first = k;
      this.last = k;
    }
  }
}

/** What it means that one name has words the other lacks. */
export function severityOfRest(rest: Rest, bothIncorporated: boolean, matched: number, distinct: number): Severity {
  if ((rest.union & (NUMBER | TELLING | ENTITY)) !== 0) return Severity.Conflict;
  if (distinct === 0 && matched < 2) return Severity.Conflict;
  if (rest.count > 3) return Severity.Conflict;
  if (bothIncorporated) {
    const mild = rest.distinct === 0 && (rest.union & ~(COUNTRY | PURPOSE | LINK)) === 0;
    if (!mild) return Severity.Conflict;
  }
  return Severity.Close;
}
