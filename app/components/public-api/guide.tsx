import { CodeBlock } from "~/components/public-api/code-block";
import { MarkedText } from "~/components/public-api/marked-text";
import { Link } from "~/components/ui/link";
import { sitePaths } from "~/kernel/paths/site";
import type { GuideSection } from "~/modules/public-api/guide";
import type { ApiGuide } from "~/modules/public-api/reference.view";

/** What holds for every call. */
export function Guide({ section }: { section: GuideSection }) {
  const { id, title, paragraphs, rows = [], code } = section;
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          <MarkedText>{paragraph}</MarkedText>
        </p>
      ))}
      {rows.length > 0 && (
        <dl>
          {rows.map(([name, text]) => (
            <div key={name} className="grid gap-x-6 border-line border-b py-2 sm:grid-cols-[1fr_1fr]">
              <dt className="break-words">{name}</dt>
              <dd className="text-ink-soft">{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {code && <CodeBlock label={`${title}, example`}>{code}</CodeBlock>}
    </section>
  );
}

/** Every call by its part of the document. */
export function AllCalls({ groups }: Pick<ApiGuide, "groups">) {
  return (
    <section id="calls" aria-labelledby="calls-title">
      <h2 id="calls-title">All calls</h2>
      {groups.map(({ id, title, calls }) => (
        <div key={id}>
          <h3>
            <Link to={sitePaths.apiDocsGroup(id)}>{title}</Link>
          </h3>
          <ul>
            {calls.map((call) => (
              <li key={call.id}>
                <Link to={`${sitePaths.apiDocsGroup(id)}#${call.id}`}>{call.title}</Link>{" "}
                <code>
                  {call.method} {call.path}
                </code>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
