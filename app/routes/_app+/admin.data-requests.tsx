import { useActionData } from "@remix-run/react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { TextInput } from "~/components/forms/fields";
import {
  answerTo,
  type FormAnswer,
  HiddenFields,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { ListCard } from "~/components/tables/list-card";
import { Card, named } from "~/components/ui/page-parts";
import { formAction, page, parseForm, permit, requireRole } from "~/http/page.server";
import { PLATFORM_ROLES } from "~/kernel/access";
import { type Found, lookUpPerson, lookUpPostSchema } from "~/modules/accounts/administration/data-requests.server";

export const { meta, ErrorBoundary } = named("Data requests", "Error Loading Data Requests");

export const loader = /* @__PURE__ */ page(async (scope) => {
  permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  return null;
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const { userId, origin } = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  return formAction(scope, async (form) => ({
    next: { found: await lookUpPerson(scope.services, { userId, origin }, parseForm(form, lookUpPostSchema)) },
  }));
});

export const clientAction = keepWhatWasTyped;

export default function DataRequests() {
  const answer = answerTo(useActionData<FormAnswer>(), "look-up");
  const found = answer?.extra?.found as Found | undefined;
  return (
    <AdminPage title="Data requests" scope="Every organisation">
      <Card
        title="Requests under the Privacy Act"
        description="Where organisations hold something about a person: their account, payees with their email address or bank account, and messages to us. The audit trail records each search, but not what you searched for. No bank details are shown."
      >
        <PostForm intent="look-up" answer={answer}>
          <div className="grid max-w-2xl gap-5">
            <TextInput name="email" label="Email address" type="email" autoComplete="off" />
            <div className="grid gap-5 sm:grid-cols-2">
              <TextInput name="bsb" label="BSB" digits inputMode="numeric" autoComplete="off" />
              <TextInput name="accountNumber" label="Account number" digits inputMode="numeric" autoComplete="off" />
            </div>
            {found?.next && <HiddenFields values={{ after: found.next }} />}
            <div>
              <SubmitButton pendingText="Looking...">{found?.next ? "Search more payees" : "Look up"}</SubmitButton>
            </div>
          </div>
        </PostForm>
      </Card>
      {found && <FoundCards {...found} />}
    </AdminPage>
  );
}

function FoundCards({ accounts, payees, messages }: Found) {
  return (
    <>
      {accounts && (
        <ListCard
          label="Accounts"
          title="Accounts"
          rows={accounts}
          keyOf={({ key }) => key}
          empty={{ icon: "users", title: "No account has this address" }}
          columns={[
            { head: "Name", cell: ({ name }) => name },
            { head: "Organisation", cell: ({ organization }) => organization },
            { head: "Role", cell: ({ role }) => role },
            { head: "Since", cell: ({ since }) => since },
          ]}
        />
      )}
      <ListCard
        label="Payees"
        title="Payees"
        rows={payees}
        keyOf={({ id }) => id}
        empty={{ icon: "users", title: "None among the payees searched" }}
        columns={[
          { head: "Payee", cell: ({ name }) => name },
          { head: "Organisation", cell: ({ organization }) => organization },
        ]}
      />
      {messages && (
        <ListCard
          label="Messages to us"
          title="Messages to us"
          rows={messages}
          keyOf={({ id }) => id}
          empty={{ icon: "mail", title: "No message came from this address" }}
          columns={[
            { head: "About", cell: ({ interest }) => interest },
            { head: "On", cell: ({ on }) => on },
          ]}
        />
      )}
    </>
  );
}
