import { Link, useActionData } from "@remix-run/react";
import { TextInput } from "~/components/forms/fields";
import { Form, type FormAnswer, SubmitButton } from "~/components/forms/form";
import { DifferenceList } from "~/components/payees/verification/difference-list";
import { MarkedName } from "~/components/payees/verification/marked-name";
import { Callout } from "~/components/ui/elements";
import { ScoreFigure } from "~/components/ui/score-figure";
import { sitePaths } from "~/kernel/paths/site";
import type { MarkedNames, Reason } from "~/modules/name-match/index";
import type { EntryProps } from "./page-banner";
import { Section } from "./section";

/** The longest account name that is compared (the product's own limit). */
const TRIAL_MAX_LENGTH = 140;

/** The contents of the try-it box. */
interface Trial {
  submitted: string;
  held: string;
  /** The comparison, with sentences about why the score is not higher. */
  match?: { score: number; names: MarkedNames; reasons: readonly Reason[] };
  errors?: { submitted?: string[]; held?: string[] };
  failure?: string;
}

/** The box's contents: the page's example, or the answer to its form. */
export function useTrial(example: Trial): Trial {
  const answer = useActionData<Trial | FormAnswer>();
  return answer ? toTrial(answer) : example;
}

/** The box's contents for a refused form: what was typed, and what is wrong with it. */
function toTrial(answer: Trial | FormAnswer): Trial {
  if (!("code" in answer)) return answer;
  const { values, errors, formErrors } = answer;
  return { submitted: values.submitted ?? "", held: values.held ?? "", errors, failure: formErrors[0] };
}

/** Invented pairs that each demonstrate one point. */
export const TRIAL_EXAMPLES = [
  { label: "Two letters", submitted: "Harbour Foods Pty Ltd", held: "Harbour Funds Pty Ltd" },
  { label: "Legal form", submitted: "Nguyen & Sons P/L", held: "Nguyen and Sons Pty Ltd" },
  { label: "Nickname", submitted: "Liz Taylor", held: "Elizabeth Taylor" },
  { label: "Typing error", submitted: "Coastline Timber", held: "Coastline Tinber" },
  { label: "Look-alike letter", submitted: "W\u0430ratah Freight", held: "Waratah Freight" },
  { label: "Another holder", submitted: "Bright Sparks Electrical", held: "J M Dunne" },
] as const;

/** The pair with the number in the address, otherwise the first. */
export const exampleOf = ({ searchParams }: URL) =>
  TRIAL_EXAMPLES[Number(searchParams.get("example")) - 1] ?? TRIAL_EXAMPLES[0];

/** The second pair, in the form that banners show. */
export const LEGAL_FORM_ENTRY: EntryProps = {
  given: { label: "On the invoice", value: TRIAL_EXAMPLES[1].submitted },
  held: { label: "At the bank", value: TRIAL_EXAMPLES[1].held },
  verdict: { tone: "verified", word: "Exact" },
};

/** The name matcher to try out. The server stores nothing. @param path the page to which the names are posted */
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

const TRIAL_FIELDS = [
  { name: "submitted", label: "Name on the invoice" },
  { name: "held", label: "Name at the bank" },
] as const;

function TrialForm({ trial, path }: { trial: Trial; path: string }) {
  return (
    <Form method="post" action={`${path}#try`} noValidate className="grid gap-5">
      {TRIAL_FIELDS.map(({ name, label }) => (
        <TextInput
          key={name}
          name={name}
          label={label}
          required
          maxLength={TRIAL_MAX_LENGTH}
          defaultValue={trial[name]}
          error={trial.errors?.[name]}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
      <div className="flex flex-wrap items-center gap-4">
        <SubmitButton pendingText="Comparing...">Compare</SubmitButton>
      </div>
    </Form>
  );
}
