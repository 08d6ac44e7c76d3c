import { approvedAt, findRedFlags, type PayeeStatus, payeeStatus, type RedFlag } from "~/kernel/payee";
import { type Grade, gradeFactsOf, gradeOfPayee } from "~/modules/payees/verifications/outcomes";
import { showVerdict } from "~/modules/payees/verifications/standing";
import { headlineOfFlag, type VerdictLook } from "~/modules/payees/verifications/verdict";
import type { ListedPayee } from "./payee-list.server";

/** The status beside a payee's name on its page, in lists and on payments: its verification's words. Pure. */
export type PayeeHeadline = {
  /** Null: the trust status alone is shown. */
  verdict: VerdictLook | null;
  /** There is a reason not to pay it, so nothing green is shown, however far it is trusted. */
  isRed: boolean;
};

/** Flags that count whatever was decided earlier, most serious first; `disputed` is a separate status. */
const RED = ["former_account", "contact_and_bank_changed"] as const satisfies readonly RedFlag[];

/**
 * Shows warnings before the trust status, and the verdict of the open verification before the status "pending".
 * @param verdict of the pending verification; null: none is pending
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

const HEADLINES = new Map<string, PayeeHeadline>();

/** Equal headlines share one object, so that a list sends each only once to the browser, however many rows use it. */
function onlyOnce(headline: PayeeHeadline): PayeeHeadline {
  const key = `${headline.isRed} ${headline.verdict?.word}`;
  const before = HEADLINES.get(key) ?? headline;
  HEADLINES.set(key, before);
  return before;
}

/** How a payee was verified; null: it is not trusted. */
export const gradeOfListed = ({ verified, ...payee }: ListedPayee): Grade | null =>
  gradeOfPayee(payee, payee.latest, verified && { ...verified, ...gradeFactsOf(verified) });

/** The trust status and warnings of a listed payee, the same as on its own page. @param now epoch milliseconds */
export function standingOf(payee: ListedPayee, now: number) {
  const { latest, verified } = payee;
  const status = payeeStatus(payee, latest);
  const flags = findRedFlags(payee, status, now, latest);
  const resultData = { institutionDiffers: latest?.institutionDiffers === 1 };
  const verdict =
    latest?.status === "pending"
      ? showVerdict({ ...latest, resultData, payee, isCheckRunning: latest.isCheckRunning === 1 }, now)
      : null;
  return {
    status,
    flags,
    headline: onlyOnce(payeeHeadline(status, verdict, flags)),
    grade: gradeOfListed(payee)?.text ?? null,
    /** When the present details were last approved, in epoch milliseconds; null: never. */
    verifiedAt: approvedAt(payee, verified),
  };
}
