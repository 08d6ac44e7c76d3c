import { formatAud } from "~/kernel/money";
import type { FurtherFacts, Rule } from "./facts";

const sumOf = (amount: number, { sameDayCents, sameFileCents }: FurtherFacts["ownLimit"]): number =>
  amount + sameDayCents + sameFileCents;

/** What counts beside the payment itself, in words; nothing where it is large enough alone. */
function withOthers(amount: number, { limitCents, sameDayCents, sameFileCents }: FurtherFacts["ownLimit"]): string {
  if (amount > limitCents) return "";
  const others = [
    ...(sameDayCents > 0 ? [`${formatAud(sameDayCents)} that was authorised today`] : []),
    ...(sameFileCents > 0 ? [`${formatAud(sameFileCents)} of other lines of this file`] : []),
  ];
  return `, with ${others.join(" and ")}`;
}

/**
 * Holds more than anybody who stands behind a payment may approve. Whoever trusts a payee lets payments to it pass: without
 * this a person would approve the payee where they may not approve the payment.
 */
export const aboveOwnLimit: Rule = {
  id: "above_own_limit",
  label: "More than the people behind the payment may approve",
  version: 1,
  defaultLevel: "hold",
  /** It follows the approval limits: no level of a rule takes those back. */
  isFixed: true,
  floor: ({ ownLimit }) => (ownLimit ? "hold" : undefined),
  find({ payee, account, amount, ownLimit }) {
    if (!ownLimit || sumOf(amount, ownLimit) <= ownLimit.limitCents) return undefined;
    const name = payee?.name ?? account.accountName;
    const { limitCents, by } = ownLimit;
    const who =
      by === "approval"
        ? "The person who approved this payment"
        : `The people who approved ${name} and recorded this payment`;
    return {
      message: `${who} may approve up to ${formatAud(limitCents)} to one payee in a day, and this is ${formatAud(amount)}${withOthers(amount, ownLimit)}. A person with a higher limit has to approve it.`,
      evidence: { payeeId: payee?.id ?? null, amount, ...ownLimit },
    };
  },
};
