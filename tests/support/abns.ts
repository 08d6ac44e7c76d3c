import { parseAbn } from "~/kernel/abn";

let serial = 0;

/**
 * A unique ABN with valid check digits. The simulated register decides by its last two digits whether it exists or is
 * cancelled.
 */
export function anAbn(lastDigits = "55"): string {
  const number = `${String(1_000_000 + serial++)}${lastDigits}`;
  for (let check = 11; check <= 99; check++) {
    const abn = parseAbn(`${check}${number}`);
    if (abn) return abn;
  }
  throw new Error("no check digits fit");
}
