import { Severity } from "../comparing/evidence";
import { Role } from "../reading/word";
import type { NameDifferenceType } from "../types";
import { Flag } from "../vocabulary";
import { type Comparison, isAny, type Side, toRuns, type WordList, wordAt } from "./comparison";
import type { WordPairs } from "./pair-words";
import { CONFLICT_WEIGHT, isEmpty, type Settlement } from "./settlement";

const LOCAL = Flag.Country | Flag.State | Flag.Place | Flag.Compass;

const allAre = (side: Side, words: WordList, flags: number) => words.every((word) => isAny(side, word, flags));

/** Numbers and places are called that; everything else is words. */
function typeOfWords({ submitted, held }: Comparison, a: WordList, b: WordList): NameDifferenceType {
  if (allAre(submitted, a, Flag.Number) && allAre(held, b, Flag.Number)) return "number";
  if (allAre(submitted, a, LOCAL) && allAre(held, b, LOCAL)) return "place";
  return "different_token";
}

/** Runs of words without the "and" at their ends; a run of nothing but "and" is none. */
function tellingRuns(side: Side, words: WordList): number[][] {
  const joins = (word: number | undefined) => isAny(side, word, Flag.And);
  return toRuns(words).flatMap((run) => {
    const first = run.findIndex((word) => !joins(word));
    if (first < 0) return [];
    let end = run.length;
    while (joins(run[end - 1])) end--;
    return [run.slice(first, end)];
  });
}

type Run = readonly number[];

/** Do two runs of words stand beside the same word of both names? */
function areInOnePlace(a: Run, b: Run, pairs: WordPairs): boolean {
  const [first = 0, last = 0] = [a[0], a.at(-1)];
  const [otherFirst = 0, otherLast = 0] = [b[0], b.at(-1)];
  const meet = (word: number, other: number) => {
    const pair = pairs.pairOfSubmitted(word);
    return pair !== undefined && pair === pairs.pairOfHeld(other);
  };
  return meet(first - 1, otherFirst - 1) || meet(last + 1, otherLast + 1);
}

/** Runs of words that stand in the same place of both names, then those left over in their order. */
function pairRuns(submitted: readonly Run[], held: readonly Run[], pairs: WordPairs): [Run, Run][] {
  const free = [...held];
  const placed = submitted.map((run): [Run, Run] => {
    const at = free.findIndex((other) => areInOnePlace(run, other, pairs));
    return [run, at < 0 ? [] : (free.splice(at, 1)[0] ?? [])];
  });
  const told = placed.map(([run, other]): [Run, Run] => [run, other.length > 0 ? other : (free.shift() ?? [])]);
  return [...told, ...free.map((run): [Run, Run] => [[], run])];
}

/** Words of different payees, stretch by stretch. */
export function addUnequalRuns(settlement: Settlement, comparison: Comparison, pairs: WordPairs): void {
  const a = tellingRuns(comparison.submitted, settlement.unequal("submitted"));
  const b = tellingRuns(comparison.held, settlement.unequal("held"));
  for (const [submitted, held] of pairRuns(a, b, pairs)) {
    const type = typeOfWords(comparison, submitted, held);
    const joining = allAre(comparison.submitted, submitted, Flag.Link) && allAre(comparison.held, held, Flag.Link);
    const weight = joining ? 1 : CONFLICT_WEIGHT;
    settlement.add({ type, severity: Severity.Conflict, weight, submitted, held });
  }
}

/** Forms of address that differ, as one fact. */
export function addTitles(settlement: Settlement, { submitted, held }: Comparison): void {
  const areTitles = (side: Side) => (word: number) => {
    const role = wordAt(side, word)?.role;
    return role === Role.Title || role === Role.Postnominal;
  };
  const titles = {
    submitted: settlement.unequal("submitted").filter(areTitles(submitted)),
    held: settlement.unequal("held").filter(areTitles(held)),
  };
  if (!isEmpty(titles)) settlement.add({ type: "title", severity: Severity.Format, weight: 1, ...titles });
}

/** What only one name has and no step noted. */
export function addUntold(settlement: Settlement, comparison: Comparison): void {
  for (const side of ["submitted", "held"] as const) {
    for (const words of tellingRuns(comparison[side], settlement.untold(side))) {
      const severity = allAre(comparison[side], words, Flag.Article) ? Severity.Format : Severity.Close;
      settlement.add({ type: "extra_token", severity, weight: 1, submitted: [], held: [], [side]: words });
    }
  }
}
