import { Prose } from "~/components/marketing/prose";
import { Section } from "~/components/marketing/section";

/** How two names are compared, in the order of the steps. */
export function Method() {
  return (
    <Section title="Evidence first, then a score" layout="split">
      <Prose>
        <p>
          A general similarity function counts letters. It finds “Harbour Foods” and “Harbour Funds” nearly equal, and
          “P/L” and “Pty Ltd” very different. For a payment both answers are wrong.
        </p>
        <ol>
          <li>
            Both names are read into words. Capital letters, accents and invisible characters do not count, but they are
            remembered.
          </li>
          <li>
            Each name is taken apart: titles, legal form, trading name, trustee and trust, references such as an ABN.
          </li>
          <li>
            Words are paired. Equal words come first, then words written apart, short forms, nicknames, initials and
            typing errors. Two well-known names that differ are two names, however similar they look.
          </li>
          <li>
            What differs decides the answer: formatting only is exact, something to look at is close, another name,
            number, place or kind of holder is no match. The score is placed within that answer.
          </li>
          <li>Each difference is told in one sentence with the points it costs. The points and the score make 100.</li>
        </ol>
      </Prose>
    </Section>
  );
}
