import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { StaffAccountsCards } from "~/components/accounts/settings/staff-accounts-cards";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { formAction } from "~/http/form-action.server";
import { pageAdmin } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { findFile, readFormFile } from "~/http/upload.server";
import { maskAccountNumber } from "~/kernel/account-number";
import { invalidInput } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { showTime } from "~/kernel/shown-time";
import { loadStaffAccounts, removeStaffAccounts } from "~/modules/payees/load-staff.server";
import { MAX_FILE_BYTES } from "~/modules/payees/read-staff";
import { findStaffList, listStaffPayees } from "~/modules/payees/staff-accounts.server";

export const meta: MetaFunction = (route) => [pageTitle(route, "Staff accounts · Settings")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const { services } = scope;
  const [list, matches] = await Promise.all([findStaffList(services, actor), listStaffPayees(services, actor)]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    list: list && { accounts: list.accounts, loadedAt: showTime(list.loadedAt, zone) },
    matches: matches.map(({ accountNumber, ...payee }) => ({
      ...payee,
      accountNumber: maskAccountNumber(accountNumber),
    })),
  };
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
    const accounts = await loadStaffAccounts(services, actor, await readFormFile(chosen));
    const title = `${accounts.toLocaleString("en-AU")} staff account${accounts === 1 ? " is" : "s are"} watched now`;
    return { to: appPaths.staffAccounts, flash: { tone: "success", title } as const };
  };
  return formAction(scope, change, { fileBytes: MAX_FILE_BYTES, title: "The list was not loaded" });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function StaffAccounts() {
  const { list, matches } = useLoaderData<typeof loader>();
  return (
    <SettingsPage description="Which accounts you pay your staff to, so that no supplier is paid there unnoticed.">
      <StaffAccountsCards list={list} matches={matches} answer={useActionData<FormAnswer>()} />
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Settings" />;
}
