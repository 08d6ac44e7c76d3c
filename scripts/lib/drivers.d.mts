export function findFirefox(): string | undefined;
export type WebKit = { driver: string; browser: string; display: string };
export function findWebKit(): { found: WebKit; missing?: undefined } | { found?: undefined; missing: string[] };
export type WebKitDriver = {
  address: string;
  capabilities: Record<string, unknown>;
  said(): string;
  end(): void;
};
export function startWebKit(): Promise<WebKitDriver>;
