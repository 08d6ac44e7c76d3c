import { DocumentPage, type DocumentSection } from "~/components/marketing/document-page";
import { publicPage } from "~/components/marketing/meta";
import { LegalLine } from "~/components/marketing/prose";
import { StatedLimits } from "~/components/marketing/stated-limits";
import { sitePaths } from "~/kernel/paths/site";

const TERMS: readonly DocumentSection[] = [
  {
    id: "agreement",
    title: "The agreement",
    body: (
      <>
        <p>
          These terms are between the organisation that uses PayeeProof (&ldquo;you&rdquo;) and the operator of
          PayeeProof (&ldquo;we&rdquo;). The person who registers an organisation confirms that they may agree to these
          terms on its behalf. An order or contract signed by both of us takes precedence over these terms.
        </p>
        <LegalLine />
      </>
    ),
  },
  {
    id: "service",
    title: "The service",
    body: (
      <p>
        PayeeProof compares the bank details of payees with other sources, holds recorded payments according to rules,
        and keeps a record. It does not hold or move money and is not a payment service. A check shows what a source
        said at a point in time. It does not guarantee that a payee is honest or that an account will stay open. You
        decide whether to pay.
      </p>
    ),
  },
  {
    id: "accounts",
    title: "Accounts and people",
    body: (
      <p>
        Each person has their own account and must keep the password secret. Your administrators decide who belongs to
        your organisation and remove people who leave. You are responsible for what is done with your people&rsquo;s
        accounts, unless we caused it.
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
          You may cancel at any time. The service continues to the end of the month you paid for. You can still read,
          correct and export your records afterwards.
        </li>
        <li>We tell you about a new price at least 30 days before it applies, so that you can cancel first.</li>
      </ul>
    ),
  },
  {
    id: "limits",
    title: "Limits",
    body: (
      <>
        <p>
          You may have any number of people, payees, verifications and payments. These limits keep the service from
          being misused against people outside it:
        </p>
        <StatedLimits />
      </>
    ),
  },
  {
    id: "your-part",
    title: "Your responsibilities",
    body: (
      <ul>
        <li>Enter only details of payees that you have a reason to pay, and may lawfully give to us.</li>
        <li>
          Use checks only to verify payees, not to find out who holds an account. Banks and data providers forbid that,
          and so do we.
        </li>
        <li>Do not test other people&rsquo;s accounts, overload the service or bypass its limits.</li>
        <li>Tell us if you believe that another person has used one of your accounts.</li>
      </ul>
    ),
  },
  {
    id: "data",
    title: "Your data",
    body: (
      <p>
        What you enter stays yours. We use it to provide the service, as the{" "}
        <a href={sitePaths.privacy}>privacy policy</a> says. If you choose to vouch for an account, other organisations
        may see that one more organisation trusts it. They never see that it is you. You can export your audit trail at
        any time.
      </p>
    ),
  },
  {
    id: "availability",
    title: "Availability and changes",
    body: (
      <p>
        We work to keep the service running, but do not promise that it is never interrupted. We may change the service
        and will tell you before we remove something you rely on. We may suspend an account that endangers others, and
        will tell you why.
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

export const { handle, headers, meta } = publicPage({
  path: sitePaths.terms,
  title: "Terms",
  description: "The terms of using PayeeProof: service, price, your part, data, guarantees and liability.",
});

export default function Terms() {
  return (
    <DocumentPage
      banner={{
        title: "Terms of service",
        intro: "The agreement between your organisation and the operator of PayeeProof.",
        note: "Valid from 20 November 2026",
      }}
      sections={TERMS}
    />
  );
}
