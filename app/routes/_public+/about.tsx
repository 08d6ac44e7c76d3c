import { DocumentPage, type DocumentSection } from "~/components/marketing/document-page";
import { publicPage } from "~/components/marketing/meta";
import { LegalLine } from "~/components/marketing/prose";
import { sitePaths } from "~/kernel/paths/site";

const ABOUT: readonly DocumentSection[] = [
  {
    id: "why",
    title: "Why we built it",
    body: (
      <>
        <p>
          In payment redirection fraud an organisation pays a real invoice to the wrong account. A criminal who can read
          or imitate a supplier&rsquo;s email sends new bank details, an employee updates the supplier&rsquo;s record,
          and the next payment goes to the criminal.
        </p>
        <p>
          The mistake is made when the record is changed, often weeks before the payment. PayeeProof checks the details
          at that moment, and again before each payment.
        </p>
      </>
    ),
  },
  {
    id: "what",
    title: "What we do",
    body: (
      <p>
        We check a payee&rsquo;s BSB, account number and account name before a payment is authorised. We compare them
        with your own whitelist, with what other organisations have confirmed about the account, and with the answer
        from the payee&rsquo;s bank. A flagged payment is held until a person decides, and every decision stays on
        record.
      </p>
    ),
  },
  {
    id: "how",
    title: "How we build it",
    body: (
      <ul>
        <li>
          <strong>A person decides.</strong> A match score is evidence. It is shown with its reasons, and a reviewer
          makes the decision.
        </li>
        <li>
          <strong>&ldquo;Could not check&rdquo; is not &ldquo;failed&rdquo;.</strong> If a bank does not answer, we say
          so. It tells you nothing about the payee.
        </li>
        <li>
          <strong>You can check what we claim.</strong> The <a href={sitePaths.security}>security page</a> explains how.
        </li>
        <li>
          <strong>Everyone can use it.</strong> It works without JavaScript, with a keyboard, on a small screen and in
          print.
        </li>
      </ul>
    ),
  },
  {
    id: "not",
    title: "What we are not",
    body: (
      <>
        <p>
          We are not a bank. We do not hold or move money, and we do not guarantee that a payee is honest. We tell you
          whether the details you are about to pay have been confirmed, and by whom.
        </p>
        <LegalLine />
      </>
    ),
  },
];

export const { handle, headers, meta } = publicPage({
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
