import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { Icon } from "~/components/ui/icons";

interface ComparisonRowProps {
  label: string;
  submitted: ReactNode;
  verified: ReactNode;
  /** `null` where there is nothing to hold it against. */
  same: boolean | null;
  /** Says more than Same or Different: "Ends the same". */
  verdict?: string;
  /** The name: larger, and judged by its score, not by this row. */
  prominent?: boolean;
}

/** One line of the comparison. Below 640 px the two values stand under each other, so they can still be read as a pair. */
export function ComparisonRow({ label, submitted, verified, same, verdict, prominent }: ComparisonRowProps) {
  const value = cx("block min-w-0 break-words", prominent ? "text-lg leading-7" : "figures text-md");
  return (
    <tr className="max-sm:grid max-sm:gap-2 max-sm:px-5 max-sm:py-4">
      <th scope="row" className="py-3.5 pr-4 pl-5 align-top font-normal text-base text-ink-soft max-sm:p-0">
        {label}
      </th>
      <td className="border-line py-3.5 pr-5 align-top max-sm:p-0 sm:border-l sm:pl-5">
        <StackLabel>Submitted</StackLabel>
        <span className={value}>{submitted}</span>
      </td>
      <td className="border-line py-3.5 pr-5 align-top max-sm:p-0 sm:border-l sm:pl-5">
        <StackLabel>Verified</StackLabel>
        <span className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <span className={value}>{verified}</span>
          {same !== null && (
            <span
              className={cx(
                "inline-flex items-center gap-1 font-medium text-sm",
                same ? "text-verified" : "text-review",
              )}
            >
              <Icon name={same ? "equals" : "notEquals"} className="size-4 self-center" />
              {verdict ?? (same ? "Same" : "Different")}
            </span>
          )}
        </span>
      </td>
    </tr>
  );
}

function StackLabel({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="block text-ink-soft text-xs sm:hidden">
      {children}
    </span>
  );
}

/** A value the bank did not give. */
export function Absent({ children = "Not given" }: { children?: string }) {
  return <span className="text-base text-ink-soft">{children}</span>;
}
