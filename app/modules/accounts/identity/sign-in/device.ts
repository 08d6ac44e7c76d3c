import { ipv6Groups } from "~/kernel/ip-address";

/** What a session's browser and address tell a person. Pure. */

type Known = readonly [pattern: RegExp, name: string];

// The order matters: the text that most browsers send also names browsers further down.
const BROWSERS: readonly Known[] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\b(Headless)?Chrome\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const SYSTEMS: readonly Known[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (known: readonly Known[], text: string) => known.find(([pattern]) => pattern.test(text))?.[1];

/** A browser in a person's words: `Firefox on Windows`. */
export function describeDevice(userAgent: string | null): string {
  const text = userAgent ?? "";
  const [browser, system] = [nameIn(BROWSERS, text), nameIn(SYSTEMS, text)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system ? `A program on ${system}` : "An unknown program");
}

const V4_PARTS = 3;
const V6_PARTS = 3;

/** The network that an address belongs to, as far as it seldom changes: /24 of IPv4, /48 of IPv6. */
export function networkOf(ipAddress: string | null): string {
  if (!ipAddress) return "";
  if (!ipAddress.includes(":")) return ipAddress.split(".").slice(0, V4_PARTS).join(".");
  return ipv6Groups(ipAddress).slice(0, V6_PARTS).join(":");
}
