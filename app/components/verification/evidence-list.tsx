import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { type Tone, toneIcon, toneText } from "~/components/ui/badge";
import { Icon, type IconName } from "~/components/ui/icons";
import type { Evidence } from "~/modules/verifications/verification";

interface EvidenceItemProps {
  tone: Tone;
  icon?: IconName;
  title: ReactNode;
  children?: ReactNode;
}

/** One thing that is known, with its icon. */
export function EvidenceItem({ tone, icon, title, children }: EvidenceItemProps) {
  return (
    <li className="flex gap-3 py-3 text-base first:pt-0 last:pb-0">
      <Icon name={icon ?? toneIcon[tone]} className={cx("mt-px", toneText[tone])} />
      <div className="min-w-0">
        <p>{title}</p>
        {children && <div className="mt-0.5 text-ink-soft text-sm">{children}</div>}
      </div>
    </li>
  );
}

function organisations(count: number): string {
  return count === 1 ? "1 organisation trusts" : `${count} organisations trust`;
}

interface EvidenceListProps {
  evidence: Evidence;
  /** Address of an own payee, for look-alikes. */
  payeeHref: (payeeId: string) => string;
}

/** What was known of the account when the verification opened. Evidence, never a decision. */
export function EvidenceList({ evidence, payeeHref }: EvidenceListProps) {
  const { institution, vouching, lookalikes } = evidence;
  const { leftOut = 0 } = vouching;
  const vouched = vouching.exact + vouching.close + vouching.different > 0;
  return (
    <ul className="divide-y divide-line">
      {institution ? (
        <EvidenceItem
          tone={institution.problem ? "review" : "neutral"}
          icon={institution.problem ? "alert" : "bank"}
          title={[institution.name, institution.branch].filter(Boolean).join(", ")}
        >
          {institution.problem ?? "The institution this BSB belongs to."}
        </EvidenceItem>
      ) : (
        <EvidenceItem tone="review" icon="alert" title="No institution is known for this BSB" />
      )}
      {evidence.unusualAccountLength && (
        <EvidenceItem tone="pending" icon="alert" title="Unusual account number length">
          Account numbers at this institution are usually longer or shorter.
        </EvidenceItem>
      )}
      {vouching.exact > 0 && (
        <EvidenceItem
          tone="verified"
          icon="users"
          title={`${organisations(vouching.exact)} this account under the same name`}
        />
      )}
      {vouching.close > 0 && (
        <EvidenceItem
          tone="pending"
          icon="users"
          title={`${organisations(vouching.close)} this account under a similar name`}
        />
      )}
      {vouching.different > 0 && (
        <EvidenceItem
          tone="review"
          icon="users"
          title={`${organisations(vouching.different)} this account under a different name`}
        />
      )}
      {!vouched && (
        <EvidenceItem tone="neutral" icon="users" title="No other organisation has vouched for this account yet" />
      )}
      {leftOut > 0 && (
        <EvidenceItem tone="neutral" icon="users" title={`Not counted: ${leftOut}`}>
          {leftOut === 1 ? "Another organisation trusts" : "Other organisations trust"} this account but{" "}
          {leftOut === 1 ? "is" : "are"} too new, unpaid or too closely related to be counted.
        </EvidenceItem>
      )}
      {lookalikes.map((lookalike) => (
        <EvidenceItem
          key={`${lookalike.payeeId} ${lookalike.reason}`}
          tone="pending"
          icon="copy"
          title={
            <>
              Looks like{" "}
              <Link
                to={payeeHref(lookalike.payeeId)}
                className="font-medium text-accent-text underline underline-offset-2"
              >
                {lookalike.name}
              </Link>
            </>
          }
        >
          {lookalike.detail}
        </EvidenceItem>
      ))}
    </ul>
  );
}
