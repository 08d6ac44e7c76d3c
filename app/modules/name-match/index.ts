export { type MatchBadge, toMatchBadge } from "./badge";
export { explainDifference } from "./explain";
export { matchNames, scoreNames } from "./match";
export type {
  MatchType,
  NameDifference,
  NameDifferenceType,
  NameKind,
  NameMatch,
  NamePart,
  NamePartStatus,
  NameScore,
} from "./types";
