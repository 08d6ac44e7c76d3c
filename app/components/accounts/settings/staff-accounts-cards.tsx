import { Link } from "@remix-run/react";
import { FileInput } from "~/components/forms/file-input";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Table, Td, Th, Tr } from "~/components/tables/table";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Bsb, Masked } from "~/components/ui/digits";
import { EmptyState } from "~/components/ui/empty-state";
import { Time } from "~/components/ui/time";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { ShownTime } from "~/kernel/shown-time";

interface StaffAccountsCardsProps {
  /** Null: no list is loaded. */
  list: { accounts: number; loadedAt: ShownTime } | null;
  matches: readonly { id: string; name: string; bsb: string; accountNumber: string }[];
  answer?: FormAnswer;
}

/** The list of staff accounts, and the payees that have one of them. Administrators alone see this page. */
export function StaffAccountsCards({ list, matches, answer }: StaffAccountsCardsProps) {
  const { file = [], ...errors } = answer?.errors ?? {};
  return (
    <>
      <FormErrorSummary title={answer?.title} errors={errors} formErrors={[...file, ...(answer?.formErrors ?? [])]} />
      <Card
        title="Accounts of your staff"
        description="Payments to these accounts are held. Only fingerprints are kept: no name, BSB or account number of your staff is stored, and no one can read one from here."
      >
        <p className="mb-5 text-base">
          {list ? (
            <>
              {list.accounts.toLocaleString("en-AU")} accounts are watched. The list was loaded{" "}
              <Time {...list.loadedAt} />.
            </>
          ) : (
            "No list is loaded, so nothing is compared with staff accounts."
          )}
        </p>
        <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
          <FileInput
            name="file"
            label={list ? "New list" : "List of staff accounts"}
            hint="CSV or text from your payroll with BSB and account number; other columns are ignored. It replaces the list that is loaded now."
            accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
            showOptional={false}
          />
          <div>
            <SubmitButton icon="upload" pendingText="Loading...">
              Load the list
            </SubmitButton>
          </div>
        </Form>
        {list && (
          <Form method="post" className="mt-4">
            <HiddenFields values={{ intent: "remove" }} />
            <Button type="submit" variant="quiet" size="sm">
              Remove the list
            </Button>
          </Form>
        )}
      </Card>
      {list && <Matches matches={matches} />}
    </>
  );
}

function Matches({ matches }: Pick<StaffAccountsCardsProps, "matches">) {
  return (
    <Card
      flush
      title="Payees with a staff account"
      description="Reimbursements can be a valid reason. Only administrators see this list."
    >
      {matches.length === 0 ? (
        <EmptyState icon="checkCircle" mood="done" title="No payee has a staff account" />
      ) : (
        <Table
          caption="Payees with a staff account"
          head={
            <>
              <Th>Payee</Th>
              <Th>Account</Th>
            </>
          }
        >
          {matches.map(({ id, name, bsb, accountNumber }) => (
            <Tr key={id}>
              <Td>
                <Link to={appPaths.payee(id)} className="font-medium text-accent-text underline underline-offset-2">
                  {name}
                </Link>
              </Td>
              <Td label="Account">
                <Bsb value={bsb} /> <Masked value={accountNumber} />
              </Td>
            </Tr>
          ))}
        </Table>
      )}
    </Card>
  );
}
