import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { PRIVACY } from "~/components/marketing/documents/privacy";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: sitePaths.privacy,
    title: "Privacy",
    description:
      "How PayeeProof handles personal information under the Australian Privacy Principles, including automated decisions and the Consumer Data Right.",
  });

export default function Privacy() {
  return (
    <DocumentPage
      banner={{
        title: "Privacy policy",
        intro: "What we hold, why, who else sees it, and which decisions a computer makes.",
        note: "Valid from 20 November 2026",
        entry: {
          given: { label: "Kept to compare", value: "062-000 1234 5678" },
          held: { label: "Shown in lists and emails", value: "••••• 678" },
          verdict: { tone: "info", icon: "eyeOff", word: "Masked" },
        },
      }}
      sections={PRIVACY}
    />
  );
}
