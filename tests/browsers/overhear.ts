import { text } from "node:stream/consumers";
import { type Choose, standBetween } from "../support/stand-between";

/**
 * A proxy that reports what the browser would log, because its driver does not. Each page gets a script before its own,
 * which reports errors, warnings, policy violations and hydration differences, and removes itself before the page is
 * hydrated. Policy violations are reported without scripts too.
 */
export async function overhear(app: string, chooseWay: Choose = () => ({})) {
  const trouble: string[] = [];
  const choose: Choose = (incoming) => {
    if (incoming.url !== REFUSED) return chooseWay(incoming);
    text(incoming).then((report) => trouble.push(`refused by the policy: ${report}`));
    return { isLost: true };
  };
  const between = await standBetween(app, choose, {
    policy: (stated) => `${stated}; report-uri ${REFUSED}`,
    page: (html, policy) => {
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
      return html.replace("<head>", `<head><script nonce="${nonce}">(${report})("${TOLD}")</script>`);
    },
    hear({ url = "", method }, status) {
      if (url.startsWith(TOLD)) trouble.push(decodeURIComponent(url.slice(TOLD.length)));
      else if (status >= 400) trouble.push(`${method} ${url}: ${status}`);
    },
  });
  return { ...between, trouble };
}

const TOLD = "/overheard?";
const REFUSED = "/overheard-policy";

/** Runs in the page. */
function report(told: string) {
  const say = (text: unknown) =>
    fetch(`${told}${encodeURIComponent(`${location.pathname}: ${text}`)}`, { keepalive: true });
  for (const level of ["error", "warn"] as const) {
    const print = console[level];
    console[level] = (...words) => {
      say(words.map(String).join(" "));
      print.apply(console, words);
    };
  }
  addEventListener("unhandledrejection", (event: Event & { reason?: unknown }) => say(`unhandled: ${event.reason}`));
  // The proxy itself sees files that fail to load.
  addEventListener("error", ({ message }) => say(message));
  document.currentScript?.remove();
}
