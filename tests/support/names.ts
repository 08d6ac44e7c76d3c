import { explainDifferences } from "~/modules/name-match/explanation/sentences";
import { matchNames } from "~/modules/name-match/match-names";
import { type Name, type Reading, type Role, type SecondKind, type Word, wordAt } from "~/modules/name-match/name";
import { parseName } from "~/modules/name-match/parsing/parse-name";
import { readName } from "~/modules/name-match/reading/read-name";
import type { NameKind, NamePart, NamePartStatus } from "~/modules/name-match/types";

/**
 * A text as a page shows it: differences within "[]", what only this name has within "<>", spelling variants within
 * "{}".
 */
function mark(text: string, parts: readonly NamePart[], side: "submitted" | "held"): string {
  const signs: Record<NamePartStatus, string> = {
    same: "",
    formatting: "{}",
    different: "[]",
    only_submitted: "<>",
    only_held: "<>",
  };
  return [...parts]
    .sort((a, b) => a[`${side}Start`] - b[`${side}Start`])
    .map((part) => {
      const [open = "", close = ""] = signs[part.status];
      const words = text.slice(part[`${side}Start`], part[`${side}End`]);
      return words === "" ? "" : `${open}${words}${close}`;
    })
    .join("");
}

/** The whole answer about two names, in one line. */
export function answerOf(submitted: string, held: string, kind?: NameKind): string {
  const { score, matchType, differences, parts } = matchNames(submitted, held, kind);
  const reasons = differences.map(
    ({ points, type, ...quoted }) => `${points} ${type}: ${quoted.submitted} / ${quoted.held}`,
  );
  const sentences = explainDifferences(differences).map(({ sentence, points }) => `${sentence} (${points})`);
  const drawn = [mark(submitted, parts, "submitted"), mark(held, parts, "held")];
  return [`${score} ${matchType}`, ...reasons, ...drawn, ...sentences].join(" | ");
}

/** A name read and taken apart. */
export const aName = (text: string): Name => parseName(readName(text));

/** The identifying words of a part of a name, as written in the name. */
export const coreOf = (name: Name, part: "main" | SecondKind = "main"): string[] =>
  (name[part]?.core ?? []).map((word) => written(name.reading, word));

/** The only word of a text. */
export const aWord = (text: string): Word => wordAt(readName(text), 0);

/** A word as the name writes it. */
export const written = (reading: Reading, { from, to }: Word): string => reading.text.slice(from, to);

/** The folded letters of each word. */
export const wordsOf = ({ words }: Reading): string[] => words.map(({ text }) => text);

/** The words that have a role, as the name writes them. */
export const withRole = ({ reading }: Name, role: Role): string[] =>
  reading.words.filter((word) => word.role === role).map((word) => written(reading, word));
