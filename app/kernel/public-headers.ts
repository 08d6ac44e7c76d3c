/**
 * A public page depends on cookies (colours, signed in or not), so it is revalidated, but the back button may reuse it.
 */
export const PUBLIC_HEADERS = { "Cache-Control": "private, no-cache" } as const;
