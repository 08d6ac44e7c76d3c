/** Pairs of invented names with the right answer: always the same for the same seed. */
export function inventedPairs(
  rounds?: number,
  seed?: number,
): [submitted: string, held: string, answer: "exact" | "fuzzy" | "none"][];
