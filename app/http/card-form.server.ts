import { appPaths } from "~/kernel/paths/app";
import type { AppConfig } from "~/services";
import type { OtherSources } from "./security-headers.server";

/**
 * What the provider's card form needs (docs.stripe.com/security/guide#content-security-policy). The inventory with the
 * reason for each is docs/payment-page.json, and a test holds the two together.
 */
const PROVIDER: OtherSources = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connect: ["https://api.stripe.com"],
  img: ["https://*.stripe.com"],
};

/** Sources beyond our own, for the page with the card form and no other. */
export function cardFormSources(url: URL, { standInScript }: AppConfig["cardForm"]): OtherSources {
  if (url.pathname !== appPaths.subscription || !url.searchParams.has("pay")) return {};
  if (standInScript === null) return PROVIDER;
  const standIn = [new URL(standInScript).origin];
  return { script: standIn, frame: standIn, connect: standIn };
}
