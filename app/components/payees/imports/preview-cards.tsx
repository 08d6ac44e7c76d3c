import { Select } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { HiddenFields, SubmitButton } from "~/components/forms/post-form";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import type { ImportPage } from "~/modules/payees/imports/import.view";
import { RowsTable } from "./rows-table";

type Preview = NonNullable<ImportPage["preview"]>;

/** Which column is which: guessed, and to be corrected. Choosing only shows the preview again. */
export function ColumnsCard({ choices, missing }: Preview) {
  return (
    <Card
      title="Which column is which?"
      description="We recognised these. Correct what is wrong and look at the preview again; your choice is remembered for files with these headings."
      className="mb-6"
    >
      {missing && (
        <Callout tone="warning" title={`${missing}.`} className="mb-5">
          Without it the rows cannot be read.
        </Callout>
      )}
      <Form method="get" className="grid gap-5">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {choices.map(({ field, label, value, options }) => (
            <Select
              key={`${field} ${value}`}
              name={`column.${field}`}
              label={label}
              options={options}
              placeholder="Not in this file"
              defaultValue={value}
              hint={field === "bsb" ? "Leave out where it stands before the account number" : undefined}
              showOptional={false}
            />
          ))}
        </div>
        <div>
          <Button type="submit" variant="secondary" icon="refresh">
            Show the preview again
          </Button>
        </div>
      </Form>
    </Card>
  );
}

interface PreviewCardProps {
  preview: Preview;
  rowCount: number;
  may: ImportPage["may"];
}

/** What would happen to the first rows, and the button that makes it happen to all. */
export function PreviewCard({ preview, rowCount, may }: PreviewCardProps) {
  const { choices, missing, rows, rowsRead } = preview;
  if (missing) return null;
  const rowsOf = (count: number) => `${count.toLocaleString("en-AU")} row${count === 1 ? "" : "s"}`;
  const columns = Object.fromEntries(choices.map(({ field, value }) => [`column.${field}`, value]));
  return (
    <Card
      flush
      title="What would happen"
      description={
        rowsRead < rowCount
          ? `The first ${rowsRead} of ${rowsOf(rowCount)}. Nothing has been added yet.`
          : `All ${rowsOf(rowCount)}. Nothing has been added yet.`
      }
    >
      <RowsTable caption="What would happen to the first rows" rows={rows} />
      <div className="flex flex-wrap gap-3 border-line border-t px-5 py-5">
        {may.start && (
          <Form method="post">
            <HiddenFields values={{ intent: "start", ...columns }} />
            <SubmitButton pendingText="Starting...">Import {rowsOf(rowCount)}</SubmitButton>
          </Form>
        )}
        {may.stop && (
          <Form method="post">
            <HiddenFields values={{ intent: "stop" }} />
            <Button type="submit" variant="quiet">
              Discard this file
            </Button>
          </Form>
        )}
      </div>
    </Card>
  );
}
