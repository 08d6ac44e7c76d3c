import type { DocumentSection } from "~/components/marketing/document-page";

export const PARTNERS: readonly DocumentSection[] = [
  {
    id: "accountants",
    title: "Accountants and bookkeepers",
    body: (
      <>
        <p>
          You look after the payments of several organisations. One sign-in can belong to all of them: each keeps its
          own payees, whitelist, policies and audit trail, and nothing passes from one to another.
        </p>
        <p>Your client stays the owner, and can see everything that you did in their audit trail.</p>
      </>
    ),
  },
  {
    id: "software",
    title: "Software makers",
    body: (
      <>
        <p>
          If your product holds supplier records or makes payment runs, it can ask before it pays. The JSON interface
          answers with a decision and its reasons, and repeating a call is safe.
        </p>
        <p>
          We would like to hear which events you can send us and what your users need to see. Choose
          &ldquo;Integration&rdquo; on the <a href="/contact">contact form</a>.
        </p>
      </>
    ),
  },
  {
    id: "educators",
    title: "Associations and educators",
    body: (
      <p>
        The <a href="/resources">checklist and call-back script</a> are free to print and hand out, with or without our
        product. If you run training for finance staff we are glad to contribute, and glad to be contradicted.
      </p>
    ),
  },
  {
    id: "plainly",
    title: "Plainly",
    body: (
      <p>
        There is no reseller scheme and no commission. We would rather be recommended because it worked. If that changes
        this page will say on what terms.
      </p>
    ),
  },
];
