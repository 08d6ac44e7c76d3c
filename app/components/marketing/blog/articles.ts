export interface ArticleSummary {
  slug: string;
  title: string;
  /** One or two sentences for lists, feeds and search engines. */
  summary: string;
  /** Midnight in UTC of the day it was published, epoch milliseconds. */
  publishedAt: number;
  readingMinutes: number;
}

/** Every article, newest first. Its text is in the route's table of bodies. */
export const ARTICLES: readonly ArticleSummary[] = [
  {
    slug: "payment-redirection-fraud-in-australia",
    title: "The invoice was right, the account was not: payment redirection in Australia",
    summary:
      "How a real invoice comes to be paid to a stranger, what the figures and a court say, what Confirmation of Payee changes, and seven habits that stop it.",
    publishedAt: Date.UTC(2026, 10, 20),
    readingMinutes: 8,
  },
];

export const articlePath = (slug: string) => `/blog/${slug}`;
