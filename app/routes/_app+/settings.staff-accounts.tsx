import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { FileInput } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  SubmitButton,
} from "~/components/forms/form";
import { HiddenRowsChoice } from "~/components/payees/hidden-rows-choice";
import { ListCard } from "~/components/tables/list-card";
import { Button, linkClass } from "~/components/ui/elements";
import { Bsb, Card, Masked, named, Time } from "~/components/ui/page-parts";
import { findFile, readFormFile } from "~/http/body.server";
import { formAction, page, pageAdmin } from "~/http/page.server";
import { invalidInput } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { readHiddenRows } from "~/modules/payees/imports/read-table-file.server";
import {
  loadStaffAccounts,
  MAX_FILE_BYTES,
  readStaffAccountsPage,
  removeStaffAccounts,
} from "~/modules/payees/staff-accounts.server";

export const { meta, ErrorBoundary } = named("Staff accounts · Settings", "Error Loading Settings");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return readStaffAccountsPage(scope.services, actor);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const { services } = scope;
  const change = async (form: FormData) => {
    if (form.get("intent") === "remove") {
      await removeStaffAccounts(services, actor);
      return { to: appPaths.staffAccounts, flash: { tone: "info", title: "Staff accounts removed" } as const };
    }
    const chosen = findFile(form);
    if (!chosen) throw invalidInput({ file: ["Choose a file"] });
    const { bytes } = await readFormFile(chosen);
    const accounts = await loadStaffAccounts(services, actor, { bytes, hiddenRows: readHiddenRows(form) });
    const title = `${formatCount(accounts)} staff account${accounts === 1 ? " is" : "s are"} watched now`;
    return { to: appPaths.staffAccounts, flash: { tone: "success", title } as const };
  };
  return formAction(scope, change, { fileBytes: MAX_FILE_BYTES, title: "The list was not loaded" });
});

export const clientAction = keepWhatWasTyped;

export default function StaffAccounts() {
  const { list, matches } = useLoaderData<typeof loader>();
  return (
    <SettingsPage description="The accounts to which you pay your staff, so that no supplier is paid there unnoticed.">
      <StaffAccountsCards list={list} matches={matches} answer={useActionData<FormAnswer>()} />
    </SettingsPage>
  );
}

type StaffAccountsCardsProps = Awaited<ReturnType<typeof readStaffAccountsPage>> & { answer?: FormAnswer };

/** The list of staff accounts, and the payees that have one of them. Only for administrators. */
function StaffAccountsCards({ list, matches, answer }: StaffAccountsCardsProps) {
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
              {list.accounts === 1 ? "One account is" : `${formatCount(list.accounts)} accounts are`} watched. The list
              was loaded <Time {...list.loadedAt} />.
            </>
          ) : (
            "No list is loaded, so nothing is compared with staff accounts."
          )}
        </p>
        <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
          <FileInput
            name="file"
            label={list ? "New list" : "List of staff accounts"}
            hint="CSV, text or an Excel workbook (.xlsx) from your payroll with BSB and account number; other columns are ignored. It replaces the list that is loaded now."
            accept=".csv,.txt,.tsv,.xlsx,text/csv,text/plain,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            showOptional={false}
          />
          <HiddenRowsChoice answer={answer} take="Watch them too" />
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
    <ListCard
      label="Payees with a staff account"
      title="Payees with a staff account"
      description="Reimbursements can be a valid reason. Only administrators see this list."
      rows={matches}
      columns={[
        {
          head: "Payee",
          cell: ({ id, name }) => (
            <Link to={appPaths.payee(id)} className={linkClass}>
              {name}
            </Link>
          ),
        },
        {
          head: "Account",
          cell: ({ bsb, accountNumber }) => (
            <>
              <Bsb value={bsb} /> <Masked value={accountNumber} />
            </>
          ),
        },
      ]}
      empty={{ icon: "checkCircle", mood: "done", title: "No payee has a staff account" }}
    />
  );
}
