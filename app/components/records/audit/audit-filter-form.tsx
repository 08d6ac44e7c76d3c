import { Form } from "~/components/forms/form";
import { SelectControl } from "~/components/forms/select";
import { TextInput } from "~/components/forms/text-input";
import { Button } from "~/components/ui/button";
import { appPaths } from "~/kernel/paths/app";
import type { AuditFilter } from "~/modules/core/audit/audit-filter";

interface AuditFilterFormProps {
  filter: AuditFilter;
  people: readonly { userId: string; name: string }[];
  /** Value and words of every act, in groups. */
  actions: readonly { group: string; options: readonly { value: string; label: string }[] }[];
}

/** Person, act and days; a link from a payee or payment narrows to that thing, which stays until it is cleared. */
export function AuditFilterForm({ filter, people, actions }: AuditFilterFormProps) {
  const { thing } = filter;
  return (
    <Form method="get" action={appPaths.audit} className="flex flex-wrap items-end gap-3 print:hidden">
      {thing && <input type="hidden" name="thing" value={`${thing.type}:${thing.id}`} />}
      <Choice name="person" label="Person" all="Everyone" value={filter.person}>
        {people.map(({ userId, name }) => (
          <option key={userId} value={userId}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice name="action" label="What was done" all="Everything" value={filter.action}>
        {actions.map(({ group, options }) => (
          <optgroup key={group} label={group}>
            {options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
      </Choice>
      <TextInput name="from" label="From" type="date" defaultValue={filter.from} showOptional={false} />
      <TextInput name="to" label="To" type="date" defaultValue={filter.to} showOptional={false} />
      <Button type="submit" variant="secondary">
        Show
      </Button>
      {Object.keys(filter).length > 0 && (
        <Button to={appPaths.audit} variant="quiet">
          Clear
        </Button>
      )}
    </Form>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  /** What the choice of none says. */
  all: string;
  value: string | undefined;
  children: React.ReactNode;
}

function Choice({ name, label, all, value, children }: ChoiceProps) {
  return (
    <label htmlFor={`audit-${name}`} className="w-full text-base sm:w-56">
      <span className="mb-1.5 block font-medium">{label}</span>
      <SelectControl id={`audit-${name}`} name={name} defaultValue={value ?? ""}>
        <option value="">{all}</option>
        {children}
      </SelectControl>
    </label>
  );
}
