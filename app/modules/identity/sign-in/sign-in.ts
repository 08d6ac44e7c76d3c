import { MINUTE_MS } from "~/kernel/dates";

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

/** After this many failed sign-ins within the window an account rests until the window ends. */
export const MAX_FAILED_SIGN_INS = 10;
export const FAILED_SIGN_INS_WINDOW_MS = 15 * MINUTE_MS;
