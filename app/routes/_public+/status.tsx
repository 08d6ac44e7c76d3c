import { useLoaderData } from "@remix-run/react";
import { publicPage } from "~/components/marketing/meta";
import { PageBanner } from "~/components/marketing/page-banner";
import { Badge, type Tone } from "~/components/ui/elements";
import { Time } from "~/components/ui/page-parts";
import { page } from "~/http/page.server";
import { sitePaths } from "~/kernel/paths/site";
import type { State } from "~/modules/core/operations/problems";
import { readStatusPage, type StatusPage } from "~/modules/core/operations/status-page.server";

export const { handle, meta } = publicPage({
  path: sitePaths.status,
  title: "Status",
  description: "How each part of PayeeProof is working now and has worked in the past 90 days, from its own figures.",
});

/** The page changes every minute, so it is not cached. */
export const headers = () => ({ "Cache-Control": "no-store" });

export const loader = /* @__PURE__ */ page(({ services }) => readStatusPage(services));

const STATES: Readonly<Record<State, { tone: Tone; word: string }>> = {
  good: { tone: "verified", word: "Works" },
  bad: { tone: "review", word: "Not working" },
  unknown: { tone: "neutral", word: "Not known" },
};

export default function Status() {
  const { at, components, incidents } = useLoaderData<typeof loader>();
  return (
    <>
      <PageBanner
        title="Status"
        intro="What our own figures say about each part. Where we did not look, we say that nothing is known."
        note={<Time dateTime={at.dateTime} exact={at.exact} />}
      />
      <div className="mx-auto max-w-6xl px-4 py-10 sm:px-6">
        <ul className="divide-y divide-line border-line border-y">
          {components.map((component) => (
            <li key={component.component} className="grid gap-2 py-5">
              <div className="flex flex-wrap items-center justify-between gap-3">
                <h2 className="font-medium text-md">{component.name}</h2>
                <Badge tone={STATES[component.state].tone}>{STATES[component.state].word}</Badge>
              </div>
              <Days days={component.days} />
              <p className="text-ink-soft text-sm">{component.summary}</p>
            </li>
          ))}
        </ul>
        <Incidents incidents={incidents} />
      </div>
    </>
  );
}

const BAR = 3;
const HEIGHT = 24;
const COLOURS: Readonly<Record<State, string>> = {
  good: "text-verified-fill",
  bad: "text-review-fill",
  unknown: "text-control",
};

/** A bar for each day, today on the right; a day with problems is higher, an unknown day is a dash. */
function Days({ days }: { days: readonly State[] }) {
  const top = { bad: 0, good: HEIGHT / 3, unknown: HEIGHT - 3 };
  const pathOf = (state: State) =>
    days.map((day, at) => (day === state ? `M${at * BAR} ${top[state]}h2V${HEIGHT}h-2z` : "")).join("");
  return (
    <svg
      viewBox={`0 0 ${days.length * BAR} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="h-8 w-full"
    >
      {(Object.keys(COLOURS) as State[]).map((state) => (
        <path key={state} d={pathOf(state)} fill="currentColor" className={COLOURS[state]} />
      ))}
    </svg>
  );
}

function Incidents({ incidents }: Pick<StatusPage, "incidents">) {
  return (
    <section aria-labelledby="incidents" className="mt-10">
      <h2 id="incidents" className="font-semibold text-lg">
        Incidents of the past 90 days
      </h2>
      {incidents.length === 0 ? (
        <p className="mt-2 text-base text-ink-soft">None was recorded.</p>
      ) : (
        <ul className="mt-3 grid gap-3">
          {incidents.map(({ id, name, from, to, lasted }) => (
            <li key={id} className="text-base">
              <span className="font-medium">{name}</span>: from <Time dateTime={from.dateTime} exact={from.exact} />
              {to ? (
                <>
                  {" "}
                  to <Time dateTime={to.dateTime} exact={to.exact} />, {lasted}
                </>
              ) : (
                `, for ${lasted} so far`
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
