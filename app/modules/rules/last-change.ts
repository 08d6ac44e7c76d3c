import { formatDate } from "~/kernel/dates";
import { sayAccount, whichIs } from "./account-standing";
import type { PaymentFacts } from "./facts";

/** What rules say of the account that is paid and of the one before it. Pure. */

/** A line of a file is called one; a payment that was recorded by itself is not. */
export const thisPayment = ({ otherTitles }: Pick<PaymentFacts, "otherTitles">): string =>
  otherTitles === undefined ? "This payment" : "This line";

/** Which of the payee's accounts is paid, the new one, and who verified it and the one before; undefined: nothing is new. */
export function tellChange(facts: PaymentFacts): string | undefined {
  const { payee, lastChange, timeZone } = facts;
  if (!payee || !lastChange) return undefined;
  const { changedAt, standing, former } = lastChange;
  const [since, until] = [formatDate(changedAt, timeZone), formatDate(former.until, timeZone)];
  const before = since === until ? "Before, it was" : `Until ${until} it was`;
  return `${thisPayment(facts)} pays the account that ${payee.name} has had since ${since}${whichIs(standing, timeZone)}. ${before} ${sayAccount(former, timeZone)}.`;
}
