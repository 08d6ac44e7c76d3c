import { Link } from "@remix-run/react";
import { cx, Icon, linkClass, toneText } from "~/components/ui/elements";
import { Card, DefinitionList, Digits } from "~/components/ui/page-parts";
import { appPaths } from "~/kernel/paths/app";
import type { InvoiceView } from "~/modules/payments/invoices/invoice-page.server";

/** The document's own lines beside the payee's details, then the account field by field. */
export function AccountCard({ invoice }: { invoice: InvoiceView }) {
  const { lines, payee, caller, standing, compared, found, noPayee, originalHref, isRed } = invoice;
  return (
    <Card
      title={payee ? "The account on the invoice, beside the payee’s" : "The account on the invoice"}
      description={found}
      flush
    >
      <div className="grid border-line border-t sm:grid-cols-2 sm:divide-x sm:divide-line">
        <div className="min-w-0 p-5">
          <p className="text-ink-soft text-sm">The invoice’s own lines</p>
          <ol className="mt-2 rounded-base bg-sunken p-1 text-sm border border-line">
            {lines.map(({ key, text, isMarked }) => (
              <li
                key={key}
                className={cx(
                  "break-words px-3 py-0.5 border-l-2",
                  isMarked
                    ? isRed
                      ? "bg-review-wash font-medium border-review-line"
                      : "bg-surface font-medium border-control"
                    : "text-ink-soft border-transparent forced-colors:border-[Canvas]",
                )}
              >
                {text}
              </li>
            ))}
          </ol>
          {originalHref && (
            <a href={originalHref} className={cx("mt-3 inline-block text-base", linkClass)}>
              Download the document
            </a>
          )}
        </div>
        <div className="min-w-0 p-5">
          <p className="mb-2 text-ink-soft text-sm">Your payee</p>
          {payee ? (
            <DefinitionList
              items={[
                {
                  term: "Payee",
                  value: (
                    <>
                      <Link to={appPaths.payee(payee.id)} className={linkClass}>
                        {payee.name}
                      </Link>
                      , {payee.by}
                    </>
                  ),
                },
                ...(standing ? [{ term: "Account", value: standing }] : []),
                ...(caller ? [{ term: "Paid", value: caller.paid }] : []),
              ]}
            />
          ) : (
            <p className="text-base">{noPayee}</p>
          )}
        </div>
      </div>
      {compared.length > 0 && <Comparison rows={compared} hasPayee={payee !== null} />}
    </Card>
  );
}

function Comparison({ rows, hasPayee }: { rows: InvoiceView["compared"]; hasPayee: boolean }) {
  return (
    <table className="w-full border-line border-t text-left text-base">
      <caption className="sr-only">The account, field by field</caption>
      <thead className="bg-sunken text-ink-soft text-sm max-sm:hidden">
        <tr>
          <th scope="col" className="px-5 py-2 font-medium">
            Field
          </th>
          <th scope="col" className="px-3 py-2 font-medium">
            On the invoice
          </th>
          {hasPayee && (
            <>
              <th scope="col" className="px-3 py-2 font-medium">
                The payee’s
              </th>
              <th scope="col" className="px-5 py-2 font-medium">
                Compared
              </th>
            </>
          )}
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-line border-t">
        {rows.map(({ label, asked, known, isSame }) => (
          <tr key={label} className="max-sm:grid max-sm:grid-cols-[7rem_1fr] max-sm:py-2">
            <th scope="row" className="px-5 py-2.5 font-normal text-ink-soft max-sm:col-span-2 max-sm:py-0.5">
              {label}
            </th>
            <td className="px-3 py-2.5 max-sm:col-span-2 max-sm:px-5 max-sm:py-0.5">
              <span className="mr-2 text-ink-soft text-sm sm:sr-only">On the invoice</span>
              <Compared value={asked} isMarked={isSame === false} />
            </td>
            {hasPayee && (
              <>
                <td
                  className={cx(
                    "px-3 py-2.5 max-sm:col-span-2 max-sm:px-5 max-sm:py-0.5",
                    known === asked && "max-sm:hidden",
                  )}
                >
                  <span className="mr-2 text-ink-soft text-sm sm:sr-only">The payee’s</span>
                  <Compared value={known ?? ""} isMarked={isSame === false} />
                </td>
                <td className="px-5 py-2.5 max-sm:col-span-2 max-sm:py-0.5">
                  {isSame === false ? (
                    <span className={cx("inline-flex items-center gap-1.5 font-medium", toneText.review)}>
                      <Icon name="notEquals" className="size-4" /> Differs
                    </span>
                  ) : (
                    <span className="inline-flex items-center gap-1.5 text-ink-soft">
                      <Icon name="equals" className="size-4" /> Same
                    </span>
                  )}
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Compared({ value, isMarked }: { value: string; isMarked: boolean }) {
  const isNumber = /^[\d-]+$/.test(value);
  const shown = isNumber ? <Digits>{value}</Digits> : <span className="break-words">{value}</span>;
  return isMarked ? (
    <mark className="rounded-sm bg-pending-wash text-ink border-pending-line border-b-2">{shown}</mark>
  ) : (
    shown
  );
}
