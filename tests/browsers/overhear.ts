import { text } from "node:stream/consumers";
import { type Choose, standBetween } from "../support/stand-between";

/**
 * A way to the app on which is heard what the browser would print: its driver tells nobody. Each page gets a script
 * before its own, which reports errors, warnings, refusals of the policy and hydration differences, and leaves the
 * document before the page's scripts compare it with what they draw. Refusals are told without scripts too.
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
  // A file that does not arrive is heard on its way.
  addEventListener("error", ({ message }) => say(message));
  document.currentScript?.remove();
}
