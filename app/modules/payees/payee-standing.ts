import { approvedAt, findRedFlags, type PayeeStatus, payeeStatus, type RedFlag } from "~/kernel/payee";
import { type Grade, gradeFactsOf, gradeOfPayee } from "~/modules/payees/verifications/grade";
import { showVerdict } from "~/modules/payees/verifications/standing";
import { headlineOfFlag, type VerdictLook } from "~/modules/payees/verifications/verdict";
import type { ListedPayee } from "./payee-list.server";

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

const HEADLINES = new Map<string, PayeeHeadline>();

/** The same object for the same words: a list sends it to the browser once, however many of its rows have it. */
function onlyOnce(headline: PayeeHeadline): PayeeHeadline {
  const key = `${headline.isRed} ${headline.verdict?.word}`;
  const before = HEADLINES.get(key) ?? headline;
  HEADLINES.set(key, before);
  return before;
}

/** How a payee was verified; null: it is not trusted. */
export const gradeOfListed = ({ verified, ...payee }: ListedPayee): Grade | null =>
  gradeOfPayee(payee, payee.latest, verified && { ...verified, ...gradeFactsOf(verified) });

/** How far a payee of a list is trusted and what speaks against it, as on its own page. @param now epoch milliseconds */
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
    /** When the details it has now were last approved, epoch milliseconds; null: never. */
    verifiedAt: approvedAt(payee, verified),
  };
}
