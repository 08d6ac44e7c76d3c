import type { MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ComponentType } from "react";
import type { PageHandle } from "~/components/layout/page-handle";
import { ARTICLES } from "~/components/marketing/blog/articles";
import { PaymentRedirection } from "~/components/marketing/blog/payment-redirection";
import { CallToAction } from "~/components/marketing/call-to-action";
import { publicMeta } from "~/components/marketing/meta";
import { PageBanner } from "~/components/marketing/page-banner";
import { Prose } from "~/components/marketing/prose";
import { articleData } from "~/components/marketing/structured-data";
import { page } from "~/http/page.server";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { notFound } from "~/kernel/app-error";
import { formatDate } from "~/kernel/dates";
import { sitePaths } from "~/kernel/paths/site";

const BODIES: Readonly<Record<string, ComponentType>> = {
  "payment-redirection-fraud-in-australia": PaymentRedirection,
};

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction<typeof loader> = ({ matches, data: article }) => {
  if (!article) return [{ title: "Page not found · PayeeProof" }];
  const { slug, title, summary } = article;
  const path = sitePaths.article(slug);
  const structured = (origin: string) => [articleData(origin, article)];
  return publicMeta({ matches, path, title, description: summary, type: "article", structured });
};

export const loader = /* @__PURE__ */ page(async ({ params }) => {
  const article = ARTICLES.find((candidate) => candidate.slug === params.slug);
  if (!article) throw notFound();
  return article;
});

export default function Article() {
  const { slug, title, summary, publishedAt, readingMinutes } = useLoaderData<typeof loader>();
  const Body = BODIES[slug];
  return (
    <>
      <article>
        <PageBanner title={title} intro={summary} note={`${formatDate(publishedAt)} · ${readingMinutes} minute read`} />
        <div className="mx-auto max-w-6xl px-4 py-10 sm:px-6 sm:py-14">
          <Prose className="mx-auto">{Body && <Body />}</Prose>
        </div>
      </article>
      <CallToAction
        title="Check your payees before the next pay run."
        text="See the four steps from an invoice to an authorised payment."
        action={{ label: "See how it works", to: sitePaths.howItWorks }}
      />
    </>
  );
}
