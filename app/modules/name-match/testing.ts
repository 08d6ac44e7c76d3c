import { explainDifferences } from "./explanation/reasons";
import { matchNames } from "./match-names";
import type { Name } from "./parsing/name";
import { PreparedName } from "./prepared-name";
import { CharacterFolder } from "./reading/fold-characters";
import { readName } from "./reading/read-name";
import { Reading } from "./reading/reading";
import type { Role, Word } from "./reading/word";
import type { WordList } from "./reading/word-list";
import type { NameKind, NamePart, NamePartStatus } from "./types";

/** A text as a page draws it: what differs within "[]", what only this name has within "<>", other spelling within "{}". */
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

/** Everything that is said of two names, in one line. */
export function answerOf(submitted: string, held: string, kind?: NameKind): string {
  const { score, matchType, differences, parts } = matchNames(submitted, held, kind);
  const reasons = differences.map(
    ({ points, type, ...quoted }) => `${points} ${type}: ${quoted.submitted} / ${quoted.held}`,
  );
  const sentences = explainDifferences(differences).map(({ sentence, points }) => `${sentence} (${points})`);
  const drawn = [mark(submitted, parts, "submitted"), mark(held, parts, "held")];
  return [`${score} ${matchType}`, ...reasons, ...drawn, ...sentences].join(" | ");
}

/** A name read into words, for the tests of single steps. */
export function read(text: string): Reading {
  const reading = new Reading();
  readName(reading, text, new CharacterFolder());
  return reading;
}

/** A name read and taken apart. */
export function aName(text: string): Name {
  const prepared = new PreparedName(new CharacterFolder());
  prepared.read(text);
  return prepared.parse();
}

/** The only word of a text. */
export const aWord = (text: string): Word => read(text).word(0);

/** The words of a list, as an array. */
export const listed = (list: WordList): Word[] => Array.from({ length: list.count }, (_, k) => list.at(k));

export const lettersOf = (word: Word): string =>
  String.fromCharCode(...word.letters.subarray(word.start, word.start + word.length));

/** A word as the name writes it. */
export const written = (reading: Reading, { from, to }: Word): string => reading.text.slice(from, to);

/** The folded letters of each word. */
export const wordsOf = (reading: Reading): string[] => listed(reading.words).map(lettersOf);

/** The words that have a role, as the name writes them. */
export const withRole = ({ reading }: Name, role: Role): string[] =>
  listed(reading.words)
    .filter((word) => word.role === role)
    .map((word) => written(reading, word));
