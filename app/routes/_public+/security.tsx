import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { SECURITY } from "~/components/marketing/documents/security";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: sitePaths.security,
    title: "Security",
    description: "How PayeeProof protects your data today, and how to check it yourself.",
  });

export default function Security() {
  return (
    <DocumentPage
      banner={{
        title: "Security",
        intro: "How PayeeProof protects your data today, how you can check it, and what we do not claim.",
        note: "Last checked against the product on 20 November 2026",
        entry: {
          given: { label: "Hash in the audit trail", value: "9f2c41…e07b" },
          held: { label: "Hash you computed", value: "9f2c41…e07b" },
          verdict: { tone: "verified", icon: "lock", word: "Intact" },
        },
      }}
      sections={SECURITY}
    />
  );
}
