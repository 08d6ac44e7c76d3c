import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { PARTNERS } from "~/components/marketing/documents/partners";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: "/partners",
    title: "Partners",
    description: "For accountants, bookkeepers, software makers and educators who want fewer redirected payments.",
  });

export default function Partners() {
  return (
    <DocumentPage
      banner={{
        title: "For people who look after other people's payments",
        intro: "Accountants, bookkeepers, software makers, associations: where we are useful to each other.",
        entry: {
          given: { label: "Your clients' payees", value: "kept apart" },
          held: { label: "Your sign-in", value: "one for all of them" },
          verdict: { tone: "verified", word: "Both true" },
        },
      }}
      sections={PARTNERS}
    />
  );
}
