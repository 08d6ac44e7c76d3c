import type { NameDifference, NameDifferenceType } from "../types";

/** Sentences for a difference with words on both sides, and for words on one side only. */
interface Sentences {
  both: (submitted: string, held: string) => string;
  one: (words: string, isSubmitted: boolean) => string;
}

/** Something that only one name has. `what` names it ("the title"), `meaning` says what follows from it. */
const onlyOne =
  (what = "", meaning = "") =>
  (words: string, isSubmitted: boolean) =>
    `The name at the bank ${isSubmitted ? "does not have" : "also has"} ${what}${what && " "}“${words}”${meaning}.`;

const both = (sentence: string) => ({ both: (s: string, h: string) => `${sentence}: “${s}” and “${h}”.` });

const lettersOf = (words: string) => words.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Legal forms in full, without spaces, and their shortest spelling; a form within another comes after it. */
const SHORT_FORMS: ReadonlyArray<readonly [full: string, short: string]> = [
  ["limitedliabilitycompany", "llc"],
  ["limitedliabilitypartnership", "llp"],
  ["publiclimitedcompany", "plc"],
  ["openjointstockcompany", "ojsc"],
  ["publicjointstockcompany", "pao"],
  ["jointstockcompany", "jsc"],
  ["noliability", "nl"],
  ["proprietary", "pty"],
  ["unlimited", "unltd"],
  ["limited", "ltd"],
  ["incorporated", "inc"],
];

/** The shortest spelling of a legal form: equal for all spellings of one form. */
function formOf(words: string): string {
  const form = SHORT_FORMS.reduce((text, [full, short]) => text.replace(full, short), lettersOf(words));
  return form === "pl" ? "ptyltd" : form;
}

/** Are two spellings about equally long? A short form is not a misspelling of its word. */
function areOfOneLength(a: string, b: string): boolean {
  const lengths = [lettersOf(a).length, lettersOf(b).length];
  return 2 * Math.min(...lengths) >= Math.max(...lengths);
}

/** Words that distinguish kinds of trusts or funds. */
const KIND_WORDS = new Set(["family", "unit", "discretionary", "hybrid", "testamentary"]);

function meaningOfKind(words: string): string {
  if (KIND_WORDS.has(words.toLowerCase())) return ", which says what kind of trust or fund it is";
  if (["ptyltd", "pty", "ltd"].includes(formOf(words))) return ": a company, which may not be the person of that name";
  return ", which makes it a different kind of account holder";
}

const NOT_THE_SAME: Sentences = { both: (s, h) => `“${s}” is not “${h}”.`, one: onlyOne() };

const SENTENCES: Record<NameDifferenceType, Sentences> = {
  formatting: {
    both: () => "Capital letters, punctuation, spaces or invisible characters differ.",
    one: () => "Capital letters, punctuation, spaces or invisible characters differ.",
  },
  spacing: { ...both("The spaces differ"), one: onlyOne() },
  diacritic: { ...both("Accents are written differently"), one: onlyOne() },
  and_symbol: { both: (s, h) => `“${s}” is written in one name and “${h}” in the other.`, one: onlyOne() },
  title: { ...both("The titles differ"), one: onlyOne("the title") },
  abbreviation: {
    both: (s, h) => `“${s}” and “${h}” mean the same; one is shortened or written differently.`,
    one: onlyOne(),
  },
  legal_form: {
    both: (s, h) =>
      formOf(s) === formOf(h)
        ? `The legal form is written “${s}” here and “${h}” at the bank.`
        : `The legal form is “${s}” here but “${h}” at the bank.`,
    one: onlyOne("the legal form"),
  },
  entity_kind: {
    ...both("These are different kinds of account holder"),
    one: (words, isSubmitted) => onlyOne("", meaningOfKind(words))(words, isSubmitted),
  },
  trading_as: { ...both("The trading names differ"), one: onlyOne("", ", so that it gives two names of a business") },
  trustee: {
    ...both("The trustees or trusts differ"),
    one: onlyOne("", ", which says who holds the account for whom"),
  },
  initial: {
    both: (s, h) =>
      Math.min(s.length, h.length) > 1
        ? `“${s}” and “${h}” may be the same name, one of them with initials.`
        : `“${s}” and “${h}” may be the same name, one of them with an initial.`,
    one: onlyOne(),
  },
  nickname: { both: (s, h) => `“${s}” and “${h}” are forms of the same given name.`, one: onlyOne() },
  order: { ...both("The words come in a different order"), one: onlyOne() },
  typo: {
    both: (s, h) =>
      areOfOneLength(s, h)
        ? `“${s}” and “${h}” are spelled almost alike.`
        : `“${s}” and “${h}” may be the same, one of them with a typing error.`,
    one: onlyOne(),
  },
  plural: { both: (s, h) => `“${s}” and “${h}” differ only as singular and plural.`, one: onlyOne() },
  extra_token: NOT_THE_SAME,
  missing_token: NOT_THE_SAME,
  different_token: NOT_THE_SAME,
  place: { ...both("The places differ"), one: onlyOne("the place") },
  number: { both: (s, h) => `The number is “${s}” here and “${h}” at the bank.`, one: onlyOne("the number") },
  reference: {
    both: (s, h) => `“${s}” and “${h}” look like references, not parts of a name.`,
    one: onlyOne("", ", which looks like a reference, not part of a name"),
  },
  truncation: { ...both("One name is the other, cut short"), one: onlyOne() },
  homoglyph: {
    both: (s, h) => `“${s}” and “${h}” look alike but are written with different characters.`,
    one: onlyOne(),
  },
  script: { ...both("The names are written in different scripts"), one: onlyOne() },
  joint_holder: { ...both("The account holders differ"), one: onlyOne("the account holder") },
  acronym: { both: (s, h) => `“${s}” and “${h}” may be the same name, one of them with initials.`, one: onlyOne() },
  blank: {
    both: (s, h) => `“${s}” and “${h}” cannot be compared: at least one of them is not a name.`,
    one: (words) => `There is no name to compare “${words}” with.`,
  },
};

const NOTHING = "There is no name to compare.";

/** One plain sentence for a person deciding whether to pay, which quotes the difference and is complete in itself. */
export function explainDifference({ type, submitted, held }: NameDifference): string {
  const sentences = SENTENCES[type];
  if (submitted && held) return sentences.both(submitted, held);
  if (submitted || held) return sentences.one(submitted || held, submitted !== "");
  return NOTHING;
}

/** Why a score is not higher: a sentence, and its cost out of 100 points. */
export interface Reason {
  sentence: string;
  points: number;
}

/** More reasons than a person reads. */
export const MAX_REASONS = 5;

/** The difference in as few words as possible, for the end of a long list. */
function inBrief({ submitted, held }: NameDifference): string {
  if (submitted && held) return `“${submitted}” and “${held}”`;
  return submitted ? `“${submitted}” not at the bank` : `“${held}” only at the bank`;
}

/**
 * At most five sentences, heaviest difference first; the last one summarises the rest. Their points add up to what the
 * score lacks to 100.
 * @param differences from `matchNames`
 */
export function explainDifferences(differences: readonly NameDifference[]): Reason[] {
  const each = differences.map((difference) => ({
    sentence: explainDifference(difference),
    points: difference.points,
  }));
  if (each.length <= MAX_REASONS) return each;
  const rest = differences.slice(MAX_REASONS - 1);
  const sentence = `Also different: ${rest.map(inBrief).join("; ")}.`;
  const points = rest.reduce((sum, difference) => sum + difference.points, 0);
  return [...each.slice(0, MAX_REASONS - 1), { sentence, points }];
}
