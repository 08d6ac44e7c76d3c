import type { ArticleSummary } from "~/components/marketing/blog/articles";
import type { Question } from "~/components/marketing/faq-content";
import { sitePaths } from "~/kernel/paths/site";

/** Data about us for search engines. Contains nothing that is not on the page. */
export const organizationData = (origin: string) => ({
  "@type": "Organization",
  "@id": `${origin}/#organization`,
  name: "PayeeProof",
  url: `${origin}/`,
  logo: `${origin}/icons/icon-512.png`,
  areaServed: "AU",
});

export const productData = (origin: string) => ({
  "@type": "Product",
  name: "PayeeProof",
  description: "Checks a payee's BSB, account number and account name before an Australian organisation pays.",
  image: `${origin}/social-card.png`,
  brand: { "@type": "Brand", name: "PayeeProof" },
  offers: {
    "@type": "Offer",
    url: `${origin}${sitePaths.pricing}`,
    price: "500.00",
    priceCurrency: "AUD",
    availability: "https://schema.org/InStock",
    priceSpecification: {
      "@type": "UnitPriceSpecification",
      price: "500.00",
      priceCurrency: "AUD",
      valueAddedTaxIncluded: true,
      billingDuration: 1,
      billingIncrement: 1,
      unitCode: "MON",
    },
  },
});

export const faqData = (questions: readonly Question[]) => ({
  "@type": "FAQPage",
  mainEntity: questions.map(({ question, answer }) => ({
    "@type": "Question",
    name: question,
    acceptedAnswer: { "@type": "Answer", text: answer.join(" ") },
  })),
});

export const articleData = (origin: string, article: ArticleSummary) => {
  const day = new Date(article.publishedAt).toISOString().slice(0, 10);
  const organization = { "@type": "Organization", name: "PayeeProof", url: `${origin}/` };
  return {
    "@type": "Article",
    headline: article.title,
    description: article.summary,
    datePublished: day,
    dateModified: day,
    inLanguage: "en-AU",
    mainEntityOfPage: `${origin}${sitePaths.article(article.slug)}`,
    image: `${origin}/social-card.png`,
    author: organization,
    publisher: organization,
  };
};
