import { Form } from "~/components/forms/form";
import { SelectControl } from "~/components/forms/select";
import { TextInput } from "~/components/forms/text-input";
import { Button } from "~/components/ui/button";
import { appPaths } from "~/kernel/paths/app";
import { OUTCOME_LABELS, STATUS_LABELS, type VerificationFilter } from "~/modules/verifying/review/verification-list";

interface VerificationFiltersProps {
  filter: VerificationFilter;
  people: readonly { userId: string; name: string }[];
  methods: Readonly<Record<string, string>>;
}

/** What narrows the list; a GET form, so a view has an address. */
export function VerificationFilters({ filter, people, methods }: VerificationFiltersProps) {
  const isNarrowed = Object.values(filter).some(Boolean);
  return (
    <Form method="get" action={appPaths.verifications} className="flex flex-wrap items-end gap-3 px-5 py-4">
      <Choice name="status" label="Status" value={filter.status} options={STATUS_LABELS} />
      <Choice name="outcome" label="Result" value={filter.outcome} options={OUTCOME_LABELS} />
      <Choice name="method" label="Method" value={filter.method} options={methods} />
      <Choice
        name="person"
        label="Person"
        value={filter.person}
        options={Object.fromEntries(people.map(({ userId, name }) => [userId, name]))}
      />
      <TextInput name="from" label="From" type="date" defaultValue={filter.from} showOptional={false} />
      <TextInput name="to" label="To" type="date" defaultValue={filter.to} showOptional={false} />
      <Button type="submit" variant="secondary">
        Show
      </Button>
      {isNarrowed && (
        <Button to={appPaths.verifications} variant="quiet">
          Clear
        </Button>
      )}
    </Form>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  value: string | undefined;
  options: Readonly<Record<string, string>>;
}

function Choice({ name, label, value, options }: ChoiceProps) {
  return (
    <label htmlFor={`filter-${name}`} className="min-w-36 text-base">
      <span className="mb-1.5 block font-medium">{label}</span>
      <SelectControl id={`filter-${name}`} name={name} defaultValue={value ?? ""}>
        <option value="">All</option>
        {Object.entries(options).map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </SelectControl>
    </label>
  );
}
