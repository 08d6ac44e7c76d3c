import type { Question } from "~/components/marketing/faq-content";
import { Section } from "~/components/marketing/section";
import { Disclosure } from "~/components/ui/disclosure";

/** Questions and answers; at most one is open at a time. */
export function FaqSection({
  questions,
  title = "Frequently asked questions",
}: {
  questions: readonly Question[];
  title?: string;
}) {
  return (
    <Section id="faq" kicker="FAQ" title={title} ground="sunken" layout="split">
      <div className="border-line border-t print:[&_details::details-content]:[content-visibility:visible]">
        {questions.map(({ question, answer }) => (
          <Disclosure key={question} name="faq" headingLevel={3} summary={question}>
            {answer.map((paragraph) => (
              <p key={paragraph} className="not-first:mt-3">
                {paragraph}
              </p>
            ))}
          </Disclosure>
        ))}
      </div>
    </Section>
  );
}
