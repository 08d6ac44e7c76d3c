import { Prose } from "~/components/marketing/prose";
import { Section } from "~/components/marketing/section";

/** What the matcher cannot do. */
export function Limits() {
  return (
    <Section title="What it cannot do" layout="split">
      <Prose>
        <ul>
          <li>It compares names. Two people with the same name are the same to it.</li>
          <li>An acronym is at most close: “BAC” may stand for many names.</li>
          <li>A new name after a marriage or a sale is a different name.</li>
          <li>Names in other scripts are compared by their sounds and are never exact.</li>
          <li>Chinese characters cannot be compared with a romanised name, so a person has to compare them.</li>
          <li>The measured pairs are invented. Your payees may be harder or easier.</li>
        </ul>
      </Prose>
    </Section>
  );
}
