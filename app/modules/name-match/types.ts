/** `exact` = score 95-100, `fuzzy` = 70-94, `none` = below 70. */
export type MatchType = "exact" | "fuzzy" | "none";

/** An optional hint about the account holder; evidence in the names themselves outweighs it. */
export type NameKind = "person" | "org" | "joint" | "trading";

export type NameDifferenceType =
  | "formatting"
  | "spacing"
  | "diacritic"
  | "and_symbol"
  | "title"
  | "abbreviation"
  | "legal_form"
  | "entity_kind"
  | "trading_as"
  | "trustee"
  | "initial"
  | "nickname"
  | "order"
  | "typo"
  | "plural"
  | "extra_token"
  | "missing_token"
  | "different_token"
  | "place"
  | "number"
  | "reference"
  | "truncation"
  | "homoglyph"
  | "script"
  | "joint_holder"
  | "acronym"
  | "blank";

/** One difference, with the words as each side wrote them ("" when a side has none). */
export interface NameDifference {
  type: NameDifferenceType;
  submitted: string;
  held: string;
  /** Its cost out of 100 points; the points of all differences plus the score make 100. */
  points: number;
}

export type NamePartStatus = "same" | "formatting" | "different" | "only_submitted" | "only_held";

/**
 * One stretch of both names side by side, as half-open ranges of UTF-16 positions in the original strings. Sorted by
 * `submittedStart`; the same parts sorted by `heldStart` give the held name. A range is empty (start = end) on a side
 * that has nothing to show.
 */
export interface NamePart {
  status: NamePartStatus;
  submittedStart: number;
  submittedEnd: number;
  heldStart: number;
  heldEnd: number;
}

export interface NameScore {
  /** 0-100, whole number; 95 and above only for `exact`, 70-94 only for `fuzzy`. */
  score: number;
  matchType: MatchType;
}

/** Plain data, unchanged by JSON and structured cloning. */
export interface NameMatch extends NameScore {
  differences: NameDifference[];
  parts: NamePart[];
}

/** The words of the score badge (specification, verification card). */
export type MatchBadge = "Exact" | "Very Strong" | "Strong" | "Moderate" | "Weak" | "Poor";

/** @param score 0-100 */
export function toMatchBadge(score: number): MatchBadge {
  if (score >= 95) return "Exact";
  if (score >= 90) return "Very Strong";
  if (score >= 80) return "Strong";
  if (score >= 70) return "Moderate";
  if (score >= 50) return "Weak";
  return "Poor";
}
