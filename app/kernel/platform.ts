/** The reserved organisation that acts without an organisation belong to (failed sign-ins, super admins). */
export const PLATFORM_ORGANIZATION_ID = "00000000-0000-7000-8000-000000000000";
