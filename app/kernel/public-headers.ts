/** A public page differs by cookie (colours, signed in or not), so it is asked for again, but the back button may keep it. */
export const PUBLIC_HEADERS = { "Cache-Control": "private, no-cache" } as const;
