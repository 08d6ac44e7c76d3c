import { Link, Severity } from "../comparing/evidence";
import { Role } from "../reading/word";
import type { NameDifferenceType } from "../types";
import { Flag } from "../vocabulary";
import { type Comparison, isAny, quote, type Side, type WordList, wordAt, writtenWords } from "./comparison";
import type { WordPairs, WordsOfBoth } from "./pair-words";
import { type Fact, isAboutWhole, isOfWhole, type Settlement, wholeOf } from "./settlement";

const plainText = (side: Side, words: WordList) => quote(side, words).normalize("NFC").toLowerCase();
const NON_ASCII = /[^\p{ASCII}]/u;
const ACCENT = /\p{M}/u;
const CHARACTERS = /[\p{L}\p{N}\p{M}\s]/gu;

/** Equal words that use other characters: accents, letters of other scripts, invisible characters. */
export function addCharacters(settlement: Settlement, comparison: Comparison, pairs: WordPairs): void {
  const { submitted, held, findings } = comparison;
  const unlike = pairs.pairs.filter((pair) => {
    const texts = [plainText(submitted, pair.submitted), plainText(held, pair.held)] as const;
    return pair.link === Link.Same && texts[0] !== texts[1] && NON_ASCII.test(texts.join(""));
  });
  const lookAlike = findings.find((finding) => finding.type === "homoglyph" && isOfWhole(finding, comparison));
  const accented = unlike.filter((pair) =>
    ACCENT.test(`${plainText(submitted, pair.submitted)}${plainText(held, pair.held)}`.normalize("NFD")),
  );
  const imitated = lookAlike ? unlike.filter((pair) => !accented.includes(pair)) : [];
  if (accented.length > 0) {
    settlement.add({ type: "diacritic", severity: Severity.Format, weight: 1, ...wordsOf(accented) });
  }
  if (lookAlike) settlement.add(imitated.length > 0 ? { ...lookAlike, ...wordsOf(imitated) } : lookAlike);
  const signs = (side: Side) => side.text.normalize("NFC").replace(CHARACTERS, "");
  const formatting = findings.find(({ type }) => type === "formatting");
  if (formatting && signs(submitted) !== signs(held)) settlement.facts.push({ ...formatting, ...wholeOf(comparison) });
}

const wordsOf = (pairs: readonly WordsOfBoth[]): WordsOfBoth => ({
  submitted: pairs.flatMap(({ submitted }) => submitted).sort((a, b) => a - b),
  held: pairs.flatMap(({ held }) => held).sort((a, b) => a - b),
});

const isWritten = (side: Side, words: WordList) => writtenWords(quote(side, words)).join(" ");

/** Words that count as equal but are written differently, as far as nothing has told it. */
export function addSpellings(settlement: Settlement, comparison: Comparison, pairs: WordPairs): void {
  const { submitted, held } = comparison;
  for (const pair of pairs.pairs) {
    if (pair.link !== Link.Same) continue;
    const whole = pairs.wholeWords(pair);
    const written = [isWritten(submitted, whole.submitted), isWritten(held, whole.held)] as const;
    if (written[0] === written[1] || isTold(settlement.facts, pair)) continue;
    const apart = written[0].replaceAll(" ", "") === written[1].replaceAll(" ", "");
    const type = apart ? "spacing" : spellingType(submitted, pair.submitted);
    settlement.add({ type, severity: Severity.Format, weight: 1, ...(apart ? whole : pair) });
  }
}

function isTold(facts: readonly Fact[], { submitted, held }: WordsOfBoth): boolean {
  return facts.some(
    (fact) =>
      !isAboutWhole(fact) &&
      submitted.every((word) => fact.submitted.includes(word)) &&
      held.every((word) => fact.held.includes(word)),
  );
}

function spellingType(side: Side, words: WordList): NameDifferenceType {
  if (isAny(side, words[0], Flag.And)) return "and_symbol";
  const role = wordAt(side, words[0])?.role;
  if (role === Role.Legal) return "legal_form";
  return role === Role.Title || role === Role.Postnominal ? "title" : "abbreviation";
}

/** Do the words that both names have come in a different order? Titles, legal forms and "and" have no say in it. */
export function isReordered({ submitted, held }: Comparison, pairs: WordPairs): boolean {
  const counts = (side: Side, word: number) =>
    wordAt(side, word)?.role === Role.Core && !isAny(side, word, Flag.And | Flag.Article);
  const places = pairs.pairs
    .map((pair) => [pair.submitted[0] ?? 0, pair.held[0] ?? 0] as const)
    .filter(([a, b]) => counts(submitted, a) && counts(held, b))
    .sort(([a], [b]) => a - b);
  return places.some(([, place], k) => k > 0 && place < (places[k - 1]?.[1] ?? 0));
}

export function addOrder(settlement: Settlement, comparison: Comparison, pairs: WordPairs): void {
  if (settlement.facts.some((fact) => isAboutWhole(fact)) || !isReordered(comparison, pairs)) return;
  settlement.facts.push({ type: "order", severity: Severity.Format, weight: 1, ...wholeOf(comparison) });
}
