import { existsSync, readFileSync } from "node:fs";
import type { ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router-dom/server";
import { expect, test } from "vitest";
import { apiSurroundings } from "~/api/calls.server";
import { apiGuide } from "~/api/reference.server";
import { ARTICLES } from "~/components/marketing/blog/articles";
import { QUESTIONS } from "~/components/marketing/faq-content";
import { DEMO_PAYEE, FEATURES, SITUATIONS, STEPS } from "~/components/marketing/home-content";
import { TRIAL_EXAMPLES } from "~/components/marketing/name-trial";
import { formatAud } from "~/kernel/money";
import { sitePaths } from "~/kernel/paths/site";
import { CLOSED_KEPT_YEARS, INVOICES_KEPT_MONTHS, LINKS_KEPT_DAYS } from "~/kernel/retention";
import { PLAN } from "~/modules/accounts/billing/subscription";
import { comparePair } from "~/modules/name-match/name-pair.server";
import Home from "~/routes/_public+/_index";
import About from "~/routes/_public+/about";
import ApiDocs from "~/routes/_public+/api.docs";
import Blog from "~/routes/_public+/blog";
import Article from "~/routes/_public+/blog_.$slug";
import Careers from "~/routes/_public+/careers";
import Contact from "~/routes/_public+/contact";
import Faq from "~/routes/_public+/faq";
import Features from "~/routes/_public+/features";
import Help from "~/routes/_public+/help";
import HowItWorks from "~/routes/_public+/how-it-works";
import NameMatching from "~/routes/_public+/name-matching";
import Partners from "~/routes/_public+/partners";
import Pricing from "~/routes/_public+/pricing";
import Privacy from "~/routes/_public+/privacy";
import Resources from "~/routes/_public+/resources";
import Security from "~/routes/_public+/security";
import Terms from "~/routes/_public+/terms";
import { CLAIMS } from "./claims";

/**
 * Every statement on the public pages must be backed by a test or a constant. A new sentence fails here until
 * `claims.ts` names its backing, and a sentence fails if its backing no longer exists.
 */

const pair = comparePair(TRIAL_EXAMPLES[0]);
const home = {
  match: pair.match,
  details: { phone: "", email: "", office: [], address: [] },
  features: FEATURES,
  steps: STEPS,
  payee: DEMO_PAYEE,
  step: 3,
  situations: SITUATIONS,
  questions: QUESTIONS,
};

const PAGES: Readonly<Record<string, [ComponentType, object | null]>> = {
  [sitePaths.home]: [Home, home],
  [sitePaths.features]: [Features, pair],
  [sitePaths.howItWorks]: [HowItWorks, home],
  [sitePaths.pricing]: [Pricing, home],
  [sitePaths.faq]: [Faq, home],
  [sitePaths.help]: [Help, null],
  [sitePaths.security]: [Security, null],
  [sitePaths.about]: [About, null],
  [sitePaths.careers]: [Careers, null],
  [sitePaths.partners]: [Partners, null],
  [sitePaths.terms]: [Terms, null],
  [sitePaths.privacy]: [Privacy, null],
  [sitePaths.contact]: [Contact, home],
  [sitePaths.resources]: [Resources, null],
  [sitePaths.nameMatching]: [NameMatching, pair],
  [sitePaths.blog]: [Blog, null],
  ...Object.fromEntries(ARTICLES.map((article) => [`${sitePaths.blog}/${article.slug}`, [Article, article]] as const)),
  [sitePaths.apiDocs]: [ApiDocs, apiGuide(apiSurroundings({ appOrigin: "https://payeeproof.example" }))],
};

async function htmlOf(path: string, [Page, data]: [ComponentType, object | null]): Promise<string> {
  const routes = [{ id: "page", path, element: <Page />, loader: () => data }];
  const handler = createStaticHandler(routes);
  const context = await handler.query(new Request(`https://payeeproof.example${path}`));
  if (context instanceof Response) throw new Error(`${path} leads elsewhere`);
  const router = createStaticRouter(handler.dataRoutes, context);
  return renderToStaticMarkup(<StaticRouterProvider router={router} context={context} hydrate={false} />);
}

const MARKS: Readonly<Record<string, string>> = { "&#x27;": "'", "&quot;": '"', "&amp;": "&" };

/** A call as the guide lists it: its name and its address, from its declaration. */
const CALL = / (?:GET|POST|PATCH|PUT|DELETE) \/api\//;

/**
 * Blocks of words: sentences, and what is longer than a label. Illustrations, forms and menus say nothing of the product; tables
 * of measured figures and lists of calls are drawn from what was measured and declared (`comparison.test.tsx`, `tests/api`).
 */
const blocksOf = (html: string): string[] =>
  html
    .replace(/<(figure|form|nav|svg|button|pre|table)\b.*?<\/\1>/gs, " ")
    .replace(/<\/?(?:p|li|dd|dt|h\d|div|section|ul|ol|dl|details|summary|br)\b[^>]*>/g, "\n")
    .replace(/<[^>]+>/g, "")
    .replace(/&(?:#x27|quot|amp);/g, (mark) => MARKS[mark] ?? mark)
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => (/[.:]$/.test(line) || line.split(" ").length > 5) && !CALL.test(line));

const said = new Set(PLAN.includes.map(({ text, note }) => `${text}${note ?? ""}`));
for (const [path, page] of Object.entries(PAGES))
  for (const block of blocksOf(await htmlOf(path, page))) said.add(block);
const listed = CLAIMS.flatMap(({ says }) => says);

test("every claim on a public page is in the list, and the list has no other", () => {
  expect([...said].filter((block) => !listed.includes(block))).toEqual([]);
  expect(listed.filter((block) => !said.has(block))).toEqual([]);
  expect(listed).toHaveLength(new Set(listed).size);
});

test.each(CLAIMS.flatMap(({ held }) => (typeof held === "string" ? [] : held)))(
  "what holds a claim exists: %s",
  (held) => {
    const [file = "", text = ""] = held.split(" :: ");
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, "utf8").includes(text), `${file} says nowhere "${text}"`).toBe(true);
  },
);

/** Periods on the privacy page that are no retention. */
const TIMES_OF_OTHERS: Readonly<Record<string, string>> = {
  "30 days": "the time in which people answer a request, under the Privacy Act",
};

test("every time that the privacy policy names is a constant that a schedule keeps to, or is no retention of ours", async () => {
  const html = await htmlOf(sitePaths.privacy, [Privacy, null]);
  const text = blocksOf(html)
    .join("\n")
    .replace(/1 \w+ \d{4}/g, "");
  const named = new Set(text.match(/\b\d+ (?:minutes?|hours?|days?|weeks?|months?|years?)\b/g));
  const ours = [`${LINKS_KEPT_DAYS} days`, `${INVOICES_KEPT_MONTHS} months`, `${CLOSED_KEPT_YEARS} years`];
  expect(named).toEqual(new Set([...ours, ...Object.keys(TIMES_OF_OTHERS)]));
});

test("the price on the pages is the plan's", () => {
  const sums = [...said].flatMap((block) => block.match(/A\$[\d,.]*\d/g) ?? []);
  expect(new Set(sums)).toEqual(new Set([`A${formatAud(PLAN.amount)}`, "A$10,000"]));
});
