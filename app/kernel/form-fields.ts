/** What server and browser both know about the fields of a form. */

/** The hidden field with the person and organisation that a signed-in page was made for (`formOwnerOf`). */
export const TYPIST_FIELD = "typist";

/**
 * The field of a post with some of the files that were chosen: its answer says what became of each file. Until the last
 * post nothing is loaded again, because a failed load would replace the files that wait.
 */
export const PART_FIELD = "part";
export const MORE_PARTS = "more";

/** The names of fields whose values a refused form does not show again. */
export const NEVER_SHOWN_AGAIN = /password|passkey$|code|token/i;
