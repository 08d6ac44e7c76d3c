import { useActionData, useLoaderData } from "@remix-run/react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { OperationsCards } from "~/components/accounts/admin/operations-cards";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { RefusedAct } from "~/components/forms/refused-act";
import { named } from "~/components/layout/named";
import { formAction, parseForm } from "~/http/form-action.server";
import { permit, requireRole } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { PLATFORM_ROLES } from "~/kernel/access";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { runAgain, runAgainSchema } from "~/modules/core/operations/given-up.server";
import { changeNotice, noticeSchema } from "~/modules/core/operations/notice.server";
import { readOperationsPage } from "~/modules/core/operations/operations-page.server";
import { jobWords } from "~/modules/messages/message-actions";

const PATH = appPaths.operations;

export const { meta, ErrorBoundary } = named("Operations", "Error Loading Operations");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const { givenUp, pending, failed, ...rest } = await readOperationsPage(scope.services, person.timeZone);
  const worded = <Row extends { kind: string }>(row: Row) => ({ ...row, words: jobWords(row.kind) });
  return {
    ...rest,
    pending: pending.map(worded),
    failed: failed.map(worded),
    givenUp: givenUp.map(worded),
    person: { firstName: person.firstName, lastName: person.lastName, username: person.username },
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const { services } = scope;
  const { userId, origin } = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  return formAction(scope, async (form) => {
    if (String(form.get("intent")).endsWith("-notice")) {
      const change = parseForm(form, noticeSchema);
      await changeNotice(services, { userId, origin }, change);
      const title =
        change.intent === "set-notice" ? "The notice is on every page within a minute" : "The notice is taken off";
      return { to: PATH, flash: { tone: "success", title } };
    }
    const count = await runAgain(services, { userId, origin }, parseForm(form, runAgainSchema));
    const title = count === 1 ? "1 job runs again" : `${count} jobs run again`;
    return { to: PATH, flash: { tone: "success", title } };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function Operations() {
  const { person, ...operations } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <AdminPage person={person} scope="The service itself" stats={[]}>
      <RefusedAct answer={answer} />
      <OperationsCards {...operations} answer={answer} />
    </AdminPage>
  );
}
