import type { PayeeStatus, RedFlag } from "~/kernel/payee";
import { headlineOfFlag, type VerdictLook } from "~/modules/payees/verifications/verdict";

/** What stands beside a payee's name, on its page, in lists and on payments: the same words as its verification. Pure. */
export type PayeeHeadline = {
  /** Null: how far the payee is trusted says it all. */
  verdict: VerdictLook | null;
  /** Something speaks against paying it: nothing green stands beside that, however far it is trusted. */
  isRed: boolean;
};

/** Flags that hold whatever was decided before, the gravest first; `disputed` is a status of its own. */
const RED = ["former_account", "contact_and_bank_changed"] as const satisfies readonly RedFlag[];

/**
 * What speaks against the payee comes before how far it is trusted; its open verification before its status "pending".
 * @param verdict of its verification that waits for a decision; null: none does
 */
export function payeeHeadline(
  status: PayeeStatus,
  verdict: (VerdictLook & { isRed: boolean }) | null,
  flags: readonly RedFlag[],
): PayeeHeadline {
  if (status === "disputed") return { verdict: null, isRed: true };
  if (verdict?.isRed) return { verdict: lookOf(verdict), isRed: true };
  const flag = RED.find((each) => flags.includes(each));
  if (flag) return { verdict: lookOf(headlineOfFlag(flag)), isRed: true };
  return { verdict: status === "pending" && verdict ? lookOf(verdict) : null, isRed: false };
}

const lookOf = ({ tone, icon, word }: VerdictLook): VerdictLook => ({ tone, icon, word });
