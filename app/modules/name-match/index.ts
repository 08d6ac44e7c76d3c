export { explainDifferences, type Reason } from "./explanation/sentences";
export { type MarkedNames, type MarkedStretch, markNames } from "./mark-name";
export {
  isAnotherName,
  isExactMatch,
  matchNames,
  matchNamesForPage,
  namesDiffer,
  type PreparedName,
  prepareName,
  scoreIfAlike,
  scoreNames,
} from "./match-names";
export type {
  MatchType,
  NameDifference,
  NameMatch,
} from "./types";
export { type MatchBadge, toMatchBadge } from "./types";
