import { appPaths } from "~/kernel/paths/app";
import { linkPaths } from "~/kernel/paths/links";
import { folders } from "~/kernel/paths/site";
import type { AppConfig } from "~/services-and-actor";

/** Pages with a token in their address: a form post without JavaScript must still send its Origin. */
const TOKEN_PAGES = [
  linkPaths.payeeLink(""),
  linkPaths.resetPassword(""),
  linkPaths.confirmEmail(""),
  linkPaths.emailChange(""),
  linkPaths.invitation(""),
  linkPaths.reportMessage(""),
  `${folders.bankConsent}/`,
];

const POLICY = Object.entries({
  "Strict-Transport-Security": "max-age=63072000; includeSubDomains; preload",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy":
    "camera=(), geolocation=(), microphone=(), payment=(), usb=(), interest-cohort=(), publickey-credentials-get=(self), publickey-credentials-create=(self)",
});

/** The other origins that a page needs, by directive. */
export type OtherSources = Partial<Record<"script" | "frame" | "connect" | "img", readonly string[]>>;

/**
 * The content security policy of a page: scripts by nonce only, our own styles, fonts and images, and the other origins
 * that the card form's page needs. Scripts from other hosts run because ours loaded them; listing the hosts is for
 * browsers without `strict-dynamic`.
 */
export function contentSecurityPolicy(nonce: string, development: boolean, others: OtherSources = {}): string {
  const from = (directive: keyof OtherSources) => (others[directive] ?? []).map((source) => ` ${source}`).join("");
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${from("script")}`,
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data:${from("img")}`,
    `connect-src 'self'${development ? " ws://localhost:* ws://127.0.0.1:*" : ""}${from("connect")}`,
    ...(others.frame ? [`frame-src${from("frame")}`] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Adds the headers of every answer. Answers are private unless they say otherwise. */
export function addSecurityHeaders(request: Request, response: Response, requestId: string): Response {
  const answer = changeable(response);
  const { headers } = answer;
  const { pathname } = new URL(request.url);
  for (const [name, value] of POLICY) headers.set(name, value);
  const isTokenPage = TOKEN_PAGES.some((path) => pathname.startsWith(path));
  headers.set("Referrer-Policy", isTokenPage ? "same-origin" : "strict-origin-when-cross-origin");
  headers.set("X-Request-Id", requestId);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (!headers.has("Content-Security-Policy")) {
    headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }
  return answer;
}

/**
 * Returns the answer itself if its headers can be changed, because a copy would stream its text in pieces. Only answers
 * from another server, and redirects made by the runtime, have to be copied.
 */
function changeable(response: Response): Response {
  try {
    response.headers.delete("X-Request-Id");
    return response;
  } catch {
    return new Response(response.body, response);
  }
}

/**
 * The origins that the provider's card form needs (docs.stripe.com/security/guide#content-security-policy).
 * docs/payment-page.json lists the reason for each, and a test compares the two.
 */
const PROVIDER: OtherSources = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connect: ["https://api.stripe.com"],
  img: ["https://*.stripe.com"],
};

/** Further origins for the page with the card form only. */
export function cardFormSources(url: URL, { standInScript }: AppConfig["cardForm"]): OtherSources {
  if (url.pathname !== appPaths.subscription || !url.searchParams.has("pay")) return {};
  if (standInScript === null) return PROVIDER;
  const standIn = [new URL(standInScript).origin];
  return { script: standIn, frame: standIn, connect: standIn };
}
