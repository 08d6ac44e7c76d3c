/** What the vocabulary knows of a word, one bit each. A word can be several things ("Victoria"). */
export enum Flag {
  Given = 1 << 0,
  Surname = 1 << 1,
  Title = 1 << 2,
  Postnominal = 1 << 3,
  Generation = 1 << 4,
  Particle = 1 << 5,
  Article = 1 << 6,
  And = 1 << 7,
  Link = 1 << 8,
  /** A word or letters that can be part of a legal form. */
  Legal = 1 << 9,
  /** Trust, fund, estate: another kind of account holder than a company or a person. */
  Entity = 1 << 10,
  /** Words that tell companies of one group apart but not the group itself: holdings, services, nominees. */
  Group = 1 << 11,
  /** Trades and other common words of organisations' names. */
  Trade = 1 << 12,
  Country = 1 << 13,
  State = 1 << 14,
  Place = 1 << 15,
  Compass = 1 << 16,
  Number = 1 << 17,
  /** "Branch", "division", "office". */
  Branch = 1 << 18,
  /** "Account", "payroll", "deductions": what an account is for. */
  Purpose = 1 << 19,
  /** "Invoice", "rent", "ABN": what people type into a name field besides the name. */
  Reference = 1 << 20,
  /** First word of a phrase that is read as one word: "new" (South Wales), "as" (trustee for). */
  Phrase = 1 << 21,
  /** Placeholders people type when a field is compulsory. */
  Placeholder = 1 << 22,
  /** "Trading as", "as trustee for", "née": another name follows. */
  Connector = 1 << 23,
  /** The word has a second reading, an adjective or a numeral: its relations are looked up. */
  Related = 1 << 24,
  /** A word that one of two organisations has because the other is its neighbour: "girls", "junior", "north". */
  Telling = 1 << 25,

  /** A legal form that is one only at the end of a name; and one that is one at the start too. */
  EndForm = 1 << 26,
  StartForm = 1 << 27,

  /** Two words written as one: "LtdATF", "No1". */
  Glued = 1 << 28,

  Personal = Given | Surname,
  /** What is true of a word as it is written: its short form does not share it. */
  OfOneSpelling = Personal | EndForm | StartForm,
  Local = Country | State | Place,
  /** Words that do not tell two organisations apart by themselves. */
  Weak = Group | Trade | Branch | Purpose | Local | Compass | Link | Article | And | Number | Legal | Entity,
}
