import { Severity } from "../comparing/evidence";
import { Role } from "../reading/word";
import type { NameDifferenceType } from "../types";
import { Flag } from "../vocabulary/flags";
import { type Comparison, type Side, toRuns, type WordList } from "./comparison";
import { CONFLICT_WEIGHT, isEmpty, type Settlement } from "./settlement";

const LOCAL = Flag.Country | Flag.State | Flag.Place | Flag.Compass;

const allAre = (side: Side, words: WordList, flags: number) =>
  words.every((word) => ((side.words[word]?.flags ?? 0) & flags) !== 0);

/** Numbers and places are called that; everything else is words. */
function typeOfWords({ submitted, held }: Comparison, a: WordList, b: WordList): NameDifferenceType {
  if (allAre(submitted, a, Flag.Number) && allAre(held, b, Flag.Number)) return "number";
  if (allAre(submitted, a, LOCAL) && allAre(held, b, LOCAL)) return "place";
  return "different_token";
}

/** Runs of words without the "and" at their ends; a run of nothing but "and" is none. */
function tellingRuns(side: Side, words: WordList): number[][] {
  const joins = (word: number) => ((side.words[word]?.flags ?? 0) & Flag.And) !== 0;
  return toRuns(words).flatMap((run) => {
    const first = run.findIndex((word) => !joins(word));
    if (first < 0) return [];
    let end = run.length;
    while (joins(run[end - 1] ?? -1)) end--;
    return [run.slice(first, end)];
  });
}

/** Words of different payees, stretch by stretch: the first here is not the first there, and so on. */
export function addUnequalRuns(settlement: Settlement, comparison: Comparison): void {
  const a = tellingRuns(comparison.submitted, settlement.unequal("submitted"));
  const b = tellingRuns(comparison.held, settlement.unequal("held"));
  const stretches = Math.max(a.length, b.length);
  for (let k = 0; k < stretches; k++) {
    const submitted = a[k] ?? [];
    const held = b[k] ?? [];
    const type = typeOfWords(comparison, submitted, held);
    const joining = allAre(comparison.submitted, submitted, Flag.Link) && allAre(comparison.held, held, Flag.Link);
    const weight = joining ? 1 : CONFLICT_WEIGHT;
    settlement.add({ type, severity: Severity.Conflict, weight, submitted, held });
  }
}

/** Forms of address that differ, as one fact. */
export function addTitles(settlement: Settlement, { submitted, held }: Comparison): void {
  const areTitles = (side: Side) => (word: number) => {
    const role = side.words[word]?.role;
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
