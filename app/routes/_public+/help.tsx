import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { HELP } from "~/components/marketing/documents/help";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: sitePaths.help,
    title: "Help",
    description:
      "How to do each task in PayeeProof: accounts, payees, bank checks, reviews, held payments and the audit trail.",
  });

export default function Help() {
  return (
    <DocumentPage
      banner={{
        title: "Help",
        intro: "How to do each task in PayeeProof, in the order you will need them.",
        entry: {
          given: { label: "What you type", value: "062 000" },
          held: { label: "What we understand", value: "062-000" },
          verdict: { tone: "verified", word: "Exact" },
        },
      }}
      sections={HELP}
    />
  );
}
