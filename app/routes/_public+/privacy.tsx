import { DocumentPage, type DocumentSection } from "~/components/marketing/document-page";
import { publicPage } from "~/components/marketing/meta";
import { LegalLine } from "~/components/marketing/prose";
import { sitePaths } from "~/kernel/paths/site";
import { CLOSED_KEPT_YEARS, INVOICES_KEPT_MONTHS, LINKS_KEPT_DAYS } from "~/kernel/retention";

const PRIVACY: readonly DocumentSection[] = [
  {
    id: "about",
    title: "About this policy",
    body: (
      <>
        <p>
          PayeeProof (&ldquo;we&rdquo;) handles personal information under the Privacy Act 1988 (Cth) and the Australian
          Privacy Principles (APPs). This policy says what we hold, why, who else sees it, which decisions a computer
          makes, and what you can ask of us.
        </p>
        <LegalLine />
      </>
    ),
  },
  {
    id: "kinds",
    title: "What we collect and hold",
    body: (
      <dl>
        <dt>People who use PayeeProof</dt>
        <dd>
          Name, work email, a password hash, role and organisation, sessions, and what they do in the product with time,
          IP address and browser.
        </dd>
        <dt>Payees of our customers</dt>
        <dd>
          Name, account name, BSB, account number, and where given ABN, email, phone and address; the result of checks;
          payments recorded to them; and what they answered on our link. Some payees are individuals or sole traders, so
          we treat all of it as personal information.
        </dd>
        <dt>Invoices that our customers check</dt>
        <dd>
          The document as it came, and what was read from it: names, numbers, amounts and bank details, and who sent it.
          An email to the address that a customer has for invoices is such a document, whoever sent it.
        </dd>
        <dt>Visitors who write to us</dt>
        <dd>Name, email, company, phone and the message.</dd>
        <dt>Visitors to this site</dt>
        <dd>
          Up to two small cookies, only if you use the feature that needs them: the colours you chose, and a message for
          the next page. We use no analytics and no advertising.
        </dd>
      </dl>
    ),
  },
  {
    id: "how",
    title: "How we collect it",
    body: (
      <p>
        From the person: on forms, by the link we send to a payee, and, with the payee&rsquo;s consent, from the
        payee&rsquo;s bank. From the customer who pays or may pay a payee, and from the Xero or MYOB file that the
        customer connects: suppliers, bills and payments. We write nothing there, unless the customer asks for a note in
        Xero when a payee is verified. The page behind the link tells payees which organisation asks and why (APP 5).
      </p>
    ),
  },
  {
    id: "purposes",
    title: "Why we use it",
    body: (
      <ul>
        <li>To check that the bank details of a payee are the payee&rsquo;s, and to hold payments that look wrong.</li>
        <li>To tell the people concerned when bank details change.</li>
        <li>To keep a record that customers and their auditors can rely on.</li>
        <li>To run accounts and subscriptions, answer messages, and keep the service secure.</li>
      </ul>
    ),
  },
  {
    id: "sharing",
    title: "Who else sees it",
    body: (
      <>
        <p>
          The customer who asked for a check sees its result. Other customers see, for an account they themselves enter,
          how many organisations vouch for it and whether the name they typed agrees. They never see who, or a name they
          did not type. These suppliers handle data for us, each only for its part:
        </p>
        <ul>
          <li>Cloudflare: hosting, database and queues.</li>
          <li>Basiq: consent and bank account data (see below).</li>
          <li>
            Where Confirmation of Payee is switched on, the provider that is asked, which may be one of two, and the
            payee&rsquo;s bank: the account name, BSB and account number that a customer asks about. The provider also
            gets an id that stands for the customer.
          </li>
          <li>
            Where look-ups are switched on: a resolver of internet names and the registries of domains, for the domain
            of a payee&rsquo;s email address, or of the sender of an emailed invoice, without the rest of the address;
            and the Australian Business Register, for an ABN or for a name that a person types to find one. None of them
            is told which customer asks.
          </li>
          <li>An email and a text message provider: the messages we send.</li>
          <li>A card payment provider: subscriptions. Card numbers go to it and not to us.</li>
        </ul>
        <p>We do not sell personal information, and we do not use it for advertising.</p>
      </>
    ),
  },
  {
    id: "overseas",
    title: "Outside Australia",
    body: (
      <p>
        Cloudflare&rsquo;s network is global, and our email, text message and card providers may handle data in the
        United States and elsewhere. We choose suppliers whose contracts require protection comparable to the APPs (APP
        8).
      </p>
    ),
  },
  {
    id: "cdr",
    title: "Bank data and the Consumer Data Right",
    body: (
      <>
        <p>
          The bank check works through Basiq, a provider accredited under the Consumer Data Right (CDR). Nothing is
          collected before you agree on the consent page, where you choose the bank and the accounts and see what is
          shared and for how long. You sign in at your bank; neither we nor the organisation that pays you can see that.
        </p>
        <p>
          We ask for account details and the account holder&rsquo;s name, not for transactions. We compare them with
          what the organisation holds and keep the result: the name at the bank, the account, the institution, and how
          well they agree. After the check we ask Basiq to delete the rest. You can withdraw consent at any time in your
          bank&rsquo;s or Basiq&rsquo;s consent dashboard; a check that is not finished then ends.
        </p>
        <p>
          If you refuse, the organisation has to verify your details another way. There is no other effect. A copy of
          Basiq&rsquo;s own CDR policy is on its website.
        </p>
      </>
    ),
  },
  {
    id: "automated",
    title: "Automated decisions",
    body: (
      <>
        <p>
          APPs 1.7 to 1.9, which apply from 10 December 2026, ask us to say where a computer program decides, or does
          something directly related to deciding, about matters that can significantly affect a person. A payment that
          is held late can be such a matter.
        </p>
        <dl>
          <dt>Personal information used</dt>
          <dd>
            Names, account names, BSB and account numbers, email domain, contact details and when they changed, the
            history of payments and verifications, and the payee&rsquo;s own answer.
          </dd>
          <dt>Made by the program alone</dt>
          <dd>
            Holding or authorising a recorded payment by the organisation&rsquo;s rules; removing a payee from the
            whitelist when details change; whitelisting after 3 or more successful payments; ending a verification when
            the bank says that the account is closed or was not shared. Where an organisation has switched it on,
            approving an exact result.
          </dd>
          <dt>Prepared by the program, made by a person</dt>
          <dd>
            Approving or rejecting a verification, for which the program computes a name score with its reasons; and
            releasing or rejecting a held payment.
          </dd>
        </dl>
        <p>
          Every such decision is recorded with its reasons, and a person at the organisation can look at it again. To
          have that done, speak to the organisation that pays you; we help it find the record.
        </p>
      </>
    ),
  },
  {
    id: "security",
    title: "Security and how long we keep it",
    body: (
      <>
        <p>
          How we protect information is on the <a href={sitePaths.security}>security page</a>. Expired sessions are
          removed, the text of messages is deleted once they are sent, and links that we sent to people who sign in are
          removed {LINKS_KEPT_DAYS} days after they run out. Payees, verifications, payments and the audit trail are
          kept while the customer&rsquo;s account exists, and for {CLOSED_KEPT_YEARS} years after it was closed, as the
          law requires for financial records. Then they are removed, with the accounts of its people who belong to no
          other customer. Messages to us are kept until they are dealt with and as long as we may need to show what was
          said.
        </p>
        <p>
          Documents of invoices are removed after the time that the customer chooses: {INVOICES_KEPT_MONTHS} months,
          unless they choose another. What was read from them, and what was decided, is kept like payments.
        </p>
        <p>
          If a breach is likely to cause serious harm we tell the people concerned and the Office of the Australian
          Information Commissioner, as the Notifiable Data Breaches scheme requires.
        </p>
      </>
    ),
  },
  {
    id: "rights",
    title: "Access, correction, complaints",
    body: (
      <>
        <p>
          You may ask what we hold about you, have it corrected, and complain (APPs 12 and 13).{" "}
          <a href={sitePaths.contact}>Write to us</a>; we answer within 30 days and charge nothing. If you are a payee,
          the organisation that pays you can correct your details at once. You may write without giving your name, but
          we cannot give access to a person we cannot identify.
        </p>
        <p>
          If our answer does not satisfy you, the Office of the Australian Information Commissioner can look into it:{" "}
          <a href="https://www.oaic.gov.au/">oaic.gov.au</a>.
        </p>
      </>
    ),
  },
  {
    id: "changes",
    title: "Changes",
    body: <p>When this policy changes, the date at the top changes with it, and customers are told by email.</p>,
  },
];

export const { handle, headers, meta } = publicPage({
  path: sitePaths.privacy,
  title: "Privacy",
  description:
    "How PayeeProof handles personal information under the Australian Privacy Principles, including automated decisions and the Consumer Data Right.",
});

export default function Privacy() {
  return (
    <DocumentPage
      banner={{
        title: "Privacy policy",
        intro: "What we hold, why, who else sees it, and which decisions a computer makes.",
        note: "Valid from 20 November 2026",
        entry: {
          given: { label: "Kept to compare", value: "062-000 1234 5678" },
          held: { label: "Shown in lists and emails", value: "••••• 678" },
          verdict: { tone: "info", icon: "eyeOff", word: "Masked" },
        },
      }}
      sections={PRIVACY}
    />
  );
}
