/**
 * A new array of the first `count` items of a scratch list. Short lists, which nearly all are, are made at their exact
 * size instead of growing.
 */
export function pack<Item>(scratch: readonly Item[], count: number): Item[] {
  switch (count) {
    case 0:
      return [];
    case 1:
      return [scratch[0]!];
    case 2:
      return [scratch[0]!, scratch[1]!];
    case 3:
      return [scratch[0]!, scratch[1]!, scratch[2]!];
    case 4:
      return [scratch[0]!, scratch[1]!, scratch[2]!, scratch[3]!];
    case 5:
      return [scratch[0]!, scratch[1]!, scratch[2]!, scratch[3]!, scratch[4]!];
    default:
      return scratch.slice(0, count);
  }
}
