import type { NameDifference, NameDifferenceType } from "./types";

/** Sentences for a difference with words on both sides, on one side, and with none to quote. */
interface Sentences {
  both: (submitted: string, held: string) => string;
  one: (words: string, isSubmitted: boolean) => string;
  neither: string;
}

const onlyOne = (words: string) => `Only one name has “${words}”.`;
const oneSide = (words: string, isSubmitted: boolean) =>
  isSubmitted ? `The name at the bank does not have “${words}”.` : `The name at the bank also has “${words}”.`;

const SENTENCES: Record<NameDifferenceType, Sentences> = {
  formatting: {
    both: () => "Only capital letters, punctuation or invisible characters differ.",
    one: () => "Only capital letters, punctuation or invisible characters differ.",
    neither: "Only capital letters, punctuation or invisible characters differ.",
  },
  spacing: {
    both: (s, h) => `The spaces differ: “${s}” and “${h}”.`,
    one: onlyOne,
    neither: "The spaces differ.",
  },
  diacritic: {
    both: (s, h) => `Accents are written differently: “${s}” and “${h}”.`,
    one: onlyOne,
    neither: "Accents are written differently.",
  },
  and_symbol: {
    both: (s, h) => `“${s}” stands for “${h}”.`,
    one: (words) => `One name leaves out “${words}”.`,
    neither: "One name writes “&”, the other “and”.",
  },
  title: {
    both: (s, h) => `The titles differ: “${s}” and “${h}”.`,
    one: onlyOne,
    neither: "The titles differ.",
  },
  abbreviation: {
    both: (s, h) => `“${s}” and “${h}” are the same word, one of them shortened.`,
    one: onlyOne,
    neither: "A word is shortened.",
  },
  legal_form: {
    both: (s, h) => `The legal form is written “${s}” here and “${h}” at the bank.`,
    one: onlyOne,
    neither: "The legal form differs.",
  },
  entity_kind: {
    both: (s, h) => `These are different kinds of account holder: “${s}” and “${h}”.`,
    one: (words) => `Only one name says “${words}”, which makes it another kind of account holder.`,
    neither: "These are different kinds of account holder.",
  },
  trading_as: {
    both: (s, h) => `The trading names differ: “${s}” and “${h}”.`,
    one: (words) => `Only one name gives the trading name “${words}”.`,
    neither: "The trading names differ.",
  },
  trustee: {
    both: (s, h) => `The trusts differ: “${s}” and “${h}”.`,
    one: (words) => `Only one name says for whom the account is held in trust: “${words}”.`,
    neither: "Only one name gives both the trustee and the trust.",
  },
  initial: {
    both: (s, h) => `“${s}” could be short for “${h}”, or the other way round.`,
    one: onlyOne,
    neither: "Only initials agree.",
  },
  nickname: {
    both: (s, h) => `“${s}” and “${h}” are forms of one given name.`,
    one: onlyOne,
    neither: "One name uses a short form.",
  },
  order: {
    both: () => "The words come in a different order.",
    one: () => "The words come in a different order.",
    neither: "The words come in a different order.",
  },
  typo: {
    both: (s, h) => `“${s}” looks like another spelling of “${h}”.`,
    one: onlyOne,
    neither: "The spelling differs.",
  },
  plural: {
    both: (s, h) => `“${s}” and “${h}” differ only in singular and plural.`,
    one: onlyOne,
    neither: "Singular and plural differ.",
  },
  extra_token: { both: (s, h) => `“${s}” is not “${h}”.`, one: oneSide, neither: "One name has more words." },
  missing_token: { both: (s, h) => `“${s}” is not “${h}”.`, one: oneSide, neither: "One name has more words." },
  different_token: {
    both: (s, h) => `“${s}” is not “${h}”.`,
    one: oneSide,
    neither: "The names do not agree.",
  },
  place: {
    both: (s, h) => `The places differ: “${s}” and “${h}”.`,
    one: (words) => `Only one name has the place “${words}”.`,
    neither: "The places differ.",
  },
  number: {
    both: (s, h) => `The numbers are written “${s}” and “${h}”.`,
    one: (words) => `Only one name has the number “${words}”.`,
    neither: "The numbers differ.",
  },
  reference: {
    both: (s, h) => `“${s}” and “${h}” look like references rather than parts of a name.`,
    one: (words) => `“${words}” looks like a reference rather than part of the name.`,
    neither: "One name carries a reference.",
  },
  truncation: {
    both: (s, h) => `One name is the other cut off: “${s}” and “${h}”.`,
    one: onlyOne,
    neither: "One name is the other cut off.",
  },
  homoglyph: {
    both: (s, h) => `“${s}” is written with characters that only look like those of “${h}”.`,
    one: (words) => `“${words}” contains characters made to look like other letters.`,
    neither: "A name contains characters made to look like other letters.",
  },
  script: {
    both: (s, h) => `The names are written in different scripts: “${s}” and “${h}”.`,
    one: onlyOne,
    neither: "The names are written in different scripts.",
  },
  joint_holder: {
    both: (s, h) => `The account holders differ: “${s}” and “${h}”.`,
    one: (words) => `Only one name includes the account holder “${words}”.`,
    neither: "The account holders are named differently.",
  },
  acronym: {
    both: (s, h) => `“${s}” and “${h}” may be one name, one of them by its initials.`,
    one: onlyOne,
    neither: "One name may be the initials of the other.",
  },
  blank: {
    both: () => "There is no name to compare.",
    one: () => "There is no name to compare.",
    neither: "There is no name to compare.",
  },
};

/** One plain sentence for a person deciding whether to pay. */
export function explainDifference({ type, submitted, held }: NameDifference): string {
  const sentences = SENTENCES[type];
  if (submitted && held) return sentences.both(submitted, held);
  if (submitted || held) return sentences.one(submitted || held, submitted !== "");
  return sentences.neither;
}
