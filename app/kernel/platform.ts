/** The reserved organisation to which acts without an organisation belong (failed sign-ins, super admins). */
export const PLATFORM_ORGANIZATION_ID = "00000000-0000-7000-8000-000000000000";
