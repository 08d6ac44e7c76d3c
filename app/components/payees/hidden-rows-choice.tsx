import type { FormAnswer } from "~/components/forms/form";
import { RadioGroup } from "~/components/forms/radio-group";

interface HiddenRowsChoiceProps {
  answer?: FormAnswer;
  /** The label of the option to use hidden rows: "Import them too". */
  take: string;
}

/** Asked after a workbook with hidden rows was uploaded, because neither answer would suit everybody. */
export function HiddenRowsChoice({ answer, take }: HiddenRowsChoiceProps) {
  const error = answer?.errors.hiddenRows;
  const chosen = answer?.values.hiddenRows;
  if (!error && !chosen) return null;
  return (
    <RadioGroup
      name="hiddenRows"
      label="Rows that are hidden in the workbook"
      options={[
        { value: "leave_out", label: "Leave them out" },
        { value: "import", label: take },
      ]}
      defaultValue={chosen}
      error={error}
      required
    />
  );
}
