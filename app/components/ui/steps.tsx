import { cx } from "~/components/cx";
import { Icon } from "~/components/ui/icons";

/** Progress through named steps; `current` counts from 1. */
export function Steps({ items, current, label }: { items: readonly string[]; current: number; label: string }) {
  return (
    <ol aria-label={label} className="flex gap-2">
      {items.map((item, index) => {
        const step = index + 1;
        const done = step < current;
        return (
          <li key={item} aria-current={step === current ? "step" : undefined} className="flex-1">
            <span data-filled={step <= current} className="step-bar" />
            <span
              className={cx(
                "mt-2 flex items-center gap-1 text-xs",
                step === current ? "font-medium text-ink" : "text-ink-soft",
              )}
            >
              {done && <Icon name="check" className="size-3.5 text-accent-text" />}
              {done && <span className="sr-only">Done: </span>}
              <span className={step === current ? undefined : "max-sm:sr-only"}>{item}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
