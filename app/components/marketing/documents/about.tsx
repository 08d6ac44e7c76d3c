import type { DocumentSection } from "~/components/marketing/document-page";

export const ABOUT: readonly DocumentSection[] = [
  {
    id: "why",
    title: "Why we exist",
    body: (
      <>
        <p>
          Most money that organisations lose to fraud is not stolen from their bank. It is paid, by honest people, on
          time, for real invoices, to an account that belongs to somebody else. The invoice was right. The account was
          not.
        </p>
        <p>
          The decision that loses the money is made long before the bank is asked: when somebody changes six digits and
          a few more in a supplier&rsquo;s record because a mail said so. That is the moment we built PayeeProof for.
        </p>
      </>
    ),
  },
  {
    id: "what",
    title: "What we do",
    body: (
      <p>
        We check a payee&rsquo;s BSB, account number and account name before a payment is authorised: against your own
        whitelist, against what other organisations vouch for, and, with the payee&rsquo;s consent, at the payee&rsquo;s
        own bank. What does not add up is held until a person has decided. What was decided stays on record.
      </p>
    ),
  },
  {
    id: "how",
    title: "How we decide what to build",
    body: (
      <ul>
        <li>
          <strong>A person decides.</strong> A score is evidence. It is shown with its reasons, and people overrule it.
        </li>
        <li>
          <strong>&ldquo;Could not check&rdquo; is never &ldquo;failed&rdquo;.</strong> A bank that does not answer says
          nothing about a payee, and we do not pretend that it does.
        </li>
        <li>
          <strong>Nothing is claimed that cannot be checked.</strong> The <a href="/security">security page</a> says how
          to verify what it says.
        </li>
        <li>
          <strong>It works everywhere.</strong> Every journey works without JavaScript, by keyboard, at 320 pixels and
          in print.
        </li>
      </ul>
    ),
  },
  {
    id: "not",
    title: "What we are not",
    body: (
      <p>
        We are not a bank, we hold no money and move none, and we give no guarantee that a payee is honest. We tell you
        whether the details you are about to pay are the details that somebody trustworthy has confirmed.
      </p>
    ),
  },
];
