/** How long things are kept that the privacy policy names: the page shows these, and the schedules keep to them. */

/** Single-use links, after they have run out. */
export const LINKS_KEPT_DAYS = 30;

/** Documents of invoices, where the organisation has not chosen otherwise. */
export const INVOICES_KEPT_MONTHS = 18;

/** How long every page says that an organisation closes before it does. */
export const CLOSING_NOTICE_DAYS = 7;

/** Records of an organisation that closed: as long as the Corporations Act, section 286, asks for financial records. */
export const CLOSED_KEPT_YEARS = 7;
