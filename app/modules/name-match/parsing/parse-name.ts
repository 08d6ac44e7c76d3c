import {
  Gap,
  type Holder,
  isAny,
  isNumber,
  Mark,
  type Name,
  newPart,
  type Part,
  type Reading,
  Role,
  type SecondKind,
  type Word,
  widen,
  wordAt,
} from "~/modules/name-match/name";
import { type ConnectorKind, type Entry, entryOf, Flag } from "../vocabulary";
import { findLegalForm } from "./find-legal-form";

/** Flags of words that some parsing step handles. A name without any of them, like most people's, is just its words. */
const STRUCTURE =
  Flag.Title |
  Flag.Postnominal |
  Flag.Generation |
  Flag.Legal |
  Flag.Entity |
  Flag.Purpose |
  Flag.Reference |
  Flag.Number |
  Flag.Connector |
  Flag.And |
  Flag.Article;

/** Parses a name that was read into words, step by step. */
export function parseName(reading: Reading): Name {
  const name: Name = {
    reading,
    main: newPart(0, reading.words.length),
    trading: undefined,
    beneficiary: undefined,
    alias: undefined,
    style: undefined,
    connectorSlip: undefined,
    title: undefined,
    generation: undefined,
    reference: undefined,
    isRegistered: false,
    beforeComma: 0,
    and: undefined,
  };
  const { main } = name;
  if ((reading.union & STRUCTURE) === 0 && (reading.marks & Mark.Bracket) === 0) {
    main.core = reading.words;
  } else {
    if ((reading.union & Flag.Connector) !== 0) splitAtConnectors(name);
    if ((reading.union & (Flag.Reference | Flag.Number)) !== 0) findReference(name);
    if ((reading.union & Flag.Number) !== 0) skipNumberSigns(reading);
    if ((reading.marks & Mark.Bracket) !== 0) skipSigns(reading);
    if ((reading.union & (Flag.Title | Flag.Postnominal | Flag.Generation)) !== 0) findTitles(name);
    parsePart(name, main);
    if (name.trading !== undefined) parsePart(name, name.trading);
    if (name.beneficiary !== undefined) parsePart(name, name.beneficiary);
    if (name.alias !== undefined) parsePart(name, name.alias);
  }
  if ((reading.marks & Mark.Comma) !== 0) findComma(name);
  return name;
}

function parsePart(name: Name, part: Part): void {
  const { reading } = name;
  if ((reading.union & Flag.Purpose) !== 0) findPurpose(reading, part);
  if ((reading.union & Flag.Legal) !== 0) findLegalForm(reading, part);
  if ((reading.union & Flag.Entity) !== 0) findHolder(reading, part);
  collectCore(name, part);
}

const PART_OF: Record<ConnectorKind, SecondKind> = {
  trading: "trading",
  trustee: "beneficiary",
  style: "beneficiary",
  alias: "alias",
  care: "alias",
};

const TA = entryOf("ta");

/** "TA" without its slash is a connector only after a legal form, because it is also a surname. */
const isSurname = (word: Word, before: Word | undefined): boolean =>
  word.entry === TA && (before === undefined || !isAny(before, Flag.Legal));

/** Splits a name at "trading as", "as trustee for", "formerly" and "c/o"; drops "The trustee for" at its start. */
function splitAtConnectors(name: Name): void {
  const { words } = name.reading;
  let current = name.main;
  words.forEach((word, k) => {
    const { connector, isSlip } = word.entry;
    if (!isAny(word, Flag.Connector) || connector === undefined || isSurname(word, words[k - 1])) return;
    if (connector === "style" && k === current.from) {
      word.role = Role.Skipped;
      name.style = word;
      return;
    }
    const kind = PART_OF[connector];
    if (k === 0 || k === words.length - 1 || name[kind] !== undefined) return;
    word.role = Role.Connector;
    if (isSlip) name.connectorSlip = word;
    current.end = k;
    current = newPart(k + 1, words.length);
    name[kind] = current;
  });
}

const REGISTERED = new Set([entryOf("abn"), entryOf("acn"), entryOf("arbn")]);
const SHORTEST_REGISTERED = 9;
const SHORTEST_LONG = 8;
const ABN_DIGITS = 11;

/** The reference that begins at a word, if one can. */
function referenceAt({ words }: Reading, at: number, word: Word): { end: number; isRegistered: boolean } | undefined {
  const isSignal = isAny(word, Flag.Reference);
  if (!isSignal && !(isAny(word, Flag.Number) && isNumber(word.text))) return undefined;
  let end = isSignal ? at + 1 : at;
  let digits = 0;
  for (let next = words[end]; next !== undefined && isNumber(next.text); next = words[++end])
    digits += next.text.length;
  const isRegistered = REGISTERED.has(word.entry) && digits >= SHORTEST_REGISTERED;
  const isLong = !isSignal && digits >= SHORTEST_LONG;
  const isTrailing = isSignal && !isRegistered && (at === words.length - 1 || digits > 0);
  if (!isRegistered && !isLong && !isTrailing) return undefined;
  const after = words[end];
  if (after !== undefined && (after.gap & Gap.Close) === 0) return undefined;
  return { end, isRegistered: isRegistered || (isLong && digits === ABN_DIGITS) };
}

/**
 * Finds what people type into a name field besides the name: an ABN or ACN (labelled, or 11 digits at the end), a
 * telephone number, "invoice 10482", "rent".
 */
function findReference(name: Name): void {
  const { reading } = name;
  for (let k = 1; k < reading.words.length; k++) {
    const found = referenceAt(reading, k, wordAt(reading, k));
    if (found === undefined) continue;
    for (const word of reading.words.slice(k, found.end)) {
      word.role = Role.Reference;
      name.reference = widen(name.reference, word);
    }
    name.isRegistered = found.isRegistered;
    return;
  }
}

const NUMBER_SIGNS = new Set([entryOf("no").meaning, entryOf("number").meaning]);

/** "No 1", "Number One" and "#1" are "1". */
function skipNumberSigns({ words }: Reading): void {
  words.forEach((word, k) => {
    const next = words[k + 1];
    if (next !== undefined && isAny(next, Flag.Number) && NUMBER_SIGNS.has(word.entry.meaning))
      word.role = Role.Skipped;
  });
}

/** Trade mark, service mark, registered, copyright. */
const SIGNS = new Set(["tm", "sm", "r", "c"].map(entryOf));

/** "Acme (TM)", "Acme (R)": a sign typed as letters after a word is not part of the name. After an initial it is. */
function skipSigns({ text, words }: Reading): void {
  words.forEach((word, k) => {
    const before = words[k - 1];
    if (before === undefined || before.text.length === 1 || (word.gap & Gap.Open) === 0) return;
    const isBracketed = text[word.from - 1] === "(" && text[word.to] === ")";
    if (isBracketed && SIGNS.has(word.entry)) word.role = Role.Skipped;
  });
}

/** Marks forms of address ("Mr", "The Hon"), letters after a name ("OAM") and "Jnr"/"Snr". */
function findTitles(name: Name): void {
  const { words } = name.reading;
  let before: Word | undefined;
  const last = words[words.length - 1];
  for (const word of words) {
    if (word === last) break;
    if (isAny(word, Flag.Title) && word.role === Role.Core && opensPerson(word, before)) {
      word.role = Role.Title;
      if (before !== undefined && isAny(before, Flag.Article)) before.role = Role.Title;
      name.title ??= word;
    }
    before = word;
  }
  let trailing = true;
  for (let k = words.length - 1; k > 0; k--) {
    const word = wordAt(name.reading, k);
    if (!trailing && ((words[k + 1]?.gap ?? 0) & Gap.Comma) === 0) continue;
    const afterComma = (word.gap & Gap.Comma) !== 0;
    if (isAny(word, Flag.Generation) && k > 1) {
      word.role = Role.Generation;
      name.generation = word;
    } else if (isAny(word, Flag.Postnominal) && (k > 1 || !trailing) && !afterComma) {
      word.role = Role.Postnominal;
      name.title ??= word;
    } else trailing = false;
  }
}

/** Can a form of address occur here: at the start, after another, after "and", after a comma or in brackets? */
function opensPerson(word: Word, before: Word | undefined): boolean {
  if (before === undefined || before.role === Role.Title || before.role === Role.Connector) return true;
  return isAny(before, Flag.And | Flag.Article) || (word.gap & (Gap.Comma | Gap.Open)) !== 0;
}

const TRUST = entryOf("trust").meaning;

/** Finds words for the account's purpose: "Payroll Account", "Trust A/C". They do not indicate a different holder. */
function findPurpose(reading: Reading, part: Part): void {
  let before = part.end - 1;
  while (before > part.from + 1 && isAny(wordAt(reading, before), Flag.Purpose)) before--;
  if (before === part.end - 1 || before < 0) return;
  if (wordAt(reading, before).entry.meaning === TRUST && before > part.from + 1) before--;
  const words = reading.words.slice(before + 1, part.end);
  for (const word of words) {
    word.role = Role.Purpose;
    part.purposeWords = widen(part.purposeWords, word);
  }
  part.purpose = words.map(({ entry, text }) => entry.meaning.text || text).join(" ");
}

const meaning = (word: string): Entry => entryOf(word).meaning;

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
  part.holderWords = widen(part.holderWords, word);
}

/** Finds kinds of holders other than companies and people: trust, superannuation fund, estate. */
function findHolder(reading: Reading, part: Part): void {
  const { from, end } = part;
  if (end - from < 2) return;
  const first = wordAt(reading, from);
  if (first.entry.meaning === ESTATE_OF) take(part, first, "estate");
  else if (first.entry.meaning === LATE && end - from > 2) take(part, first, "plain");
  let at = end - 1;
  const isBeside = (role: Role) => role !== Role.Core && role !== Role.Legal;
  while (at > from && isBeside(wordAt(reading, at).role)) at--;
  const last = wordAt(reading, at);
  if (last.role !== Role.Core) return;
  if (last.entry.meaning === DECEASED) take(part, last, "estate");
  else if (last.entry.meaning === SMSF) {
    take(part, last, "fund");
    takeKind(reading, part, at);
  } else if (last.entry.meaning === TRUST && at > from) {
    take(part, last, "trust");
    takeKind(reading, part, at);
  } else if (last.entry.meaning === FUND && at > from && wordAt(reading, at - 1).entry.meaning === SUPER) {
    take(part, last, "fund");
    take(part, wordAt(reading, at - 1), "fund");
    takeKind(reading, part, at - 1);
  }
}

/** Takes the kind of trust or fund ("family", "unit") before a word, if a name remains without it. */
function takeKind(reading: Reading, part: Part, at: number): void {
  if (at - 1 <= part.from) return;
  const kind = wordAt(reading, at - 1);
  if (!TRUST_KINDS.has(kind.entry.meaning)) return;
  part.trustKind = kind.entry.meaning.text;
  take(part, kind, part.holder);
}

/** Lists the words of a part that identify its holder. */
export function collectCore(name: Name, part: Part): void {
  const core: Word[] = [];
  part.core = core;
  for (let k = part.from; k < part.end; k++) {
    const word = wordAt(name.reading, k);
    if (word.role !== Role.Core) continue;
    if (isAny(word, Flag.Article) && core.length === 0 && k + 1 < part.end) word.role = Role.Skipped;
    else if (isAny(word, Flag.And)) {
      word.role = Role.And;
      name.and ??= word;
    } else core.push(word);
  }
}

/** Finds the first comma between two words of the main part. */
function findComma(name: Name): void {
  const { core } = name.main;
  for (let k = 1; k < core.length; k++) {
    const between = name.reading.words.slice((core[k - 1]?.index ?? 0) + 1, (core[k]?.index ?? 0) + 1);
    if (!between.some(({ gap }) => (gap & Gap.Comma) !== 0)) continue;
    name.beforeComma = k;
    return;
  }
}
