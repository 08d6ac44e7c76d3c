import type { MetaDescriptor } from "@remix-run/react";
import { answersRefusal, ERROR_PREFIX, type TitledPage } from "~/components/layout/page-title";

const SITE = "PayeeProof";
const IMAGE = { path: "/social-card.png", width: "1200", height: "630" };
const IMAGE_TEXT = "PayeeProof: an invoice's account name above the bank's, the difference marked, the payment held.";

interface PublicPage {
  title: string;
  description: string;
  /** The page's one address, whatever the query says: "/features". */
  path: string;
  /** The meta function's own; the root's data knows where the site lives. */
  matches: TitledPage["matches"];
  /** The meta function's own, for a page with a form: its title tells of a refused post. */
  location?: TitledPage["location"];
  type?: "website" | "article";
  /** JSON-LD, made with the site's origin. */
  structured?: (origin: string) => readonly object[];
}

/** Title, description, canonical address, social card and structured data of a public page. */
export function publicMeta({ title, description, path, matches, location, type = "website", structured }: PublicPage) {
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
        (location && answersRefusal({ matches, location }) ? ERROR_PREFIX : "") +
        (title.includes(SITE) ? title : `${title} · ${SITE}`),
    },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: address },
    ...Object.entries(properties).map(([property, content]) => ({ property, content })),
    { name: "twitter:card", content: "summary_large_image" },
  ];
  for (const data of structured?.(origin) ?? []) {
    descriptors.push({ "script:ld+json": { "@context": "https://schema.org", ...data } });
  }
  return descriptors;
}

function originOf(matches: PublicPage["matches"]): string {
  const root = matches.find((match) => match?.id === "root")?.data;
  return typeof root === "object" && root !== null && "origin" in root ? String(root.origin) : "";
}
