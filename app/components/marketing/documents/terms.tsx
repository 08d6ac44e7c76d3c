import type { DocumentSection } from "~/components/marketing/document-page";

export const TERMS: readonly DocumentSection[] = [
  {
    id: "agreement",
    title: "The agreement",
    body: (
      <p>
        These terms are between the organisation that uses PayeeProof (&ldquo;you&rdquo;) and the operator of PayeeProof
        (&ldquo;we&rdquo;). Whoever registers an organisation confirms that they may agree to them on its behalf. If an
        order or contract signed by both of us says otherwise, it goes before these terms.
      </p>
    ),
  },
  {
    id: "service",
    title: "The service",
    body: (
      <p>
        PayeeProof compares the bank details of payees with other sources, holds payments you record when a rule says
        so, and keeps a record. It does not hold or move money and is not a payment service. A check tells what a source
        said at a moment; it is not a promise that a payee is honest or that an account still exists tomorrow. The
        decision to pay is yours.
      </p>
    ),
  },
  {
    id: "accounts",
    title: "Accounts and people",
    body: (
      <p>
        Each person has an account of their own and keeps the password to themselves. Your admins decide who belongs to
        your organisation and remove people who leave. What is done with an account of your people counts as done by
        you, unless we caused it.
      </p>
    ),
  },
  {
    id: "price",
    title: "Price, trial and ending",
    body: (
      <ul>
        <li>
          A new organisation may try everything for 14 days without a card. After that new verifications, payments and
          bank checks need a subscription.
        </li>
        <li>The plan costs A$500.00 per month including GST, charged in advance for each month.</li>
        <li>
          You may cancel at any time. The service continues to the end of the month you paid for. Reading, correcting
          and exporting what exists keeps working afterwards.
        </li>
        <li>We tell you about a new price at least 30 days before it applies, so that you can leave instead.</li>
      </ul>
    ),
  },
  {
    id: "your-part",
    title: "Your part",
    body: (
      <ul>
        <li>Enter only details of payees that you have a reason to pay, and may lawfully give to us.</li>
        <li>
          Use checks to verify payees, not to find out who holds an account. Banks and data providers forbid it, and so
          do we.
        </li>
        <li>Do not test other people&rsquo;s accounts, overload the service, or get around its limits.</li>
        <li>Tell us when you believe that somebody else has used an account of yours.</li>
      </ul>
    ),
  },
  {
    id: "data",
    title: "Your data",
    body: (
      <p>
        What you enter stays yours. We use it to provide the service, as the <a href="/privacy">privacy policy</a> says.
        If you choose to vouch for an account, other organisations may see that one more organisation trusts it, never
        that it is you. You can export your audit trail at any time.
      </p>
    ),
  },
  {
    id: "availability",
    title: "Availability and changes",
    body: (
      <p>
        We work to keep the service running and say so when it is not; we do not promise that it never stops. We may
        change it, and tell you beforehand if something you rely on goes away. We may suspend an account that endangers
        others, and tell you why.
      </p>
    ),
  },
  {
    id: "liability",
    title: "Guarantees and liability",
    body: (
      <>
        <p>
          Nothing in these terms excludes, restricts or changes a guarantee, right or remedy that the Australian
          Consumer Law or another law gives you and that cannot be excluded.
        </p>
        <p>
          Beyond that, and as far as the law allows, neither of us is liable to the other for indirect loss, and our
          liability for everything that arises in a year is limited to what you paid us in that year. Where the law lets
          us choose the remedy for a service, it is supplying the service again or paying for that.
        </p>
      </>
    ),
  },
  {
    id: "law",
    title: "Law and changes to these terms",
    body: (
      <p>
        The law of the Australian state or territory in which we have our registered office applies, and its courts
        decide. When these terms change we tell your admins at least 30 days before, and you may cancel instead of
        accepting.
      </p>
    ),
  },
];
