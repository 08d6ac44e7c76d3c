import { useState } from "react";
import { FieldError } from "~/components/forms/fields";
import { SubmitButton } from "~/components/forms/form";
import { Icon } from "~/components/ui/elements";
import { useHydrated } from "~/components/use-hydrated";

export interface OrganizationOption {
  id: string;
  name: string;
  logo?: string | null;
  subdomain?: string | null;
}

/** A choice of organisations with a button. Without scripts the browser itself requires a choice. */
export function OrganizationOptions(props: {
  options: readonly OrganizationOption[];
  /** The product's domain, shown after a subdomain. */
  productDomain: string;
  buttonText: string;
  pendingText: string;
  chosenId?: string;
  error?: readonly string[];
}) {
  const { options, productDomain, buttonText, pendingText, chosenId, error } = props;
  const [isChosen, setChosen] = useState(chosenId !== undefined);
  const hasScripts = useHydrated();
  return (
    <div className="grid gap-5">
      <fieldset className="min-w-0" onChange={() => setChosen(true)}>
        <legend className="sr-only">Organisation</legend>
        <div className="grid gap-2.5">
          {options.map((option, index) => (
            <label
              key={option.id}
              className="flex items-center gap-3 rounded-base bg-surface px-4 py-3 text-base border border-line has-checked:bg-accent-wash/50 has-checked:border-accent-text hover:border-control"
            >
              <input
                id={index === 0 ? "organizationId" : undefined}
                type="radio"
                name="organizationId"
                value={option.id}
                defaultChecked={option.id === chosenId}
                required
                className="tick"
              />
              <OrganizationMark logo={option.logo} />
              <span className="min-w-0">
                <span className="block truncate font-medium">{option.name}</span>
                {option.subdomain && (
                  <span className="block truncate text-ink-soft text-sm">
                    {option.subdomain}.{productDomain}
                  </span>
                )}
              </span>
            </label>
          ))}
        </div>
        <FieldError error={error} />
      </fieldset>
      <SubmitButton pendingText={pendingText} disabled={hasScripts && !isChosen}>
        {buttonText}
      </SubmitButton>
    </div>
  );
}

/** An organisation's logo, or a placeholder; decorative, the name is beside it. */
export function OrganizationMark({ logo }: { logo?: string | null }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-base bg-sunken text-ink-soft border border-line"
    >
      {logo ? (
        <img src={logo} alt="" className="size-full object-contain" />
      ) : (
        <Icon name="building" className="size-5" />
      )}
    </span>
  );
}
