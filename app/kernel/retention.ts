/** How long things are kept that the privacy policy names: the page shows these, and the schedules keep to them. */

/** Single-use links, after they have run out. */
export const LINKS_KEPT_DAYS = 30;

/** Documents of invoices, where the organisation has not chosen otherwise. */
export const INVOICES_KEPT_MONTHS = 18;
