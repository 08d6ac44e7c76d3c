import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { ABOUT } from "~/components/marketing/documents/about";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: sitePaths.about,
    title: "About",
    description: "Why PayeeProof exists, what it does, and what it is not.",
  });

export default function About() {
  return (
    <DocumentPage
      banner={{
        title: "About PayeeProof",
        intro: "PayeeProof is a payment-fraud prevention service for Australian businesses and organisations.",
      }}
      sections={ABOUT}
    />
  );
}
