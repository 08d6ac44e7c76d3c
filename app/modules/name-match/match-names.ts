import type { Explanation } from "./explanation/explain-comparison";
import { Matcher } from "./matcher";
import type { PreparedName } from "./prepared-name";
import type { MatchType, NameDifference, NameKind, NameMatch, NamePart, NameScore } from "./types";

const MATCHER = new Matcher();

/**
 * An answer; the reasons are written down when they are read. Its fields are set where they are defined, because one is
 * made for every pair and a field that is first defined and then set costs as much as reading a word.
 */
class ReasonedMatch implements NameMatch {
  readonly score: number = MATCHER.score;
  readonly matchType: MatchType = MATCHER.matchType;
  /** The number of the comparison, until it is explained. */
  private explained: number | Explanation = MATCHER.comparisons;

  constructor(
    private readonly submitted: string,
    private readonly held: string,
    private readonly kind: NameKind | undefined,
  ) {}

  /** From the comparison itself; only when another has been made since is this one made again. */
  private explain(): Explanation {
    if (typeof this.explained !== "number") return this.explained;
    if (this.explained !== MATCHER.comparisons) MATCHER.compare(this.submitted, this.held, this.kind);
    const explanation = MATCHER.explain();
    this.explained = explanation;
    return explanation;
  }

  get differences(): NameDifference[] {
    return this.explain().differences;
  }

  get parts(): NamePart[] {
    return this.explain().parts;
  }

  toJSON(): NameMatch {
    const { score, matchType, differences, parts } = this;
    return { score, matchType, differences, parts };
  }
}

/**
 * Compares the name somebody typed with the name the bank holds.
 *
 * The class is decided from evidence, step by step, and the score is then placed inside its band. Deterministic,
 * never throws, and takes time in proportion to the length of the names whatever they contain.
 * @param kind what the account holder is believed to be; optional, and outweighed by the names themselves
 */
export function matchNames(submitted: string, held: string, kind?: NameKind): NameMatch {
  MATCHER.compare(submitted, held, kind);
  return new ReasonedMatch(submitted, held, kind);
}

/** The same as plain data, for what a page's loader sends to the browser: accessors do not travel. */
export function matchNamesForPage(submitted: string, held: string): NameMatch {
  const { score, matchType, differences, parts } = matchNames(submitted, held);
  return { score, matchType, differences, parts };
}

/** A name to be compared with many others: it is read once. */
export const prepareName = (text: string): PreparedName => MATCHER.prepare(text);

/** Score and class as `matchNames` gives them, of names as text or prepared, for looking through many of them. */
export function scoreNames(submitted: string | PreparedName, held: string | PreparedName, kind?: NameKind): NameScore {
  MATCHER.compare(submitted, held, kind);
  return { score: MATCHER.score, matchType: MATCHER.matchType };
}

/**
 * Score and class of a prepared name and one of many, as `scoreNames` gives them; undefined for no match. Several times
 * as fast where most of the many are other names.
 */
export function scoreIfAlike(own: PreparedName, other: string | PreparedName, kind?: NameKind): NameScore | undefined {
  if (!MATCHER.compareIfAlike(own, other, kind)) return undefined;
  return { score: MATCHER.score, matchType: MATCHER.matchType };
}

/** Is one of many names an exact match of a prepared one, as `matchNames` says? Faster still: most names are not read. */
export const isExactMatch = (own: PreparedName, other: string): boolean => MATCHER.isExact(own, other);
