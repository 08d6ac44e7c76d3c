import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { Button } from "~/components/ui/button";
import { Time } from "~/components/ui/time";
import type { AlertLine } from "~/modules/messages/alerts/alerts.view";

/** A person's alerts, newest first. Each is a button: opening it marks it as read and leads to the item. */
export function AlertList({ lines }: { lines: readonly AlertLine[] }) {
  return (
    <ul className="divide-y divide-line">
      {lines.map((line) => (
        <li key={line.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-4">
          <div className="min-w-0 flex-1 basis-72">
            <p className={line.isRead ? "text-base" : "font-semibold text-base"}>
              {!line.isRead && <span className="mr-2 rounded-full border border-accent-text px-1.5 text-xs">New</span>}
              {line.title}
            </p>
            <p className="mt-0.5 text-ink-soft text-sm">{line.body}</p>
          </div>
          <p className="text-ink-soft text-sm">
            <Time {...line.when} />
          </p>
          <Form method="post">
            <HiddenFields values={{ alertId: line.id }} />
            <Button type="submit" name="intent" value="open" variant="secondary" size="sm">
              {line.hasPage ? "Open" : "Mark as read"}
              <span className="sr-only">: {line.title}</span>
            </Button>
          </Form>
        </li>
      ))}
    </ul>
  );
}
