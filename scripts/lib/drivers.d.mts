export function findFirefox(): string | undefined;
export type WebKit = { driver: string; browser: string; display: string };
export function findWebKit(): { found: WebKit; missing?: undefined } | { found?: undefined; missing: string[] };
