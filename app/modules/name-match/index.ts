export { type MatchBadge, toMatchBadge } from "./badge";
export { explainDifferences, type Reason } from "./explanation/reasons";
export { type MarkedNames, type MarkedStretch, markNames } from "./mark-name";
export { isExactMatch, matchNames, matchNamesForPage, prepareName, scoreIfAlike, scoreNames } from "./match-names";
export type { PreparedName } from "./prepared-name";
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
