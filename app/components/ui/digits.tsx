import { cx } from "~/components/cx";
import { formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import { formatAud } from "~/kernel/money";

/** Digits in tabular figures that are never broken over two lines. */
export function Digits({ children, className }: { children: string; className?: string }) {
  return <span className={cx("figures whitespace-nowrap", className)}>{children}</span>;
}

/** Six digits, shown as 062-000. */
export function Bsb({ value, className }: { value: string; className?: string }) {
  return <Digits className={className}>{formatBsb(value)}</Digits>;
}

/** A full account number. Lists, emails and the audit trail use `Masked` instead. */
export function AccountNumber({ value, className }: { value: string; className?: string }) {
  return <Digits className={className}>{value}</Digits>;
}

/**
 * All but the last digits are hidden, as in `maskAccountNumber`; screen readers get "ending 678". Takes the full or
 * masked number.
 */
export function Masked({ value, className }: { value: string; className?: string }) {
  const masked = value.includes("•") ? value : maskAccountNumber(value);
  const shown = masked.replace(/•/g, "");
  return (
    <span className={cx("figures whitespace-nowrap", className)}>
      <span aria-hidden="true" className="text-ink-soft">
        {masked.slice(0, masked.length - shown.length)}
      </span>
      <span className="sr-only">{shown ? "ending " : "hidden"}</span>
      {shown}
    </span>
  );
}

/** Integer cents, shown as $1,234.50. */
export function Amount({ cents, className }: { cents: number; className?: string }) {
  return <Digits className={className}>{formatAud(cents)}</Digits>;
}
