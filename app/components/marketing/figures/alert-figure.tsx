import { Sheet } from "~/components/marketing/figures/sheet";
import { Icon } from "~/components/ui/icons";

export function AlertFigure() {
  return (
    <Sheet caption="Alert to every member who can act, except the person who made the change">
      <div className="flex gap-3">
        <Icon name="mail" className="mt-0.5 text-accent-text" />
        <div className="min-w-0">
          <p className="font-semibold text-md">Bank details changed: Harbour Foods</p>
          <p className="mt-2 text-base">
            Sam Lee changed the account number of Harbour Foods. The payee has left the whitelist. Payments to it are
            held until the new details are verified.
          </p>
          <p className="mt-2 text-base text-ink-soft">
            If you did not expect this, speak to Sam, and call the payee on a number you already know.
          </p>
        </div>
      </div>
    </Sheet>
  );
}
