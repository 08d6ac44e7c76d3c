import { scoreNames } from "~/modules/name-match";
import type { Rule } from "./facts";

/** Warns where the business register has cancelled the payee's ABN, or knows it under another name. */
export const abnInactive: Rule = {
  id: "abn_inactive",
  version: 1,
  defaultLevel: "warn",
  find({ payee, register }) {
    if (!payee || !register) return undefined;
    const { abn, isActive, name } = register;
    const evidence = { payeeId: payee.id, abn, isActive, registerName: name };
    if (!isActive)
      return { message: `The business register says that the ABN of ${payee.name} is cancelled.`, evidence };
    if (name === null || scoreNames(payee.name, name).matchType !== "none") return undefined;
    return { message: `The business register knows the ABN of ${payee.name} as “${name}”.`, evidence };
  },
};
