import { AppError } from "~/kernel/app-error";
import { MINUTE_MS } from "~/kernel/dates";
import { WRONG_CREDENTIALS } from "~/kernel/messages";

/** What a person signs in with. */
export type Credentials = {
  /** An email address, or a username: usernames hold no `@`. */
  login: string;
  password: string;
  /** The organisation to work in; must be one of the person's own. */
  organizationId?: string;
  /** The code of two-step sign-in, from the app or a recovery code. */
  totp?: string;
};

/** After this many failed sign-ins within the window nobody can sign in to the account until the window ends. */
export const MAX_FAILED_SIGN_INS = 10;
export const FAILED_SIGN_INS_WINDOW_MS = 15 * MINUTE_MS;

export const invalidCredentials = () => new AppError("INVALID_CREDENTIALS", 401, WRONG_CREDENTIALS);

export const signInExpired = () =>
  new AppError("SIGN_IN_EXPIRED", 401, "This took too long, or your password was changed. Please sign in again.");
