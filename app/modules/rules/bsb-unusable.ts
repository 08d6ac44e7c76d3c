import { formatBsb } from "~/kernel/bsb";
import type { Rule } from "./facts";

/** Holds a payment that the bank would return: its BSB is unknown, closed, merged, or takes no direct entry. */
export const bsbUnusable: Rule = {
  id: "bsb_unusable",
  label: "The BSB is unknown, closed or cannot be paid to",
  version: 1,
  defaultLevel: "hold",
  find({ account: { bsb }, bsbProblem }) {
    if (bsbProblem === null) return undefined;
    return {
      message: `The payment cannot reach an account with the BSB ${formatBsb(bsb)}. ${bsbProblem}`,
      evidence: { bsb },
    };
  },
};
