import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { Select } from "~/components/forms/select";
import { TextInput } from "~/components/forms/text-input";
import { Button } from "~/components/ui/button";
import { paymentsHref } from "~/modules/payments/payment-list.view";
import { isNarrowed, type PaymentSearch } from "~/modules/payments/payment-search";

interface PaymentsFilterProps {
  search: PaymentSearch;
  people: readonly { userId: string; name: string }[];
}

/** Days, amounts and who recorded it. A GET form, so a search has an address; open while it narrows the list. */
export function PaymentsFilter({ search, people }: PaymentsFilterProps) {
  const { filter, q, from, to, min, max, payeeId, by } = search;
  return (
    <details open={isNarrowed({ ...search, q: undefined })} className="w-full">
      <summary className="inline-flex min-h-10 items-center rounded-base text-accent-text text-base">
        Dates, amounts and people
      </summary>
      <Form method="get" preventScrollReset className="grid items-end gap-3 pt-2 sm:grid-cols-3 lg:grid-cols-6">
        <HiddenFields values={{ status: filter === "all" ? undefined : filter, q, payeeId }} />
        <TextInput name="from" type="date" label="From" defaultValue={from} />
        <TextInput name="to" type="date" label="To" defaultValue={to} />
        <TextInput name="min" label="At least ($)" inputMode="decimal" autoComplete="off" digits defaultValue={min} />
        <TextInput name="max" label="At most ($)" inputMode="decimal" autoComplete="off" digits defaultValue={max} />
        <Select
          name="by"
          label="Recorded by"
          placeholder="Anyone"
          defaultValue={by ?? ""}
          options={people.map(({ userId, name }) => ({ value: userId, label: name }))}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="secondary">
            Show
          </Button>
          {isNarrowed(search) && (
            <Button to={paymentsHref({ filter })} variant="quiet">
              Clear
            </Button>
          )}
        </div>
      </Form>
    </details>
  );
}
