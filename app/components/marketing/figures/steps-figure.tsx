import { Sheet } from "~/components/marketing/figures/sheet";
import { Icon, type IconName } from "~/components/ui/icons";

const STEPS: readonly { icon: IconName; what: string; how: string }[] = [
  { icon: "link", what: "The payee confirms", how: "on a page that names your organisation" },
  { icon: "bank", what: "The payee's bank answers", how: "and says who holds the account, with the payee's consent" },
  { icon: "users", what: "A reviewer decides", how: "a second person, if your policy requires it" },
];

export function StepsFigure() {
  return (
    <Sheet caption="Three independent confirmations">
      <ol className="grid gap-4">
        {STEPS.map((step) => (
          <li key={step.what} className="flex gap-3">
            <span className="grid size-9 shrink-0 place-items-center rounded-full bg-verified-wash text-verified border border-verified-line">
              <Icon name={step.icon} className="size-4.5" />
            </span>
            <p className="text-base">
              <span className="block font-medium text-md">{step.what}</span>
              <span className="text-ink-soft">{step.how}</span>
            </p>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
