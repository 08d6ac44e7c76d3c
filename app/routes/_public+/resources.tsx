import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { CallBackScript, Checklist } from "~/components/marketing/documents/resources";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { sitePaths } from "~/kernel/paths/site";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: sitePaths.resources,
    title: "Resources",
    description: "A checklist for changed bank details and a call-back script, free to print and share.",
  });

export default function Resources() {
  return (
    <DocumentPage
      banner={{
        title: "Resources",
        intro:
          "A checklist for changed bank details and a call-back script. You may print, copy and change them. You do not need PayeeProof to use them.",
        note: "When you print this page, each sheet starts on a new page.",
      }}
      sheets
      sections={[
        { id: "checklist", title: "Checklist: a payee's bank details change", body: <Checklist /> },
        { id: "script", title: "Call-back script", body: <CallBackScript /> },
      ]}
    />
  );
}
