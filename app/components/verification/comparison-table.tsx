import { Bsb, Digits } from "~/components/ui/digits";
import { Absent, ComparisonRow } from "~/components/verification/comparison-row";
import { MarkedName } from "~/components/verification/marked-name";
import { sameAccountNumber } from "~/kernel/account-number";
import type { NamePart } from "~/modules/name-match";

export interface SubmittedDetails {
  accountName: string;
  /** Digits. */
  bsb: string;
  /** Digits, in full. */
  accountNumber: string;
  /** Name of the institution the BSB belongs to. */
  institution?: string | null;
}

export interface VerifiedDetails {
  accountName?: string | null;
  bsb?: string | null;
  accountNumber?: string | null;
  /** The digits that could be seen where the bank masks the number. */
  visibleDigits?: string | null;
  institution?: string | null;
  /** Names of the other holders of a joint account. */
  otherHolders?: readonly string[];
}

interface ComparisonTableProps {
  submitted: SubmittedDetails;
  verified: VerifiedDetails | null;
  parts: readonly NamePart[];
  /** Stands in a cell where there is no answer at all. */
  absent: string;
}

/** The two columns of the comparison card. */
export function ComparisonTable({ submitted, verified, parts, absent: nothing }: ComparisonTableProps) {
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
          submitted={<MarkedName name={submitted.accountName} parts={parts} side="submitted" />}
          verified={
            verified?.accountName ? (
              <VerifiedName {...verified} accountName={verified.accountName} parts={parts} />
            ) : (
              absent
            )
          }
          same={null}
        />
        <ComparisonRow
          label="BSB"
          submitted={<Bsb value={submitted.bsb} />}
          verified={verified?.bsb ? <Bsb value={verified.bsb} /> : absent}
          same={verified?.bsb ? verified.bsb === submitted.bsb : null}
        />
        <AccountNumberRow submitted={submitted.accountNumber} verified={verified} absent={absent} />
        <ComparisonRow
          label="Institution"
          submitted={submitted.institution ?? <Absent>Unknown BSB</Absent>}
          verified={verified?.institution ?? absent}
          same={null}
        />
      </tbody>
    </table>
  );
}

type VerifiedNameProps = { accountName: string; otherHolders?: readonly string[]; parts: readonly NamePart[] };

function VerifiedName({ accountName, otherHolders = [], parts }: VerifiedNameProps) {
  return (
    <>
      <MarkedName name={accountName} parts={parts} side="held" />
      {otherHolders.length > 0 && <span className="block text-ink-soft text-sm">with {otherHolders.join(", ")}</span>}
    </>
  );
}

function AccountNumberRow({
  submitted,
  verified,
  absent,
}: {
  submitted: string;
  verified: VerifiedDetails | null;
  absent: JSX.Element;
}) {
  const row = { label: "Account number", submitted: <Digits>{submitted}</Digits> };
  if (verified?.accountNumber) {
    const same = sameAccountNumber(submitted, verified.accountNumber);
    return <ComparisonRow {...row} verified={<Digits>{verified.accountNumber}</Digits>} same={same} />;
  }
  if (verified?.visibleDigits) {
    const same = submitted.endsWith(verified.visibleDigits);
    return (
      <ComparisonRow
        {...row}
        verified={<Digits>{`•••••${verified.visibleDigits}`}</Digits>}
        same={same}
        verdict={same ? "Ends the same" : "Ends differently"}
      />
    );
  }
  return <ComparisonRow {...row} verified={absent} same={null} />;
}
