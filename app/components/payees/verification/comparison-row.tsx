import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { Icon } from "~/components/ui/icons";
import type { ComparedRow } from "~/modules/verifying/review/comparison.view";

interface ComparisonRowProps {
  label: string;
  submitted: ReactNode;
  verified: ReactNode;
  verdict: ComparedRow["verdict"];
  /** The name: larger, and judged by its score, not by this row. */
  prominent?: boolean;
}

/** One line of the comparison. Below 640 px the two names are under each other, letter below letter, and shorter values side by side. */
export function ComparisonRow({ label, submitted, verified, verdict, prominent }: ComparisonRowProps) {
  const line = prominent ? "text-lg" : "figures text-md";
  const cell = "border-line py-3.5 align-top max-sm:p-0 sm:border-l sm:px-6";
  return (
    <tr
      className={cx(
        "max-sm:grid max-sm:gap-x-4 max-sm:gap-y-2 max-sm:px-5 max-sm:py-4",
        !prominent && "max-sm:grid-cols-2 max-sm:[&>th]:col-span-2",
      )}
    >
      <th
        scope="row"
        className={cx(
          "py-3.5 align-top font-normal text-base text-ink-soft max-sm:p-0 sm:pl-6",
          prominent && "sm:pt-4.5",
        )}
      >
        {label}
      </th>
      <td className={cell}>
        <StackLabel>Submitted</StackLabel>
        <span className={cx("block", line)}>{submitted}</span>
      </td>
      <td className={cell}>
        <StackLabel>Verified</StackLabel>
        <span className={cx("flex flex-wrap items-start justify-between gap-x-4", line)}>
          <span className="min-w-0">{verified}</span>
          {verdict && <Verdict same={verdict.same}>{verdict.word}</Verdict>}
        </span>
      </td>
    </tr>
  );
}

function Verdict({ same, children }: { same: boolean; children: string }) {
  return (
    <span
      className={cx(
        "inline-flex h-[1.5625rem] items-center gap-1 font-medium text-sm",
        same ? "text-verified" : "text-review",
      )}
    >
      <Icon name={same ? "equals" : "notEquals"} className="size-4" />
      {children}
    </span>
  );
}

function StackLabel({ children }: { children: string }) {
  return <span className="block text-ink-soft text-xs sm:hidden">{children}</span>;
}

/** A value the bank did not give. */
export function Absent({ children = "Not given" }: { children?: string }) {
  return <span className="text-base text-ink-soft">{children}</span>;
}
