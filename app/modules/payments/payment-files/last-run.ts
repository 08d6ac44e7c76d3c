/** One pay run against the one before it. Pure. */

/** What a payee gets by a run, in integer cents. */
export type RunPayee = { payeeId: string; name: string; cents: number };

export type RunComparison = {
  /** Payees of this run that the last one did not pay, the largest amount first. */
  added: RunPayee[];
  /** Payees that get more than `JUMP` times what they got. */
  jumped: (RunPayee & { beforeCents: number })[];
  /** Payees of the last run that this one does not pay. */
  missing: RunPayee[];
};

/** From this factor on an amount has jumped. */
const JUMP = 2;

export function compareRuns(now: readonly RunPayee[], before: readonly RunPayee[]): RunComparison {
  const then = new Map(before.map((payee) => [payee.payeeId, payee.cents]));
  const current = new Set(now.map(({ payeeId }) => payeeId));
  const largest = (a: RunPayee, b: RunPayee) => b.cents - a.cents;
  return {
    added: now.filter(({ payeeId }) => !then.has(payeeId)).sort(largest),
    jumped: now
      .flatMap((payee) => {
        const beforeCents = then.get(payee.payeeId);
        return beforeCents !== undefined && payee.cents > beforeCents * JUMP ? [{ ...payee, beforeCents }] : [];
      })
      .sort(largest),
    missing: before.filter(({ payeeId }) => !current.has(payeeId)).sort(largest),
  };
}
