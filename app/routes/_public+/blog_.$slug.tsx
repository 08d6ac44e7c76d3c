import { useLoaderData } from "@remix-run/react";
import type { ComponentType } from "react";
import { ARTICLES } from "~/components/marketing/blog/articles";
import { publicPage } from "~/components/marketing/meta";
import { Differing, Entry, PageBanner } from "~/components/marketing/page-banner";
import { Prose } from "~/components/marketing/prose";
import { CallToAction } from "~/components/marketing/section";
import { articleData } from "~/components/marketing/structured-data";
import { page } from "~/http/page.server";
import { notFound } from "~/kernel/app-error";
import { formatDate } from "~/kernel/dates";
import { sitePaths } from "~/kernel/paths/site";

/** The source of each figure and fact; the numbers in the text link here. */
const SOURCES = [
  {
    id: "nasc",
    text: "National Anti-Scam Centre: Australians better protected as reported scam losses fell by almost 26 per cent (2025), on the Targeting Scams report for 2024",
    href: "https://www.nasc.gov.au/news/australians-better-protected-as-reported-scam-losses-fell-by-almost-26-per-cent",
  },
  {
    id: "indue",
    text: "Indue: key findings of the Targeting Scams report 2024, by scam type",
    href: "https://www.indue.com.au/2025/08/06/targeting-scams-report-of-the-national-anti-scam-centre-on-scams-data-and-activity-2024",
  },
  {
    id: "asd",
    text: "Australian Signals Directorate: Annual Cyber Threat Report 2024-25",
    href: "https://www.cyber.gov.au/about-us/view-all-content/reports-and-statistics/annual-cyber-threat-report-2024-2025",
  },
  {
    id: "asd-2024",
    text: "Fortitech: figures of the Annual Cyber Threat Report 2023-24",
    href: "https://fortitech.com.au/blog/queensland-leads-the-nation-in-cyber-crime",
  },
  {
    id: "lavan",
    text: "Lavan: case note on Mobius Group Pty Ltd v Inoteq Pty Ltd [2024] WADC 114",
    href: "https://www.lavan.com.au/advice/commercial_corporate_litigation/Beware_of_Scams_Who_foots_the_bill_when_a_scammer_succeeds",
  },
  {
    id: "procopio",
    text: "Procopio Legal: who bears the loss when a scammer intercepts payment",
    href: "https://www.procopiolegal.com.au/post/who-bears-the-loss-when-a-scammer-intercepts-payment",
  },
  {
    id: "aba",
    text: "Australian Banking Association: launch of Confirmation of Payee, 2 July 2025",
    href: "https://www.ausbanking.org.au/?p=30746",
  },
  {
    id: "accc",
    text: "Broker News: the ACCC on false invoices and calling the business yourself (2024)",
    href: "https://brokernews.com.au/news/breaking-news/scammers-target-aussies-with-fake-invoices-284436.aspx",
  },
] as const;

function Cite({ id }: { id: (typeof SOURCES)[number]["id"] }) {
  const number = SOURCES.findIndex((source) => source.id === id) + 1;
  return (
    <sup>
      <a href={`#source-${id}`} aria-label={`Source ${number}`} className="px-0.5 no-underline!">
        {number}
      </a>
    </sup>
  );
}

function PaymentRedirection() {
  return (
    <>
      <p>
        A supplier does the work and sends an invoice. A day later another email arrives in the same thread, from the
        same address, with the same signature: our bank details have changed, please update your records. An employee
        updates them. The next pay run goes out on time, and the money is gone before the supplier asks about it.
      </p>
      <p>
        This is payment redirection, also called business email compromise or invoice fraud. It needs no malware on your
        computers and none of your passwords. It needs one compromised mailbox, often the supplier&rsquo;s, and one
        change that is not checked.
      </p>
      <Cost />
      <Steps />
      <CourtDecision />
      <ConfirmationOfPayee />
      <Habits />
      <AfterTheFact />
      <Sources />{" "}
    </>
  );
}

function Cost() {
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">What it costs</h2>
      <p>
        Reported scam losses in Australia fell in 2024, by almost 26 per cent to about $2.03 billion.
        <Cite id="nasc" /> Payment redirection did not follow: it ranked third among all scam types, with $152.6
        million, behind investment and romance scams.
        <Cite id="indue" /> The other two mostly affect individuals. This one mostly affects organisations.
      </p>
      <p>
        Reports of cybercrime show the same pattern. In 2024-25 the Australian Signals Directorate received more than
        84,700 reports of cybercrime. Among businesses the most common kinds were a compromised mailbox without a loss,
        19 per cent, and business email compromise with a loss, 15 per cent. The average reported cost of a cybercrime
        to a business rose by half, to $80,850.
        <Cite id="asd" /> A year earlier, businesses reported almost $84 million lost to business email compromise, more
        than $55,000 for each confirmed case.
        <Cite id="asd-2024" />
      </p>
      <p>These figures cover reported losses only. Losses that were not reported are not included.</p>
    </section>
  );
}

function Steps() {
  return (
    <section aria-labelledby="how">
      <h2 id="how">How it works, step by step</h2>
      <ol>
        <li>
          <strong>They get into a mailbox.</strong> They use a reused password, a fake sign-in page, or a mailbox
          without two-step sign-in. Then they read for weeks: who invoices whom, when, how much and in what style.
        </li>
        <li>
          <strong>They wait for a real invoice.</strong> The amount, the purchase order and the work are real. Only the
          account changes.
        </li>
        <li>
          <strong>They reply in the thread</strong>, or write from an address that differs by one letter, and hide your
          answers with a mailbox rule.
        </li>
        <li>
          <strong>They answer your question.</strong> If you reply to ask whether the change is genuine, they are the
          ones who say yes.
        </li>
        <li>
          <strong>They move the money on.</strong> They transfer it to other accounts within hours. A recall that starts
          after a week recovers little.
        </li>
      </ol>
      <Entry
        className="mt-8 max-w-[34rem]"
        given={{
          label: "Sender of the change",
          value: (
            <>
              accounts@harb<Differing>0</Differing>urfoods.example
            </>
          ),
        }}
        held={{
          label: "Sender of the last genuine invoice",
          value: (
            <>
              accounts@harb<Differing>o</Differing>urfoods.example
            </>
          ),
        }}
        verdict={{ tone: "review", word: "One letter differs" }}
      />
    </section>
  );
}

function CourtDecision() {
  return (
    <section aria-labelledby="court">
      <h2 id="court">Who bears the loss: a court decision</h2>
      <p>
        In December 2024 the District Court of Western Australia decided{" "}
        <cite>Mobius Group Pty Ltd v Inoteq Pty Ltd</cite> [2024] WADC 114. Mobius had invoiced $235,400 for electrical
        work. A criminal who had access to the mailbox of a Mobius director wrote to Inoteq that the account had
        changed. Inoteq did call, but the line was bad. It then asked by email, and the criminal answered.
        <Cite id="lavan" /> Inoteq paid the wrong account. About $43,500 came back.
      </p>
      <p>
        The court ordered Inoteq to pay the remaining $191,859 again, to the real supplier. Mobius owed Inoteq no duty
        to protect it from the fraud, the false email was not a valid notice of new details, and Inoteq was best placed
        to protect itself: a clear phone call would have been enough.
        <Cite id="procopio" />
      </p>
      <p>
        One decision of a district court does not settle the law, and other facts can lead to another result. But you
        may have to pay twice, and a record of what you checked may be your best evidence.
      </p>
    </section>
  );
}

function ConfirmationOfPayee() {
  return (
    <section aria-labelledby="cop">
      <h2 id="cop">What Confirmation of Payee changes, and what it does not</h2>
      <p>
        Since July 2025 Australian banks have been launching Confirmation of Payee: the name you type is compared with
        the name on the account before the payment leaves.
        <Cite id="aba" /> It is a real improvement, and you should use it. It has limits:
      </p>
      <ul>
        <li>
          It works in the bank&rsquo;s screen, typically for a first payment or a changed payee. At most banks it does
          not check a file of many payments in the same way.
        </li>
        <li>It compares a name. A criminal's account with a similar name can be a close match.</li>
        <li>The person who pays can ignore a warning. You have no record of what was shown and who continued.</li>
        <li>It comes after the change was made. The wrong number is already in your supplier records.</li>
      </ul>
    </section>
  );
}

function Habits() {
  return (
    <section aria-labelledby="habits">
      <h2 id="habits">Seven habits that prevent it</h2>
      <ol>
        <li>
          <strong>Treat every change of bank details as suspicious until it is checked.</strong>
        </li>
        <li>
          <strong>Call back on a number that you already had.</strong> The ACCC&rsquo;s advice is the same: find the
          number yourself.
          <Cite id="accc" /> If the line is bad, call again. Never fall back to email.
        </li>
        <li>
          <strong>Let them read the numbers to you.</strong> Anyone can say &ldquo;yes, that is right&rdquo;.
        </li>
        <li>
          <strong>Use two people.</strong> The person who enters a change does not approve it, even when a colleague is
          on leave.
        </li>
        <li>
          <strong>Tell the old address.</strong> Tell the previous contact that the details were changed. They would
          know if the change is false.
        </li>
        <li>
          <strong>Hold the first payment.</strong> Wait a day before you pay new details.
        </li>
        <li>
          <strong>Write it down.</strong> Who asked, who called, which phone number, who approved. Keep it where it
          cannot be changed later.
        </li>
      </ol>
      <p>
        The first five are on the <a href={sitePaths.resources}>checklist and call-back script</a>, free to print.{" "}
        <a href={sitePaths.howItWorks}>PayeeProof</a> helps with all seven.
      </p>
    </section>
  );
}

function AfterTheFact() {
  return (
    <section aria-labelledby="already">
      <h2 id="already">If it has already happened</h2>
      <p>
        Call your bank first, before anything else, and ask for a recall. Then report it at{" "}
        <a href="https://www.cyber.gov.au/report">cyber.gov.au/report</a> and to{" "}
        <a href="https://www.scamwatch.gov.au/">Scamwatch</a>, call the supplier, and assume that one of the two
        mailboxes is still being read. Keep every email as it is. If personal information was exposed, the Notifiable
        Data Breaches scheme may require you to report it.
      </p>
    </section>
  );
}

function Sources() {
  return (
    <section aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      <ol>
        {SOURCES.map((source) => (
          <li key={source.id} id={`source-${source.id}`}>
            <a href={source.href}>{source.text}</a>
          </li>
        ))}
      </ol>
      <p className="text-base text-ink-soft">
        Figures as reported by these sources, read in November 2026. This article is general information, not legal
        advice.
      </p>
    </section>
  );
}

const BODIES: Readonly<Record<string, ComponentType>> = {
  "payment-redirection-fraud-in-australia": PaymentRedirection,
};

export const { handle, headers, meta } = publicPage<typeof loader>(
  (article) =>
    article && {
      path: sitePaths.article(article.slug),
      title: article.title,
      description: article.summary,
      type: "article",
      structured: (_, origin) => [articleData(origin, article)],
    },
);

export const loader = /* @__PURE__ */ page(async ({ params }) => {
  const article = ARTICLES.find((candidate) => candidate.slug === params.slug);
  if (!article) throw notFound();
  return article;
});

export default function Article() {
  const { slug, title, summary, publishedAt, readingMinutes } = useLoaderData<typeof loader>();
  const Body = BODIES[slug];
  return (
    <>
      <article>
        <PageBanner title={title} intro={summary} note={`${formatDate(publishedAt)} · ${readingMinutes} minute read`} />
        <div className="mx-auto max-w-6xl px-4 py-10 sm:px-6 sm:py-14">
          <Prose className="mx-auto">{Body && <Body />}</Prose>
        </div>
      </article>
      <CallToAction
        title="Check your payees before the next pay run."
        text="See the four steps from an invoice to an authorised payment."
        action={{ label: "See how it works", to: sitePaths.howItWorks }}
      />
    </>
  );
}
