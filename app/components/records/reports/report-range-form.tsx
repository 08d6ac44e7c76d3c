import { Form } from "~/components/forms/form";
import { TextInput } from "~/components/forms/text-input";
import { Button } from "~/components/ui/button";
import { appPaths } from "~/kernel/paths/app";
import type { ReportRange } from "~/modules/records/reports/report-range";

/** The days of the reports; a GET form, so that a view has an address. */
export function ReportRangeForm({
  range,
  choices,
}: {
  range: ReportRange;
  choices: readonly { label: string; href: string }[];
}) {
  return (
    <Form method="get" action={appPaths.reports} className="mb-6 flex flex-wrap items-end gap-3 print:hidden">
      <TextInput name="from" label="From" type="date" defaultValue={range.from} showOptional={false} />
      <TextInput name="to" label="To" type="date" defaultValue={range.to} showOptional={false} />
      <Button type="submit" variant="secondary">
        Show
      </Button>
      {choices.map(({ label, href }) => (
        <Button key={href} to={href} variant="quiet">
          {label}
        </Button>
      ))}
    </Form>
  );
}
