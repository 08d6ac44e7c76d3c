import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/post-form";
import { Button } from "~/components/ui/button";
import { Icon } from "~/components/ui/icons";

interface SearchBoxProps {
  /** What can be searched: "Search payee, account name, BSB or account number". */
  label: string;
  /** Query parameter; `q` unless told. */
  name?: string;
  defaultValue?: string;
  /** Other parameters of the address that a search must keep, such as the filter. */
  keep?: Readonly<Record<string, string | null | undefined>>;
  /** Where the form leads; this page unless told. */
  action?: string;
  /** Address without the search, drawn as "Clear" while there is one. */
  clearHref?: string;
}

/** A GET form, so a search has an address. */
export function SearchBox({ label, name = "q", defaultValue, keep = {}, action, clearHref }: SearchBoxProps) {
  return (
    <Form
      method="get"
      action={action}
      role="search"
      className="flex w-full flex-wrap gap-2 sm:w-auto"
      preventScrollReset
    >
      <HiddenFields values={keep} />
      <label className="relative min-w-0 flex-1 sm:w-80 sm:flex-none">
        <span className="sr-only">{label}</span>
        <Icon name="search" className="pointer-events-none absolute top-2.5 left-3 text-ink-soft" />
        <input
          type="search"
          name={name}
          defaultValue={defaultValue}
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          className="block min-h-10 w-full truncate rounded-base bg-surface py-2 pr-3 pl-10 text-md shadow-rest border border-control placeholder:text-ink-soft sm:text-base any-pointer-coarse:text-md"
        />
      </label>
      <Button type="submit" variant="secondary">
        Search
      </Button>
      {defaultValue && clearHref && (
        <Button to={clearHref} variant="quiet">
          Clear
        </Button>
      )}
    </Form>
  );
}
