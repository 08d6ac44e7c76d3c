import { AppError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";

/** Two-step sign-in: a code after the password. Pure. */

/** How long a person who gave the right password may take to give the code. */
export const TICKET_TTL_MS = 10 * MINUTE_MS;

/** Wrong codes an account may be given in 15 minutes. Who gives them knows the password. */
export const MAX_WRONG_CODES = 5;

/** What remembers, between the two steps, that the password was right. Kept by the browser, sealed. */
export type SignInTicket = {
  userId: string;
  /** Of the stored hash: a password changed in between ends the ticket. */
  passwordDigest: string;
  organizationId?: string;
  organizationIsHint?: boolean;
  issuedAt: number;
};

/** The password was right, and the account asks for a code. */
export class TotpRequired extends AppError {
  constructor(readonly ticket: SignInTicket) {
    super("TOTP_REQUIRED", 401, "Enter the code from your authenticator app.");
  }
}

export const wrongCode = () =>
  new AppError("INVALID_TOTP", 401, "This code is not right, or was used before. Wait for the next one and try again.");
