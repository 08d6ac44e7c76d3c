import path from "node:path";
import { expect } from "vitest";
import { apiClient } from "../support/api-client";
import { confirmAddressByCall, linkFromMail, newTag, PASSWORD, type Place } from "../support/journey";
import { findCovered } from "../support/presses";
import { makeOffice } from "./an-office";

/**
 * Every page in a window of any browser: what is drawn is what a press reaches, and nothing is wider than the window, on a
 * desk, a small screen, a tablet and a phone.
 */
export const WIDTHS = [1_440, 1_024, 834, 390];
export const HEIGHT = 900;
export const KEPT = path.resolve(import.meta.dirname, "../../screenshots/browsers");

/** Kept as pictures, for a look. */
const PICTURES = {
  signedOut: ["/", "/pricing", "/help", "/auth"],
  signedIn: ["/dashboard", "/payees", "/payments", "/payments/files", "/settings", "/verifications/:id"],
};
const PICTURED = [...PICTURES.signedOut, ...PICTURES.signedIn];

/** A window of a browser, opened at the app. */
type Looking = {
  /** The widths to look at, the one of the pictures first. */
  widths: readonly number[];
  visit(path: string): Promise<unknown>;
  run<R>(script: () => R): Promise<R>;
  resize(width: number): Promise<unknown>;
  /** Keeps what the window shows under this name. */
  keep(name: string): Promise<unknown>;
};

/** Pages that no link of the product leads to, or that one leads to only later. */
const MORE_PAGES = ["/dashboard", "/payees/verify", "/payments/new", "/profile/two-step", "/profile/tokens", "/logout"];
const SIGNED_OUT = ["/auth?tab=register", "/verify/unknown", "/certificates/unknown?hash=none"];

/** Somebody's office, and the pages that are there for somebody who has not signed in: the site map, and a payee's link. */
export async function openSite(place: Place) {
  const tag = newTag();
  const email = `sam@${tag}.example`;
  await makeOffice(place.origin, email);
  const client = apiClient(place.origin);
  expect((await client.post("/api/login", { email, password: PASSWORD })).status).toBe(200);
  await confirmAddressByCall(client, place, email);
  const to = `pay@${tag}.example`;
  const payee = { name: "Kestrel Glass", accountName: "Kestrel Glass Pty Ltd", bsb: "062000", email: to };
  const { body } = await client.post("/api/payees", { ...payee, accountNumber: "70000123" });
  await client.post(`/api/verifications/${body.verification.id}/send-link`, { channel: "email" });
  const link = new URL(await linkFromMail(place, to, "/verify/"));
  const map = await (await fetch(`${place.origin}/sitemap.xml`)).text();
  const listed = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => new URL(address).pathname);
  expect(listed.length).toBeGreaterThan(20);
  return {
    email,
    whole: { signedOut: [...listed, ...SIGNED_OUT, link.pathname + link.search], signedIn: MORE_PAGES },
    pictured: {
      ...PICTURES,
      signedIn: PICTURES.signedIn.map((address) => address.replace(":id", body.verification.id)),
    },
  };
}

/** One page stands for all of its kind: a payee for the payees. */
const kindOf = (address: string) => address.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id");

/** Not a file, not a call, and not a page that leads on to another server by itself. */
const isPage = (address: string) => !/^\/(api\/(?!docs)|assets|build)|\/connect$|\.\w{2,4}$/.test(address);

/** In the page: where its links lead. */
const findLinks = () =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]:not([download]):not([target])')].map(
    ({ pathname }) => pathname,
  );

/**
 * Looks at pages, and at those that they lead to.
 * @returns what is wrong, a line each, and which pages were looked at
 */
export async function lookAt(window: Looking, starts: readonly string[], { follow }: { follow: boolean }) {
  const seen = new Set<string>();
  const problems: string[] = [];
  const waiting = [...starts];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const kind = kindOf(address);
    if (seen.has(kind) || !isPage(address)) continue;
    seen.add(kind);
    const found = await lookAtPage(window, address, kind).catch((cause) => {
      throw new Error(`${address}: ${cause}`, { cause });
    });
    problems.push(...found);
    if (follow) waiting.push(...(await window.run(findLinks)));
  }
  return { problems, pages: [...seen] };
}

async function lookAtPage(window: Looking, address: string, kind: string): Promise<string[]> {
  const problems: string[] = [];
  await window.visit(address);
  for (const width of window.widths) {
    await window.resize(width);
    if (width === window.widths[0] && PICTURED.includes(kind))
      await window.keep(kind.slice(1).replace(/\W+/g, "-") || "home");
    const wide = await window.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    const found = [...(await window.run(findCovered)), ...(await window.run(findStrayBars))];
    if (wide > 0) found.push(`${wide} px too wide`);
    problems.push(...found.map((problem) => `${kind} at ${width} px: ${problem}`));
  }
  return problems;
}

/** In the page: what has a vertical scroll bar of its own although it is drawn as high as what it holds. */
function findStrayBars(): string[] {
  return [...document.querySelectorAll<HTMLElement>("body *:not(textarea):not(select)")].flatMap((element) => {
    const { overflowY, maxHeight, borderLeftWidth, borderRightWidth } = getComputedStyle(element);
    // A list that may be longer than the window has a bar on purpose.
    if ((overflowY !== "auto" && overflowY !== "scroll") || maxHeight !== "none") return [];
    const borders = Number.parseFloat(borderLeftWidth) + Number.parseFloat(borderRightWidth);
    const bar = element.offsetWidth - element.clientWidth - borders;
    const over = element.scrollHeight - element.clientHeight;
    return bar > 2 || over > 0
      ? [`${element.tagName} ${element.className.slice(0, 40)}: a bar of ${bar} px for ${over} px`]
      : [];
  });
}
