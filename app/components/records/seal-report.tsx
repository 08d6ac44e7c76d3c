import { Link } from "@remix-run/react";
import { Callout, linkClass } from "~/components/ui/elements";
import type { TrailReport } from "~/modules/core/audit/seals.server";

interface SealReportProps {
  report: TrailReport;
  /** The address of the check, for continuing with a long trail. */
  checkHref: string;
}

export function SealReport({ report, checkHref }: SealReportProps) {
  return (
    <>
      <Found report={report} checkHref={checkHref} />
      {report.restored && <RestoredTrail {...report.restored} />}
    </>
  );
}

function RestoredTrail({ at, from, until, kept, lostSeal }: NonNullable<TrailReport["restored"]>) {
  return (
    <Callout tone="warning" role="status" title={`The trail was restored at ${at}`} className="mb-5">
      Entries after number {kept} that were written from {from} to {until} are lost, and later entries now have their
      numbers.
      {lostSeal &&
        " The seal that you entered belongs to a lost entry, or to none that we know: it proves nothing about this trail."}
    </Callout>
  );
}

function Found({ report, checkHref }: SealReportProps) {
  if (!report.ok) return <Broken report={report} />;
  if (report.next) {
    const { count, hash } = report.next;
    return (
      <Callout tone="info" role="status" title={`The first ${count} entries are unchanged`} className="mb-5">
        A long trail is checked in parts.{" "}
        <Link to={`${checkHref}&after=${count}&afterHash=${hash}`} className={linkClass}>
          Continue the check
        </Link>
      </Callout>
    );
  }
  return (
    <Callout tone="success" role="status" title="The trail is complete and unchanged" className="mb-5">
      {report.checked === 1 ? "1 entry is exactly as it was" : `${report.checked} entries are exactly as they were`}{" "}
      sealed
      {report.unsealed > 0 ? `, ${report.unsealed} are not sealed yet` : ""}. Keep this seal elsewhere to prove it
      later: entry {report.checked}, <span className="figures break-all">{report.hash}</span>
    </Callout>
  );
}

function Broken({ report }: { report: TrailReport }) {
  return (
    <Callout tone="danger" role="alert" title={`The trail is broken at entry ${report.brokenAt}`} className="mb-5">
      The {report.checked} entries before it are as they were sealed.
      {report.unknown > 0 && ` Entries without a seal, which are not shown in the list: ${report.unknown}.`} Compare
      this trail with an export you kept, and contact us at once.
    </Callout>
  );
}
