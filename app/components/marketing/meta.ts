import type { LoaderFunction } from "@remix-run/cloudflare";
import type { MetaDescriptor, MetaFunction } from "@remix-run/react";
import { answersRefusal, ERROR_PREFIX, type TitledPage } from "~/components/layout/page-title";
import type { PageHandle } from "~/components/layout/root-data";
import { PUBLIC_HEADERS } from "~/kernel/public-headers";

const SITE = "PayeeProof";
const IMAGE = { path: "/social-card.png", width: "1200", height: "630" };
const IMAGE_TEXT = "PayeeProof: an invoice's account name above the bank's, the difference marked, the payment held.";

interface PublicPage<Loaded> {
  title: string;
  description: string;
  /** The page's canonical path, whatever the query: "/features". */
  path: string;
  type?: "website" | "article";
  /** JSON-LD, built from the loaded data and the site's origin. */
  structured?: (loaded: Loaded, origin: string) => readonly object[];
}

type MetaOf<Loader> = Parameters<MetaFunction<Loader>>[0];

/**
 * The exports of every public page besides its content. The page works as plain HTML and is sent without scripts; its
 * head has title, description, canonical address, social card and structured data.
 *
 * @param page or how it follows from what was loaded; undefined where there is no such page
 * @example export const { handle, headers, meta } = publicPage({ path: sitePaths.terms, title: "Terms", description:
 * "..." });
 */
export function publicPage<Loader extends LoaderFunction | unknown = unknown>(
  page:
    | PublicPage<MetaOf<Loader>["data"]>
    | ((loaded: MetaOf<Loader>["data"]) => PublicPage<MetaOf<Loader>["data"]> | undefined),
) {
  const handle: PageHandle = { scripts: false };
  const meta: MetaFunction<Loader> = (route) => {
    const shown = typeof page === "function" ? page(route.data) : page;
    return shown ? describe(shown, route.data, route) : [{ title: `Page not found · ${SITE}` }];
  };
  return { handle, headers: () => PUBLIC_HEADERS, meta };
}

function describe<Loaded>(
  { title, description, path, type = "website", structured }: PublicPage<Loaded>,
  loaded: Loaded,
  { matches, location }: TitledPage,
) {
  const origin = originOf(matches);
  const address = `${origin}${path}`;
  const properties = {
    "og:site_name": SITE,
    "og:locale": "en_AU",
    "og:type": type,
    "og:title": title,
    "og:description": description,
    "og:url": address,
    "og:image": `${origin}${IMAGE.path}`,
    "og:image:width": IMAGE.width,
    "og:image:height": IMAGE.height,
    "og:image:alt": IMAGE_TEXT,
  };
  const descriptors: MetaDescriptor[] = [
    {
      title:
        (answersRefusal({ matches, location }) ? ERROR_PREFIX : "") +
        (title.includes(SITE) ? title : `${title} · ${SITE}`),
    },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: address },
    ...Object.entries(properties).map(([property, content]) => ({ property, content })),
    { name: "twitter:card", content: "summary_large_image" },
  ];
  for (const data of structured?.(loaded, origin) ?? []) {
    descriptors.push({ "script:ld+json": { "@context": "https://schema.org", ...data } });
  }
  return descriptors;
}

function originOf(matches: TitledPage["matches"]): string {
  const root = matches.find((match) => match?.id === "root")?.data;
  return typeof root === "object" && root !== null && "origin" in root ? String(root.origin) : "";
}
