import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { PARTNERS } from "~/components/marketing/documents/partners";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: sitePaths.partners,
    title: "Partners",
    description:
      "For accountants, bookkeepers, software companies and associations that want to prevent redirected payments.",
  });

export default function Partners() {
  return (
    <DocumentPage
      banner={{
        title: "Partners",
        intro: "For accountants, bookkeepers, software companies and associations.",
      }}
      sections={PARTNERS}
    />
  );
}
