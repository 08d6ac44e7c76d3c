import { type OrganizationOption, OrganizationOptions } from "~/components/accounts/organizations/organization-options";
import { Form } from "~/components/forms/form";
import { LogoutForm } from "~/components/layout/logout-form";
import { Button } from "~/components/ui/elements";
import { sitePaths } from "~/kernel/paths/site";

interface OrganizationPickerProps {
  options: readonly OrganizationOption[];
  productDomain: string;
}

/** The contents of the picker, inside an overlay or on its own page. */
export function OrganizationChoice({ options, productDomain }: OrganizationPickerProps) {
  return (
    <Form method="post" action={sitePaths.selectOrganization}>
      <OrganizationOptions
        options={options}
        productDomain={productDomain}
        buttonText="Join Organisation"
        pendingText="Joining..."
      />
    </Form>
  );
}

export const PICKER_TITLE = "Select your Organisation";
export const pickerText = (count: number) =>
  count === 1
    ? "One organisation matches your email domain. Please select it if it is yours."
    : "Multiple organisations match your email domain. Please select yours.";

/**
 * An overlay on the public site for a person who has not chosen their organisation yet. It is part of the page, so it
 * works without scripts; the page behind it is inert, so the keyboard stays inside. The only other option is to log
 * out.
 */
export function OrganizationPicker({ options, productDomain }: OrganizationPickerProps) {
  return (
    <div className="fixed inset-0 z-40 grid overflow-y-auto bg-ink/45 p-4">
      <div
        role="dialog"
        aria-modal="true"
        aria-labelledby="picker-title"
        aria-describedby="picker-text"
        className="m-auto w-full max-w-[28rem] rounded-base bg-surface p-6 text-ink shadow-lift border border-line sm:p-8"
      >
        <h1 id="picker-title" className="display text-2xl">
          {PICKER_TITLE}
        </h1>
        <p id="picker-text" className="mt-1 mb-6 text-base text-ink-soft">
          {pickerText(options.length)}
        </p>
        <OrganizationChoice options={options} productDomain={productDomain} />
        <LogoutForm className="mt-4 text-center">
          <Button type="submit" variant="quiet" size="sm">
            Logout
          </Button>
        </LogoutForm>
      </div>
    </div>
  );
}
