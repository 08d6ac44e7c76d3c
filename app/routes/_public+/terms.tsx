import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { TERMS } from "~/components/marketing/documents/terms";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: "/terms",
    title: "Terms",
    description:
      "The terms of using PayeeProof, in plain English: service, price, your part, data, guarantees and liability.",
  });

export default function Terms() {
  return (
    <DocumentPage
      banner={{
        title: "Terms of service",
        intro: "In plain English, because you are expected to have read them.",
        note: "Valid from 20 November 2026",
        entry: {
          given: { label: "What we sell", value: "a second look" },
          held: { label: "Who decides to pay", value: "you" },
          verdict: { tone: "info", word: "Understood" },
        },
      }}
      sections={TERMS}
    />
  );
}
