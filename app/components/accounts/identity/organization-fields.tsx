import { useState } from "react";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { RadioGroup } from "~/components/forms/radio-group";
import { Select } from "~/components/forms/select";
import { TextInput } from "~/components/forms/text-input";
import type { OrganizationByDomain } from "~/modules/accounts/organizations/organization";

interface OrganizationFieldsProps {
  organizations: readonly OrganizationByDomain[];
  suggestedName: string;
  values: Record<string, string>;
  errors: Record<string, string[]>;
}

/** Join an organisation that was found, or create a new one. */
export function OrganizationFields({ organizations, suggestedName, values, errors }: OrganizationFieldsProps) {
  const [typedName, setTypedName] = useState(values["newOrganisation.name"] || null);
  const isSuggestion = typedName === null && suggestedName !== "";
  return (
    <div className="group grid gap-5">
      <JoinOrCreate organizations={organizations} values={values} errors={errors} />
      <div className="grid gap-5 group-has-[input[name=createOrganisation][value=false]:checked]:hidden">
        <TextInput
          name="newOrganisation.name"
          label="Organisation name"
          hint={isSuggestion && "Suggested from your email address"}
          required
          autoComplete="organization"
          value={typedName ?? suggestedName}
          onChange={(event) => setTypedName(event.currentTarget.value)}
          error={errors["newOrganisation.name"]}
        />
        <TextInput
          name="newOrganisation.abn"
          label="ABN"
          hint="11 digits"
          digits
          inputMode="numeric"
          autoComplete="off"
          defaultValue={values["newOrganisation.abn"]}
          error={errors["newOrganisation.abn"]}
        />
      </div>
    </div>
  );
}

function JoinOrCreate({ organizations, values, errors }: Omit<OrganizationFieldsProps, "suggestedName">) {
  const [first, ...others] = organizations;
  if (!first) return <HiddenFields values={{ createOrganisation: "true" }} />;
  const joinLabel = others.length === 0 ? `Join ${first.name}` : "Join an organisation with my email domain";
  return (
    <>
      <RadioGroup
        name="createOrganisation"
        label="Your organisation"
        required
        look="cards"
        defaultValue={values.createOrganisation ?? "false"}
        error={errors.createOrganisation}
        options={[
          { value: "false", label: joinLabel, hint: "One of its administrators approves you." },
          { value: "true", label: "Create a new organisation" },
        ]}
      />
      {others.length === 0 ? (
        <HiddenFields values={{ organisationId: first.id }} />
      ) : (
        <Select
          name="organisationId"
          label="Organisation"
          required
          placeholder="Choose one"
          defaultValue={values.organisationId ?? ""}
          options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
          error={errors.organisationId}
          className="group-has-[input[name=createOrganisation][value=true]:checked]:hidden"
        />
      )}
    </>
  );
}
