/** The rules of a check at once (Confirmation of Payee). Pure. */

/** Why the bank is asked, as the industry's purpose codes have it: to verify a payee's details, not to make a payment. */
export const PURPOSE = "VADR";

/**
 * How often one organisation may ask in a day, and how many answers may say that a name is not confirmed: names of
 * accounts are not there to be guessed. An organisation that has paid is known to the card provider.
 */
export const instantLimits = (hasPaid: boolean): { lookUps: number; noMatches: number } =>
  hasPaid ? { lookUps: 500, noMatches: 40 } : { lookUps: 50, noMatches: 10 };
