import { Sheet } from "~/components/marketing/figures/sheet";
import { Icon, type IconName } from "~/components/ui/icons";

const STEPS: readonly { icon: IconName; what: string; how: string }[] = [
  { icon: "link", what: "The payee confirms", how: "by a link that only answers to a button, never to a mail scanner" },
  { icon: "bank", what: "The payee's bank answers", how: "with the payee's consent, who holds the account" },
  { icon: "users", what: "A reviewer decides", how: "not the person who asked, if your policy says so" },
];

export function StepsFigure() {
  return (
    <Sheet caption="Three parties, none of whom is the mail">
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
