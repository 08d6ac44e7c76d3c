import type { LinksFunction } from "@remix-run/cloudflare";
import { Link } from "@remix-run/react";
import { ARTICLES } from "~/components/marketing/blog/articles";
import { publicPage } from "~/components/marketing/meta";
import { Differing, PageBanner } from "~/components/marketing/page-banner";
import { formatDate } from "~/kernel/dates";
import { sitePaths } from "~/kernel/paths/site";

export const links: LinksFunction = () => [
  { rel: "alternate", type: "application/rss+xml", title: "PayeeProof blog", href: sitePaths.blogFeed },
];

export const { handle, headers, meta } = publicPage({
  path: sitePaths.blog,
  title: "Blog",
  description: "Articles on payment redirection fraud and supplier records in Australia, with sources.",
});

const ENTRY = {
  given: {
    label: "Sender today",
    value: (
      <>
        accounts@harb<Differing>0</Differing>urfoods.example
      </>
    ),
  },
  held: {
    label: "Sender last month",
    value: (
      <>
        accounts@harb<Differing>o</Differing>urfoods.example
      </>
    ),
  },
  verdict: { tone: "review", word: "One letter differs" },
} as const;

export default function Blog() {
  return (
    <>
      <PageBanner
        title="Blog"
        intro="Articles on payment redirection and supplier records, with sources."
        entry={ENTRY}
      />
      <div className="mx-auto max-w-6xl px-4 py-12 sm:px-6 sm:py-16">
        <ul className="max-w-[46rem] divide-y divide-line border-line border-y">
          {ARTICLES.map((article) => (
            <li key={article.slug} className="group relative py-8">
              <p className="figures text-ink-soft text-sm">
                {formatDate(article.publishedAt)} · {article.readingMinutes} minute read
              </p>
              <h2 className="display mt-2 text-2xl">
                <Link
                  to={sitePaths.article(article.slug)}
                  className="rounded-base after:absolute after:inset-0 group-hover:text-accent-text"
                >
                  {article.title}
                </Link>
              </h2>
              <p className="mt-2 text-ink-soft text-md">{article.summary}</p>
            </li>
          ))}
        </ul>
        <p className="mt-6 text-base">
          <a href={sitePaths.blogFeed} className="text-accent-text underline underline-offset-2">
            Subscribe by RSS
          </a>
        </p>
      </div>
    </>
  );
}
