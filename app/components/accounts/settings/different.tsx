import { linkClass } from "~/components/ui/elements";
import { Card, DefinitionList } from "~/components/ui/page-parts";

interface DifferentProps {
  /** `id`: of the field or group of fields. */
  different: readonly { id: string; label: string; now: string; initial: string }[];
  /** What is said where nothing differs. */
  none: string;
}

/** What somebody has changed, before the form with everything. */
export function Different({ different, none }: DifferentProps) {
  if (different.length === 0) return <p className="text-base">{none}</p>;
  return (
    <Card title="Different from the default" description="Everything else has its default.">
      <DefinitionList
        items={different.map(({ id, label, now, initial }) => ({
          term: label,
          value: (
            <>
              <a href={`#${id}`} className={linkClass}>
                {now}
              </a>{" "}
              <span className="text-ink-soft">Default: {initial}</span>
            </>
          ),
        }))}
      />
    </Card>
  );
}
