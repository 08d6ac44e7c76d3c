import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { CAREERS } from "~/components/marketing/documents/careers";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: sitePaths.careers,
    title: "Careers",
    description: "Open positions at PayeeProof, and how to recognise a false job offer in our name.",
  });

export default function Careers() {
  return (
    <DocumentPage
      banner={{
        title: "Careers",
        intro: "Open positions, and how to recognise a false job offer in our name.",
      }}
      sections={CAREERS}
    />
  );
}
