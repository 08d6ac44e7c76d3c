import { formatAud } from "~/kernel/money";
import type { Rule } from "./facts";

/** An amount within this share below the limit was perhaps chosen to stay below it. */
const NEARLY = 0.05;

/** Warns of an amount just below what one person may approve. */
export const justUnderLimit: Rule = {
  id: "just_under_limit",
  label: "An amount just under an approval limit",
  version: 2,
  defaultLevel: "warn",
  find({ amount, approvalLimitCents }) {
    const limit = approvalLimitCents ?? null;
    if (limit === null || amount > limit || amount < limit * (1 - NEARLY)) return undefined;
    return {
      message: `The amount is ${amount === limit ? "exactly" : "just under"} your approval limit of ${formatAud(limit)}.`,
      evidence: { amount, approvalLimitCents: limit },
    };
  },
};
