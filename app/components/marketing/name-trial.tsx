import { Link } from "@remix-run/react";
import { TextInput } from "~/components/forms/fields";
import { Form, SubmitButton } from "~/components/forms/form";
import { TRIAL_EXAMPLES, TRIAL_MAX_LENGTH, type Trial } from "~/components/marketing/name-trial-content";
import { Section } from "~/components/marketing/section";
import { DifferenceList } from "~/components/payees/verification/difference-list";
import { MarkedName } from "~/components/payees/verification/marked-name";
import { Callout } from "~/components/ui/callout";
import { ScoreFigure } from "~/components/ui/score-figure";
import { sitePaths } from "~/kernel/paths/site";

/**
 * The product's name matcher, to try. Two names go in, the server compares them and keeps nothing.
 * @param path the page it is on, which takes the names
 */
export function NameTrial({ trial, path = sitePaths.features }: { trial: Trial; path?: string }) {
  return (
    <Section
      id="try"
      kicker="Try it"
      title="Two names. Are they the same account holder?"
      intro="This is the matcher that reviewers use. What you type is compared and forgotten: it is not stored or logged."
      ground="sunken"
    >
      <div className="grid gap-8 lg:grid-cols-2 lg:gap-12">
        <div>
          <TrialForm trial={trial} path={path} />
          <p className="mt-6 text-ink-soft text-sm">Or look at one of these:</p>
          <ul className="mt-2 flex flex-wrap gap-2">
            {TRIAL_EXAMPLES.map((example, index) => (
              <li key={example.label}>
                <Link
                  to={`${path}?example=${index + 1}#try`}
                  preventScrollReset
                  className="inline-flex min-h-8 items-center rounded-full bg-surface px-3 text-base ring-1 ring-line hover:ring-control"
                >
                  {example.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
        <TrialResult trial={trial} />
      </div>
    </Section>
  );
}

function TrialResult({ trial }: { trial: Trial }) {
  const { match } = trial;
  if (trial.failure) {
    return (
      <Callout tone="danger" role="alert" title="Not compared" className="self-start">
        {trial.failure}
      </Callout>
    );
  }
  if (!match) return <p className="text-ink-soft text-md">Type two names to see them compared.</p>;
  return (
    <figure className="self-start overflow-clip rounded-base bg-surface shadow-lift ring-1 ring-line">
      <dl className="divide-y divide-line">
        <div className="px-5 py-4">
          <dt className="text-ink-soft text-sm">On the invoice</dt>
          <dd className="mt-0.5 text-xl">
            <MarkedName stretches={match.names.submitted} />
          </dd>
        </div>
        <div className="px-5 py-4">
          <dt className="text-ink-soft text-sm">At the bank</dt>
          <dd className="mt-0.5 text-xl">
            <MarkedName stretches={match.names.held} />
          </dd>
        </div>
      </dl>
      <figcaption className="grid gap-5 border-line border-t px-5 py-5 sm:grid-cols-[auto_1fr] sm:items-center">
        <ScoreFigure score={match.score} className="w-28" />
        <DifferenceList reasons={match.reasons} />
      </figcaption>
    </figure>
  );
}

function TrialForm({ trial, path }: { trial: Trial; path: string }) {
  return (
    <Form method="post" action={`${path}#try`} noValidate className="grid gap-5">
      <TextInput
        name="submitted"
        label="Name on the invoice"
        required
        maxLength={TRIAL_MAX_LENGTH}
        defaultValue={trial.submitted}
        error={trial.errors?.submitted}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        name="held"
        label="Name at the bank"
        required
        maxLength={TRIAL_MAX_LENGTH}
        defaultValue={trial.held}
        error={trial.errors?.held}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="flex flex-wrap items-center gap-4">
        <SubmitButton pendingText="Comparing...">Compare</SubmitButton>
      </div>
    </Form>
  );
}
