/** Sentences of the specification (sections 5 and 8) that more than one file says. */

export const INVALID_EMAIL = "Please enter a valid email address";
export const SHORT_PASSWORD = "Password must be at least 8 characters";
export const WRONG_CREDENTIALS = "Invalid username or password";
export const ACCOUNT_EXISTS = "Looks like you already have an account with us. Please login instead.";
