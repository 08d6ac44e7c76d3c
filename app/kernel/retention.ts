/** Retention periods stated in the privacy policy: the page shows these values, and the cron runs apply them. */

/** Single-use links, after they have expired. */
export const LINKS_KEPT_DAYS = 30;

/** Invoice documents, unless the organisation has chosen a different period. */
export const INVOICES_KEPT_MONTHS = 18;

/** For how many days every page announces that an organisation will close. */
export const CLOSING_NOTICE_DAYS = 7;

/** Records of a closed organisation: the Corporations Act, section 286, requires financial records this long. */
export const CLOSED_KEPT_YEARS = 7;
