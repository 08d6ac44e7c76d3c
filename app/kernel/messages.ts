/** Sentences from the specification (sections 5 and 8) that several files use. */

export const INVALID_EMAIL = "Please enter a valid email address";
export const SHORT_PASSWORD = "Password must be at least 8 characters";
export const WRONG_CREDENTIALS = "Invalid username or password";
export const ACCOUNT_EXISTS = "Looks like you already have an account with us. Please login instead.";

/** Why an action that needs a live subscription is refused, and what still works: before a form, in its answer. */
export const SUBSCRIPTION_ENDED =
  "Your organisation's trial or subscription has ended. Subscribe to continue, under My Account, Organisation; reading, editing, reviewing and exporting what exists still work.";
