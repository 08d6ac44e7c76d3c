import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { ABOUT } from "~/components/marketing/documents/about";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: "/about",
    title: "About",
    description: "Why PayeeProof exists, what it does, and what it is not.",
  });

export default function About() {
  return (
    <DocumentPage
      banner={{
        title: "The invoice was right. The account was not.",
        intro: "That sentence is the whole problem. PayeeProof is the second look that it takes.",
        entry: {
          given: { label: "Paid because", value: "the mail said so" },
          held: { label: "Should be paid because", value: "somebody checked" },
          verdict: { tone: "review", word: "Different" },
        },
      }}
      sections={ABOUT}
    />
  );
}
