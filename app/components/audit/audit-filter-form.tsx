import { Form } from "@remix-run/react";
import { SelectControl } from "~/components/forms/select";
import { Button } from "~/components/ui/button";
import { appPaths } from "~/kernel/paths/app";
import { AUDIT_ACTIONS, type AuditAction } from "~/modules/audit/audit";
import { type AuditFilter, writeAuditFilter } from "~/modules/audit/audit-filter";

interface AuditFilterFormProps {
  filter?: AuditFilter;
  people: readonly { userId: string; name: string }[];
}

/** One choice at a time: a person, or a kind of act. A link from a payee or payment narrows to that. */
export function AuditFilterForm({ filter, people }: AuditFilterFormProps) {
  const chosen = filter ? writeAuditFilter(filter) : "";
  return (
    <Form method="get" action={appPaths.audit} className="flex flex-wrap gap-2">
      <label htmlFor="audit-by" className="min-w-0 flex-1 sm:w-80 sm:flex-none">
        <span className="sr-only">Show</span>
        <SelectControl key={chosen} id="audit-by" name="by" defaultValue={chosen}>
          <option value="">Everything</option>
          {filter?.by === "entity" && <option value={chosen}>{`One ${filter.type}`}</option>}
          <optgroup label="People">
            {people.map(({ userId, name }) => (
              <option key={userId} value={writeAuditFilter({ by: "user", userId })}>
                {name}
              </option>
            ))}
          </optgroup>
          <optgroup label="Acts">
            {(Object.keys(AUDIT_ACTIONS) as AuditAction[]).map((action) => (
              <option key={action} value={writeAuditFilter({ by: "action", action })}>
                {AUDIT_ACTIONS[action]}
              </option>
            ))}
          </optgroup>
        </SelectControl>
      </label>
      <Button type="submit" variant="secondary">
        Show
      </Button>
      {filter && (
        <Button to={appPaths.audit} variant="quiet">
          Clear
        </Button>
      )}
    </Form>
  );
}
