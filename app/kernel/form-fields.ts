/** What server and browser both know about the fields of a form. */

/** The hidden field with the person and organisation that a signed-in page was made for (`formOwnerOf`). */
export const TYPIST_FIELD = "typist";

/** The names of fields whose values a refused form does not show again. */
export const NEVER_SHOWN_AGAIN = /password|passkey$|code|token/i;
