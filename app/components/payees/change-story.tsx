import { Callout } from "~/components/ui/elements";
import { Time } from "~/components/ui/page-parts";
import type { ChangeStory, StoryLine } from "~/modules/payees/change-story";

/** How the payee's present bank details or name came about, in the same words wherever it matters. */
export function ChangeStoryBanner({ story }: { story: ChangeStory }) {
  return (
    <Callout tone={story.contact ? "danger" : "warning"} title={titleOf(story)} className="story">
      <Lines lines={story.lines} />
      {story.of === "name" && (
        <p className="mt-2">The bank details are still the same. Confirm that the account belongs to the new name.</p>
      )}
      <p className="mt-1">
        Changed by {story.by}, <Time dateTime={story.at.dateTime} exact={story.at.exact} relative={story.at.relative} />
        .
      </p>
      {story.contact && (
        <div className="mt-2">
          <Lines lines={story.contact.lines} />
          <p className="mt-1">
            Changed by {story.contact.by}, <Time dateTime={story.contact.at.dateTime} exact={story.contact.at.exact} />.
            A fraudster who changed both would answer in the payee's place: use the earlier contact.
          </p>
        </div>
      )}
    </Callout>
  );
}

function titleOf({ of, contact }: ChangeStory): string {
  if (of === "name") return "This payee had a different name";
  return contact ? "Bank details and contact were changed within 30 days" : "These bank details replace earlier ones";
}

function Lines({ lines }: { lines: readonly StoryLine[] }) {
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1">
      {lines.map(({ field, from, to }) => (
        <div key={field} className="flex min-w-0 flex-wrap gap-x-2">
          <dt className="font-medium">{field}:</dt>
          <dd className="figures min-w-0 wrap-anywhere">
            <span className="text-ink-soft">{from}</span> <span aria-hidden="true">→</span>
            <span className="sr-only"> changed to </span> <span className="font-medium">{to}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
