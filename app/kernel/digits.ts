/** Sum of each digit times its weight. `digits` and `weights` have the same length. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);
}

/** The digits of a business number as people write it: without white space, hyphens and a leading label such as `ABN`. */
export function compactNumber(text: string, label: RegExp): string {
  return text
    .trim()
    .replace(label, "")
    .replace(/[\s-]+/g, "");
}
