import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { CAREERS } from "~/components/marketing/documents/careers";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: "/careers",
    title: "Careers",
    description: "Open positions at PayeeProof, how we work, and how to recognise a false offer in our name.",
  });

export default function Careers() {
  return (
    <DocumentPage
      banner={{
        title: "Work on something that stops a crime",
        intro: "A small product with a clear purpose, built slowly enough to be right.",
        entry: {
          given: { label: "Positions you saw elsewhere", value: "not ours" },
          held: { label: "Positions on this page", value: "none today" },
          verdict: { tone: "pending", word: "Check here first" },
        },
      }}
      sections={CAREERS}
    />
  );
}
