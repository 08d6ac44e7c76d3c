export { type MatchBadge, toMatchBadge } from "./badge";
export { explainDifferences, type Reason } from "./explanation/reasons";
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
