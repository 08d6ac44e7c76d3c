/** Unread alerts are counted up to here; beyond it the bell says "99+". */
export const UNREAD_CAP = 100;
