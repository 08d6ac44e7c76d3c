import { cx } from "~/components/cx";
import { toneText } from "~/components/ui/badge";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import type { EvidenceLine } from "~/modules/verifying/review/evidence.view";

/** What was known of the account when the verification opened, one thing a line. */
export function EvidenceList({ lines }: { lines: readonly EvidenceLine[] }) {
  return (
    <ul className="divide-y divide-line">
      {lines.map(({ tone, icon, title, detail, payee }) => (
        <li key={`${title} ${payee?.href} ${detail}`} className="flex gap-3 py-3 text-base first:pt-0 last:pb-0">
          <Icon name={icon} className={cx("mt-px", toneText[tone])} />
          <div className="min-w-0">
            <p>
              {title}
              {payee && " "}
              {payee && (
                <Link to={payee.href} className="font-medium text-accent-text underline underline-offset-2">
                  {payee.name}
                </Link>
              )}
            </p>
            {detail && <div className="mt-0.5 text-ink-soft text-sm">{detail}</div>}
          </div>
        </li>
      ))}
    </ul>
  );
}
