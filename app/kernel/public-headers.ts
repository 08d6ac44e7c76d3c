/** A public page depends on cookies (colours, signed in), so it is revalidated; the back button may reuse it. */
export const PUBLIC_HEADERS = { "Cache-Control": "private, no-cache" } as const;
