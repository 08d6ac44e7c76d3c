/** What the vocabulary knows of a word, one bit each. A word can be several things ("Victoria"). */
export const GIVEN = 1 << 0;
export const SURNAME = 1 << 1;
export const TITLE = 1 << 2;
export const POSTNOMINAL = 1 << 3;
export const GENERATION = 1 << 4;
export const PARTICLE = 1 << 5;
export const ARTICLE = 1 << 6;
export const AND = 1 << 7;
export const LINK = 1 << 8;
/** A word or letters that can be part of a legal form. */
export const LEGAL = 1 << 9;
/** Trust, fund, estate: another kind of account holder than a company or a person. */
export const ENTITY = 1 << 10;
/** Words that tell companies of one group apart but not the group itself: holdings, services, nominees. */
export const GROUP = 1 << 11;
/** Trades and other common words of organisations' names. */
export const TRADE = 1 << 12;
export const COUNTRY = 1 << 13;
export const STATE = 1 << 14;
export const PLACE = 1 << 15;
export const COMPASS = 1 << 16;
export const NUMBER = 1 << 17;
/** "Branch", "division", "office". */
export const BRANCH = 1 << 18;
/** "Account", "payroll", "deductions": what an account is for. */
export const PURPOSE = 1 << 19;
/** "Invoice", "rent", "ABN": what people type into a name field besides the name. */
export const REFERENCE = 1 << 20;
/** First word of a phrase that is read as one word: "new" (South Wales), "as" (trustee for). */
export const PHRASE = 1 << 21;
/** Placeholders people type when a field is compulsory. */
export const PLACEHOLDER = 1 << 22;
/** "Trading as", "as trustee for", "née": another name follows. */
export const CONNECTOR = 1 << 23;
/** The word has a second reading, an adjective or a numeral: its relations are looked up. */
export const RELATED = 1 << 24;
/** A word that one of two organisations has because the other is its neighbour: "girls", "junior", "north". */
export const TELLING = 1 << 25;

export const PERSONAL = GIVEN | SURNAME;
export const LOCAL = COUNTRY | STATE | PLACE;
/** Words that do not tell two organisations apart by themselves. */
export const WEAK = GROUP | TRADE | BRANCH | PURPOSE | LOCAL | COMPASS | LINK | ARTICLE | AND | NUMBER | LEGAL | ENTITY;
