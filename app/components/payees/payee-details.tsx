import { FormerHolders } from "~/components/payees/payee-flags";
import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import { AccountNumber, Bsb, Digits } from "~/components/ui/digits";
import { Email } from "~/components/ui/email";
import { formatAbn } from "~/kernel/abn";
import { FIELD_LABELS } from "~/kernel/payee";
import type { PayeeView } from "~/modules/payees/payee.view";

const Missing = () => <span className="text-ink-soft">Not given</span>;

/** Where the money goes, in full. */
export function BankDetailsCard({ payee }: { payee: PayeeView }) {
  const { details, institution, hasUnusualLength, formerHolders, ownFormerAccount, flags } = payee;
  // Where it speaks against the payee it stands above.
  const told = flags.includes("former_account") ? [] : formerHolders;
  return (
    <Card title="Bank details" description="Shown in full here; looking at them is recorded.">
      <DefinitionList
        columns={2}
        items={[
          { term: FIELD_LABELS.accountName, value: <span className="font-medium">{details.accountName}</span> },
          {
            term: "Institution",
            value: institution ? (
              <>
                {[institution.name, institution.branch].filter(Boolean).join(", ")}
                {institution.problem && <span className="block text-review text-sm">{institution.problem}</span>}
              </>
            ) : (
              <span className="text-review">No institution is known for this BSB</span>
            ),
          },
          { term: FIELD_LABELS.bsb, value: <Bsb value={details.bsb} className="font-medium" /> },
          {
            term: FIELD_LABELS.accountNumber,
            value: (
              <>
                <AccountNumber value={details.accountNumber} className="font-medium" />
                {hasUnusualLength && (
                  <span className="block text-pending text-sm">An unusual length at this institution</span>
                )}
              </>
            ),
          },
        ]}
      />
      {(told.length > 0 || ownFormerAccount) && (
        <div className="mt-4 grid gap-1 text-base text-ink-soft">
          <FormerHolders holders={told} />
          {ownFormerAccount && <p>{ownFormerAccount}</p>}
        </div>
      )}
    </Card>
  );
}

/** Who is behind it, and how to reach them. */
export function ContactCard({ payee }: { payee: PayeeView }) {
  const { details, phoneShown, addedAt, payments } = payee;
  return (
    <Card title="Payee">
      <DefinitionList
        columns={2}
        items={[
          { term: FIELD_LABELS.abn, value: details.abn ? <Digits>{formatAbn(details.abn)}</Digits> : <Missing /> },
          {
            term: FIELD_LABELS.email,
            value: details.email ? <Email value={details.email} /> : <Missing />,
          },
          { term: FIELD_LABELS.phone, value: phoneShown ? <Digits>{phoneShown}</Digits> : <Missing /> },
          {
            term: FIELD_LABELS.address,
            value: details.address ? <span className="whitespace-pre-line">{details.address}</span> : <Missing />,
          },
          { term: "Added", value: addedAt.exact },
          {
            term: "Successful payments",
            value: payments.last ? `${payments.count}, the last on ${payments.last.exact}` : String(payments.count),
          },
        ]}
      />
    </Card>
  );
}
