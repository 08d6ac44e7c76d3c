import type { MetaFunction } from "@remix-run/cloudflare";
import type { PageHandle } from "~/components/layout/page-handle";
import { DocumentPage } from "~/components/marketing/document-page";
import { CallBackScript, Checklist } from "~/components/marketing/documents/resources";
import { publicMeta } from "~/components/marketing/meta";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction = ({ matches }) =>
  publicMeta({
    matches,
    path: "/resources",
    title: "Resources",
    description:
      "A checklist for changed bank details and a call-back script for the telephone, free to print and hand out.",
  });

export default function Resources() {
  return (
    <DocumentPage
      banner={{
        title: "Two sheets for the desk",
        intro: "Free to print, copy and change. They work without our product; they are also what we would do by hand.",
        note: "Print this page: each sheet starts on a page of its own.",
        entry: {
          given: { label: "Time the call takes", value: "two minutes" },
          held: { label: "Time a recall takes", value: "weeks, if it works" },
          verdict: { tone: "pending", word: "Call first" },
        },
      }}
      sheets
      sections={[
        { id: "checklist", title: "Checklist: a payee's bank details change", body: <Checklist /> },
        { id: "script", title: "Call-back script", body: <CallBackScript /> },
      ]}
    />
  );
}
