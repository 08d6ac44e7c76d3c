import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { TERMS } from "~/components/marketing/documents/terms";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: sitePaths.terms,
    title: "Terms",
    description: "The terms of using PayeeProof: service, price, your part, data, guarantees and liability.",
  });

export default function Terms() {
  return (
    <DocumentPage
      banner={{
        title: "Terms of service",
        intro: "The agreement between your organisation and the operator of PayeeProof.",
        note: "Valid from 20 November 2026",
      }}
      sections={TERMS}
    />
  );
}
