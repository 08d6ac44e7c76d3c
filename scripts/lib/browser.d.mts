import type { Browser } from "playwright-core";

/** The path of a browser that can be started. @throws Error when there is none */
export declare function findBrowser(): Promise<string>;
export declare function launchBrowser(options?: { showScrollBars?: boolean }): Promise<Browser>;
export declare function launchFirefox(executablePath?: string): Promise<Browser>;
