import type { DocumentSection } from "~/components/marketing/document-page";

export const CAREERS: readonly DocumentSection[] = [
  {
    id: "open",
    title: "Open positions",
    body: (
      <>
        <p>There are none at the moment. When there is one it stands on this page first, with what it pays.</p>
        <p>
          If you think that we are wrong not to look for somebody like you, <a href="/contact">write to us</a> and
          choose &ldquo;Something else&rdquo;. Say what you would make better. A person reads it.
        </p>
      </>
    ),
  },
  {
    id: "work",
    title: "How we work",
    body: (
      <ul>
        <li>Small pieces, finished: tested, documented, readable by the next person.</li>
        <li>Every rule that guards money has more test than code.</li>
        <li>We write down what we decided and why, and keep the record when we change our mind.</li>
        <li>We talk to accounts-payable people before we argue with each other.</li>
      </ul>
    ),
  },
  {
    id: "false-offers",
    title: "False offers in our name",
    body: (
      <p>
        A company that works against fraud is a tempting name to borrow. We never ask an applicant for money, for bank
        details before a contract, or to receive and pass on payments. An offer that does is not from us. Please report
        it to <a href="https://www.scamwatch.gov.au/">Scamwatch</a>, and tell us.
      </p>
    ),
  },
];
