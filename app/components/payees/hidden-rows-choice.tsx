import { RadioGroup } from "~/components/forms/radio-group";
import type { FormAnswer } from "~/kernel/form-answer";

interface HiddenRowsChoiceProps {
  answer?: FormAnswer;
  /** What is done with hidden rows that count: "Import them too". */
  take: string;
}

/** Asked once a workbook with hidden rows was uploaded: neither answer is right for everybody. */
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
