import { Absent, ComparisonRow } from "~/components/payees/verification/comparison-row";
import { MarkedName } from "~/components/payees/verification/marked-name";
import type { MarkedNames } from "~/modules/name-match";
import type { ComparedRow, SubmittedDetails, VerifiedDetails } from "~/modules/verifying/review/comparison.view";

interface ComparisonTableProps {
  rows: readonly ComparedRow[];
  submitted: SubmittedDetails;
  verified: VerifiedDetails | null;
  /** The two names with their differences marked, where both are there to compare. */
  names: MarkedNames | undefined;
  /** Stands in a cell where there is no answer at all. */
  absent: string;
}

/** The two columns of the comparison card. */
export function ComparisonTable({ submitted, verified, rows, names, absent: nothing }: ComparisonTableProps) {
  const absent = <Absent>{verified ? "Not given" : nothing}</Absent>;
  return (
    <table className="w-full table-fixed border-line border-t text-left max-sm:block">
      <caption className="sr-only">Submitted details beside verified details</caption>
      <thead className="text-ink-soft text-sm max-sm:hidden">
        <tr className="bg-sunken">
          <td className="w-44 py-2" />
          <th scope="col" className="border-line border-l px-6 py-2 font-medium">
            Submitted details
          </th>
          <th scope="col" className="border-line border-l px-6 py-2 font-medium">
            Verified details
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-line sm:border-t max-sm:block">
        <ComparisonRow
          prominent
          label="Account name"
          submitted={names ? <MarkedName stretches={names.submitted} /> : submitted.accountName}
          verified={
            verified?.accountName ? (
              <VerifiedName {...verified} accountName={verified.accountName} names={names} />
            ) : (
              absent
            )
          }
          verdict={null}
        />
        {rows.map(({ label, verdict, ...row }) => (
          <ComparisonRow
            key={label}
            label={label}
            submitted={row.submitted ?? <Absent>Unknown BSB</Absent>}
            verified={row.verified ?? absent}
            verdict={verdict}
          />
        ))}
      </tbody>
    </table>
  );
}

type VerifiedNameProps = { accountName: string; otherHolders?: readonly string[]; names: MarkedNames | undefined };

function VerifiedName({ accountName, otherHolders = [], names }: VerifiedNameProps) {
  return (
    <>
      {names ? <MarkedName stretches={names.held} /> : accountName}
      {otherHolders.length > 0 && <span className="block text-ink-soft text-sm">with {otherHolders.join(", ")}</span>}
    </>
  );
}
