import { prepareName, scoreIfAlike } from "~/modules/name-match";
import type { Rule } from "./facts";

/**
 * Warns where the business register has cancelled the payee's ABN, does not have it, or knows it under other names only.
 * A register that has not answered says nothing.
 */
export const abnInactive: Rule = {
  id: "abn_inactive",
  label: "The ABN is cancelled, or its name does not match",
  version: 3,
  defaultLevel: "warn",
  find({ payee, register }) {
    if (!payee || !register) return undefined;
    const { abn, state, names } = register;
    const evidence = { payeeId: payee.id, abn, state, registerNames: names };
    if (state === "not_found")
      return { message: `The business register does not have the ABN of ${payee.name}.`, evidence };
    if (state === "cancelled") {
      return { message: `The business register says that the ABN of ${payee.name} is cancelled.`, evidence };
    }
    // A person without a registered name, for example: there is nothing to compare.
    const [first] = names;
    if (first === undefined) return undefined;
    const own = [prepareName(payee.name), prepareName(payee.accountName)];
    const isKnown = names.some((name) => own.some((mine) => scoreIfAlike(mine, name) !== undefined));
    if (isKnown) return undefined;
    return { message: `The business register knows the ABN of ${payee.name} as “${first}”.`, evidence };
  },
};
