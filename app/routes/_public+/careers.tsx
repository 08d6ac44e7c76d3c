import { DocumentPage, type DocumentSection } from "~/components/marketing/document-page";
import { publicPage } from "~/components/marketing/meta";
import { sitePaths } from "~/kernel/paths/site";

const CAREERS: readonly DocumentSection[] = [
  {
    id: "open",
    title: "Open positions",
    body: (
      <>
        <p>There are no open positions at the moment. New positions are published on this page, with the salary.</p>
        <p>
          You can send us an expression of interest through the <a href={sitePaths.contact}>contact form</a>. Choose
          &ldquo;Something else&rdquo; and tell us what you would like to work on.
        </p>
      </>
    ),
  },
  {
    id: "work",
    title: "How we work",
    body: (
      <ul>
        <li>We finish small pieces of work: tested, documented and easy to read.</li>
        <li>
          We deliberately break the rules that decide about payments, line by line, to see whether a test notices.
        </li>
        <li>We write down our decisions and the reasons for them.</li>
      </ul>
    ),
  },
  {
    id: "false-offers",
    title: "False job offers in our name",
    body: (
      <p>
        We never ask an applicant for money, for bank details before a contract, or to receive and forward payments. A
        job offer that asks for any of these is not from us. Please report it to{" "}
        <a href="https://www.scamwatch.gov.au/">Scamwatch</a> and tell us.
      </p>
    ),
  },
];

export const { handle, headers, meta } = publicPage({
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
