/** Unread alerts are counted up to here; beyond it the bell says "99+". */
export const UNREAD_CAP = 100;

/** The number on the bell: "99+" when counting stopped. */
export const showUnread = (count: number): string => (count >= UNREAD_CAP ? `${UNREAD_CAP - 1}+` : String(count));
