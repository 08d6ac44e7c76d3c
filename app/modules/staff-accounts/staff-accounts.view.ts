/** Where staff accounts are kept. Pure. */
export const STAFF_ACCOUNTS_PATH = "/settings/staff-accounts";
