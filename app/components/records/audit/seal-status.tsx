import { Link } from "@remix-run/react";
import { Callout } from "~/components/ui/callout";

/** What a check of the whole trail found. */
export type SealReport = {
  ok: boolean;
  checked: number;
  unsealed: number;
  unknown: number;
  brokenAt?: number;
  hash: string;
  next?: { count: number; hash: string };
};

interface SealStatusProps {
  /** Of a check that was asked for; absent otherwise. */
  report?: SealReport;
  /** The newest seal; absent before the first. */
  tip?: { count: number; hash: string };
  checkHref: string;
  /** Addresses of the trail's export, where it takes more than one part. */
  parts: readonly { href: string; label: string }[];
}

/** Whether the trail is whole, as far as anybody asked. */
export function SealStatus({ report, tip, checkHref, parts }: SealStatusProps) {
  if (!report || (report.ok && !report.next && !report.checked))
    return <NotChecked tip={tip} checkHref={checkHref} parts={parts} />;
  if (!report.ok) return <Broken report={report} />;
  if (report.next) {
    const { count, hash } = report.next;
    return (
      <Callout tone="info" role="status" title={`The first ${count} entries are unchanged`} className="mb-5">
        A long trail is checked in parts.{" "}
        <Link
          to={`${checkHref}&after=${count}&afterHash=${hash}`}
          className="font-medium text-accent-text underline underline-offset-2"
        >
          Go on with the check
        </Link>
      </Callout>
    );
  }
  return (
    <Callout tone="success" role="status" title="The trail is complete and unchanged" className="mb-5">
      {report.checked} entries are exactly as they were sealed
      {report.unsealed > 0 ? `, ${report.unsealed} are not sealed yet` : ""}. Keep this seal elsewhere to prove it
      later: entry {report.checked}, <span className="figures break-all">{report.hash}</span>
    </Callout>
  );
}

function Broken({ report }: { report: SealReport }) {
  return (
    <Callout tone="danger" role="alert" title={`The trail is broken at entry ${report.brokenAt}`} className="mb-5">
      The {report.checked} entries before it are as they were sealed.
      {report.unknown > 0 && ` Entries without a seal, which are not shown in the list: ${report.unknown}.`} Compare
      this trail with an export you kept, and contact us at once.
    </Callout>
  );
}

function NotChecked({ tip, checkHref, parts }: Omit<SealStatusProps, "report">) {
  return (
    <p className="mb-5 text-base text-ink-soft">
      {tip
        ? `${tip.count} entries are sealed: none can be changed or removed unnoticed. `
        : "Nothing is sealed yet; new entries are sealed every few minutes. "}
      <Link to={checkHref} className="font-medium text-accent-text underline underline-offset-2">
        Check the whole trail
      </Link>
      {parts.length > 1 && (
        <>
          . Export in parts:{" "}
          {parts.map(({ href, label }, index) => (
            <span key={href}>
              {index > 0 && ", "}
              <Link to={href} reloadDocument className="font-medium text-accent-text underline underline-offset-2">
                {label}
              </Link>
            </span>
          ))}
        </>
      )}
    </p>
  );
}
