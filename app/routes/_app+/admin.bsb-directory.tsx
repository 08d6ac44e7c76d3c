import { useActionData, useLoaderData } from "@remix-run/react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { FileInput } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  SubmitButton,
} from "~/components/forms/form";
import { ListCard } from "~/components/tables/list-card";
import { EmptyState } from "~/components/ui/empty-state";
import { Bsb, Card, named, Time } from "~/components/ui/page-parts";
import { findFile, readFormFile } from "~/http/body.server";
import { formAction, page, parseForm, permit, requireRole } from "~/http/page.server";
import { PLATFORM_ROLES } from "~/kernel/access";
import { invalidInput } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { MAX_FILE_BYTES } from "~/modules/payees/bsb-updates/directory-change";
import {
  type ChangeCard,
  readUpdatePage,
  takeDirectory,
  takePostSchema,
  type UpdatePage,
  uploadDirectory,
} from "~/modules/payees/bsb-updates/load-directory.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";

const PATH = appPaths.bsbDirectory;

export const { meta, ErrorBoundary } = named("BSB directory", "Error Loading the BSB Directory");

export const loader = /* @__PURE__ */ page(async (scope) => {
  permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const { services } = scope;
  const zone = { timeZone: DEFAULT_POLICY.timeZone, now: services.clock.now() };
  return readUpdatePage(services, zone);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const { services } = scope;
  const { userId, origin } = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const change = async (form: FormData) => {
    if (form.has("uploadId")) {
      const { rowCount } = await takeDirectory(services, { userId, origin }, parseForm(form, takePostSchema));
      const title = `The new directory is in use: ${formatCount(rowCount)} BSBs`;
      const description = "Organisations with payees at closed or merged BSBs are being told.";
      return { to: PATH, flash: { tone: "success", title, description } as const };
    }
    const chosen = findFile(form);
    if (!chosen) throw invalidInput({ file: ["Choose a file"] });
    await uploadDirectory(services, { userId, origin }, await readFormFile(chosen));
    return { to: PATH };
  };
  return formAction(scope, change, { fileBytes: MAX_FILE_BYTES, title: "The directory was not changed" });
});

export const clientAction = keepWhatWasTyped;

export default function BsbDirectory() {
  const page = useLoaderData<typeof loader>();
  return (
    <AdminPage title="BSB directory" scope="Every organisation">
      <BsbDirectoryCards {...page} answer={useActionData<FormAnswer>()} />
    </AdminPage>
  );
}

/** The BSB directory in use, a form for a newer file, and the changes that it would make. Only for super admins. */
function BsbDirectoryCards({ inUse, waiting, answer }: UpdatePage & { answer?: FormAnswer }) {
  const { file = [], ...errors } = answer?.errors ?? {};
  return (
    <>
      <FormErrorSummary title={answer?.title} errors={errors} formErrors={[...file, ...(answer?.formErrors ?? [])]} />
      <Card
        title="BSB directory"
        description="AusPayNet publishes it every month. It says which BSBs are open, closed or merged, and which take direct entry payments."
      >
        <p className="mb-5 text-base">
          {inUse ? (
            <>
              In use: {inUse.fileName} with {formatCount(inUse.rowCount)} BSBs, since <Time {...inUse.loadedAt} />.
            </>
          ) : (
            "No file was uploaded here yet."
          )}
        </p>
        <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
          <FileInput
            name="file"
            label="New directory"
            hint="The directory as a CSV file. You see what it changes before you use it."
            accept=".csv,.txt,text/csv,text/plain"
            showOptional={false}
          />
          <div>
            <SubmitButton icon="upload" pendingText="Reading..." variant={waiting ? "secondary" : "primary"}>
              Show the changes
            </SubmitButton>
          </div>
        </Form>
      </Card>
      {waiting && <WaitingFile {...waiting} />}
    </>
  );
}

function WaitingFile({ changes, ...waiting }: NonNullable<UpdatePage["waiting"]>) {
  return (
    <>
      <Card title={`Changes in ${waiting.fileName}`}>
        <p className="text-base">
          {formatCount(waiting.rowCount)} BSBs, uploaded <Time {...waiting.uploadedAt} />.{" "}
          {changes.length > 0 && waiting.touched}
        </p>
        {changes.length === 0 ? (
          <EmptyState icon="checkCircle" mood="done" title="This file changes nothing" headingLevel={3}>
            Every BSB is already in the directory, with the same details.
          </EmptyState>
        ) : (
          <Form method="post" className="mt-5">
            <HiddenFields values={{ uploadId: waiting.uploadId, comparedWith: waiting.comparedWith }} />
            <SubmitButton pendingText="Saving...">Use this directory</SubmitButton>
          </Form>
        )}
      </Card>
      {changes.map((change) => (
        <ChangeTable key={change.title} {...change} />
      ))}
    </>
  );
}

function ChangeTable({ title, meaning, count, rows }: ChangeCard) {
  const more = count - rows.length;
  return (
    <ListCard
      label={title}
      title={`${title}: ${formatCount(count)}`}
      description={meaning}
      rows={rows}
      keyOf={(row) => row.bsb}
      dense
      columns={[
        { head: "BSB", cell: ({ bsb }) => <Bsb value={bsb} /> },
        { head: "Name", cell: ({ name }) => name },
        { head: "Successor", cell: ({ note }) => note || "None" },
      ]}
      note={more > 0 && <p className="px-5 py-3 text-ink-soft text-sm">And {formatCount(more)} more.</p>}
    />
  );
}
