import { parseAbn } from "~/kernel/abn";

let serial = 0;

/** An ABN of its own with right check digits; its last two digits say what the register's stand-in makes of it. */
export function anAbn(lastDigits = "55"): string {
  const number = `${String(1_000_000 + serial++)}${lastDigits}`;
  for (let check = 11; check <= 99; check++) {
    const abn = parseAbn(`${check}${number}`);
    if (abn) return abn;
  }
  throw new Error("no check digits fit");
}
