import { Severity } from "../comparing/evidence";
import { Flag } from "../vocabulary";
import type { Comparison } from "./comparison";
import type { WordPairs } from "./pair-words";
import { CONFLICT_WEIGHT, type Fact, isOneSided, Settlement, type SideName, wholeOf } from "./settlement";
import { addCharacters, addOrder, addSpellings, isReordered } from "./spelling-facts";
import { addTitles, addUnequalRuns, addUntold } from "./word-facts";

/** Two facts of one kind about neighbouring words of one side are one fact. */
function joinNeighbours(facts: readonly Fact[]): Fact[] {
  const joined: Fact[] = [];
  for (const fact of facts) {
    const at = joined.findIndex((other) => continues(other, fact));
    const other = joined[at];
    if (other === undefined) joined.push(fact);
    else {
      const words = (side: SideName) => [...new Set([...other[side], ...fact[side]])].sort((a, b) => a - b);
      const weight = other.weight + fact.weight;
      joined[at] = { ...other, weight, submitted: words("submitted"), held: words("held") };
    }
  }
  return joined;
}

function continues(a: Fact, b: Fact): boolean {
  if (a.type !== b.type || a.severity !== b.severity || !isOneSided(a) || !isOneSided(b)) return false;
  if (a.type === "joint_holder" || a.type === "title") return false;
  const side = a.submitted.length > 0 ? "submitted" : "held";
  const first = b[side][0];
  return first !== undefined && first === (a[side].at(-1) ?? -2) + 1;
}

/** Is anything left of what decided the class? If not, the names as wholes are the reason. */
function keepReason(settlement: Settlement, comparison: Comparison): void {
  const { findings } = comparison;
  const deciding = findings.reduce<Severity>((worst, { severity }) => (severity > worst ? severity : worst), 0);
  if (deciding === Severity.Format || settlement.facts.some(({ severity }) => severity === deciding)) return;
  const type = findings.find(({ severity }) => severity === deciding)?.type ?? "different_token";
  settlement.facts.push({
    type: type === "order" || type === "joint_holder" ? type : "different_token",
    severity: deciding,
    weight: CONFLICT_WEIGHT,
    ...wholeOf(comparison),
  });
}

/** The order of words is told only where it differs, unless nothing else tells why the class is what it is. */
function leaveOutOrder(settlement: Settlement, comparison: Comparison, pairs: WordPairs): void {
  if (isReordered(comparison, pairs)) return;
  const others = settlement.facts.filter(({ type }) => type !== "order");
  const worst = settlement.facts.reduce<Severity>((most, { severity }) => Math.max(most, severity), Severity.Format);
  if (others.some(({ severity }) => severity === worst)) settlement.facts = others;
}

/** Names that share no word at all: one fact says it. */
function sharesNothing({ matchType, submitted }: Comparison, pairs: WordPairs): boolean {
  if (matchType !== "none") return false;
  return !submitted.words.some(
    (word, k) =>
      word.letters.length > 1 && (word.flags & (Flag.And | Flag.Article)) === 0 && pairs.isShared("submitted", k),
  );
}

/** Everything that differs between two names: each fact once, every word that only one name has in exactly one fact. */
export function settleDifferences(comparison: Comparison, pairs: WordPairs): Fact[] {
  if (sharesNothing(comparison, pairs)) {
    const weight = CONFLICT_WEIGHT;
    return [{ type: "different_token", severity: Severity.Conflict, weight, ...wholeOf(comparison) }];
  }
  const settlement = new Settlement(comparison, pairs);
  settlement.addFindings();
  if (settlement.facts.some(({ type }) => type === "truncation")) return settlement.facts;
  addTitles(settlement, comparison);
  if (comparison.matchType === "none") addUnequalRuns(settlement, comparison, pairs);
  addUntold(settlement, comparison);
  addCharacters(settlement, comparison, pairs);
  addSpellings(settlement, comparison, pairs);
  if (comparison.matchType !== "none") addOrder(settlement, comparison, pairs);
  leaveOutOrder(settlement, comparison, pairs);
  keepReason(settlement, comparison);
  return joinNeighbours(settlement.facts);
}
