/** Values that travel with a form; absent ones are left out. */
export function HiddenFields({ values }: { values: Readonly<Record<string, string | number | null | undefined>> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) =>
        value === null || value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
    </>
  );
}
