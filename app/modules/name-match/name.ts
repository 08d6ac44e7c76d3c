import { MAX_TOKENS, Reading } from "./reading";

/** The parts a name can have. */
export enum Part {
  Main = 0,
  Trading = 1,
  Beneficiary = 2,
  Alias = 3,
}

/** Kinds of account holder told by the words "trust", "fund", "estate". */
export enum Entity {
  None = 0,
  Trust = 1,
  Fund = 2,
  Estate = 3,
}

/** One part of a name ("Acme Pty Ltd" of "Acme Pty Ltd T/A Bolt"). */
export class Segment {
  first = 0;
  /** Exclusive. */
  end = 0;
  /** Indices of the words that tell who it is. */
  readonly core = new Int32Array(MAX_TOKENS + 1);
  count = 0;
  /** The legal form as one number, equal for equal forms; 0 none. */
  form = 0;
  formFirst = -1;
  formLast = -1;
  entity: Entity = Entity.None;
  /** Id of "family", "unit", "discretionary"; 0 none. */
  entityKind = 0;
  entityFirst = -1;
  entityLast = -1;
  /** "Payroll account": first and last word, and a number equal for equal purposes. */
  purpose = 0;
  purposeFirst = -1;
  purposeLast = -1;
}

/** A name taken apart: its words and its parts. */
export class Name {
  readonly reading = new Reading();
  readonly segments = [new Segment(), new Segment(), new Segment(), new Segment()] as const;
  /** Which segments the name has, one bit each. */
  has = 1;
  /** The name began with "The trustee for". */
  style = -1;
  /** First and last word of a title, post-nominal, generation or reference; -1 none. */
  title = -1;
  generation = -1;
  referenceFirst = -1;
  referenceLast = -1;
  /** Does the reference only repeat a registered number (ABN, ACN)? */
  registered = false;
  /** Words before a comma that can be a surname: index of the first word after it, or -1. */
  comma = -1;
  /** Index of the first "and", or -1. */
  and = -1;
}
