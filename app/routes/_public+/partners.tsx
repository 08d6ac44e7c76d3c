import { DocumentPage, type DocumentSection } from "~/components/marketing/document-page";
import { publicPage } from "~/components/marketing/meta";
import { sitePaths } from "~/kernel/paths/site";

const PARTNERS: readonly DocumentSection[] = [
  {
    id: "accountants",
    title: "Accountants and bookkeepers",
    body: (
      <>
        <p>
          If you manage payments for several organisations, you can use one sign-in for all of them. Each organisation
          keeps its own payees, whitelist, policies and audit trail, and no data passes between them.
        </p>
        <p>Your client stays the owner of the account and can see everything you did in their audit trail.</p>
      </>
    ),
  },
  {
    id: "software",
    title: "Software companies",
    body: (
      <>
        <p>
          If your product holds supplier records or makes payment runs, it can check payees before it pays. The JSON API
          answers with a decision and its reasons, and calls can be repeated safely.
        </p>
        <p>
          Tell us which events you could send and what your users need to see. Choose &ldquo;Integration&rdquo; on the{" "}
          <a href={sitePaths.contact}>contact form</a>.
        </p>
      </>
    ),
  },
  {
    id: "educators",
    title: "Associations and trainers",
    body: (
      <p>
        The <a href={sitePaths.resources}>checklist and call-back script</a> are free to print and share, with or
        without our product. If you train finance staff and would like us to contribute, please{" "}
        <a href={sitePaths.contact}>contact us</a>.
      </p>
    ),
  },
  {
    id: "terms",
    title: "Commission",
    body: <p>We have no reseller scheme and pay no commission. If that changes, this page will state the terms.</p>,
  },
];

export const { handle, headers, meta } = publicPage({
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
