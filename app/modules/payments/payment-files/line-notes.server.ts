import { findFormerHolders } from "~/modules/payees/verifications/former-accounts.server";
import { findAnswerAgainst, standingOf } from "~/modules/payments/payment-facts/account-history";
import { listAccountHistories } from "~/modules/payments/payment-facts/account-history.server";
import { findPayees } from "~/modules/payments/payment-facts/payees.server";
import type { AccountStanding } from "~/modules/rules/account-standing";
import { bankAnswer, tellAnswer } from "~/modules/rules/bank-answer";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import type { Services } from "~/services";

type Line = { line: number; bsb: string; accountNumber: string; reasons: readonly PaymentReason[] };

/** What is known now of the account of a line, beside what the rules found when it was judged. */
export type LineNote = {
  /** What a bank has said against it since then, in a sentence; null: nothing. */
  news: string | null;
  /** What is known of it as an account of the payee that has it; null: it is no payee's. */
  standing: AccountStanding | null;
};

const NOTHING: LineNote = { news: null, standing: null };

/** What is known now of the accounts of some lines, a page of them. */
export async function findLineNotes(
  services: Pick<Services, "db" | "clock">,
  { organizationId, timeZone }: { organizationId: string; timeZone: string },
  lines: readonly Line[],
): Promise<(line: number) => LineNote> {
  if (lines.length === 0) return () => NOTHING;
  const now = services.clock.now();
  const [payees, holdersOf] = await Promise.all([
    findPayees(services, organizationId, { recipients: lines, now }),
    findFormerHolders(services, organizationId, lines),
  ]);
  const idsOf = (line: Line, place: number) =>
    [payees.at(place)?.facts.id, ...holdersOf(line).map(({ payeeId }) => payeeId)].filter((id) => id !== undefined);
  const histories = await listAccountHistories(services, organizationId, lines.flatMap(idsOf));
  const notes = new Map<number, LineNote>();
  for (const [place, line] of lines.entries()) {
    const known = idsOf(line, place).flatMap((id) => histories.get(id) ?? []);
    const own = histories.get(payees.at(place)?.facts.id ?? "");
    const against = findAnswerAgainst(line, known);
    const isSaid = line.reasons.some(
      ({ rule, evidence }) => rule === bankAnswer.id && evidence.verificationId === against?.verificationId,
    );
    notes.set(line.line, {
      news: against && !isSaid ? tellAnswer(against, timeZone) : null,
      standing: own ? standingOf(line, own) : null,
    });
  }
  return (line) => notes.get(line) ?? NOTHING;
}
