export interface ArticleSummary {
  slug: string;
  title: string;
  /** One or two sentences for lists, feeds and search engines. */
  summary: string;
  /** Midnight UTC of the publication day, in epoch milliseconds. */
  publishedAt: number;
  readingMinutes: number;
}

/** Every article, newest first. The route maps each slug to its text. */
export const ARTICLES: readonly ArticleSummary[] = [
  {
    slug: "payment-redirection-fraud-in-australia",
    title: "Payment redirection fraud in Australia",
    summary:
      "How real invoices are paid to criminals, what the figures and a court decision say, what Confirmation of Payee changes, and seven habits that prevent it.",
    publishedAt: Date.UTC(2026, 10, 20),
    readingMinutes: 8,
  },
];
