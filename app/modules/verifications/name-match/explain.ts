import type { NameDifference, NameDifferenceType } from "./types";

const SENTENCES: Record<NameDifferenceType, (submitted: string, held: string) => string> = {
  formatting: () => "Only capital letters or punctuation differ.",
  spacing: (s, h) => `The spaces differ: “${s}” and “${h}”.`,
  diacritic: (s, h) => `Accents are written differently: “${s}” and “${h}”.`,
  and_symbol: (s, h) => (s && h ? `“${s}” stands for “${h}”.` : `One name leaves out “${s || h}”.`),
  title: (s, h) => (s && h ? `The titles differ: “${s}” and “${h}”.` : `Only one name carries “${s || h}”.`),
  abbreviation: (s, h) => `“${s}” and “${h}” are the same word, one of them shortened.`,
  legal_form: (s, h) =>
    s && h ? `The legal form is written “${s}” here and “${h}” at the bank.` : `Only one name carries “${s || h}”.`,
  entity_kind: (s, h) =>
    `These are different kinds of account holder: “${s || "no such word"}” and “${h || "no such word"}”.`,
  trading_as: (s, h) => `The trading name is given on one side only: “${s || h}”.`,
  trustee: (s, h) => `The trustee or the trust is named on one side only: “${s || h}”.`,
  initial: (s, h) => `“${s}” could be short for “${h}”, or the other way round.`,
  nickname: (s, h) => `“${s}” and “${h}” are forms of one given name.`,
  order: () => "The words come in a different order.",
  typo: (s, h) => `“${s}” looks like a typing error of “${h}”.`,
  plural: (s, h) => `“${s}” and “${h}” differ only in singular and plural.`,
  extra_token: (s) => `The name at the bank does not have “${s}”.`,
  missing_token: (_, h) => `The name at the bank also has “${h}”.`,
  different_token: (s, h) => (s && h ? `“${s}” is not “${h}”.` : `“${s || h}” is in one name only.`),
  place: (s, h) => (s && h ? `The places differ: “${s}” and “${h}”.` : `Only one name has the place “${s || h}”.`),
  number: (s, h) => (s && h ? `The numbers differ: “${s}” and “${h}”.` : `Only one name has the number “${s || h}”.`),
  reference: (s, h) => `“${s || h}” looks like a reference rather than part of the name.`,
  truncation: (s, h) => `One name is the other cut off: “${s}” and “${h}”.`,
  homoglyph: (s, h) => `“${s || h}” contains characters made to look like other letters.`,
  script: (s, h) => `The names are written in different scripts: “${s}” and “${h}”.`,
  joint_holder: (s, h) =>
    s && h ? "The account holders are named differently." : `Only one name includes the account holder “${s || h}”.`,
  acronym: (s, h) => `“${s}” and “${h}” may be one name, one of them by its initials.`,
  blank: () => "There is no name to compare.",
};

/** One plain sentence for a person deciding whether to pay. */
export function explainDifference(difference: NameDifference): string {
  return SENTENCES[difference.type](difference.submitted, difference.held);
}
