import { FileInput } from "~/components/forms/file-input";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Table, Td, Th, Tr } from "~/components/tables/table";
import { Card } from "~/components/ui/card";
import { Bsb } from "~/components/ui/digits";
import { EmptyState } from "~/components/ui/empty-state";
import { Time } from "~/components/ui/time";
import type { FormAnswer } from "~/kernel/form-answer";
import type { ChangeCard, UpdatePage } from "~/modules/payees/bsb-updates/update-page.view";

/** The BSB directory in use, a form for a newer file, and what that file would change. Super admins alone see this page. */
export function BsbDirectoryCards({ inUse, waiting, answer }: UpdatePage & { answer?: FormAnswer }) {
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
              In use: {inUse.fileName} with {inUse.rowCount.toLocaleString("en-AU")} BSBs, since{" "}
              <Time {...inUse.loadedAt} />.
            </>
          ) : (
            "No file was uploaded here yet."
          )}
        </p>
        <Form method="post" encType="multipart/form-data" noValidate className="grid gap-5">
          <FileInput
            name="file"
            label="New directory"
            hint="The CSV form of the directory. You see what it changes before you take it."
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
      <Card title={`Changes of ${waiting.fileName}`}>
        <p className="text-base">
          {waiting.rowCount.toLocaleString("en-AU")} BSBs, uploaded <Time {...waiting.uploadedAt} />.{" "}
          {changes.length > 0 && waiting.touched}
        </p>
        {changes.length === 0 ? (
          <EmptyState icon="checkCircle" mood="done" title="This file changes nothing" headingLevel={3}>
            Every BSB is in the directory already, with the same details.
          </EmptyState>
        ) : (
          <Form method="post" className="mt-5">
            <HiddenFields values={{ uploadId: waiting.uploadId, comparedWith: waiting.comparedWith }} />
            <SubmitButton pendingText="Taking...">Take this directory</SubmitButton>
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
    <Card flush title={`${title}: ${count.toLocaleString("en-AU")}`} description={meaning}>
      <Table
        dense
        caption={title}
        head={
          <>
            <Th>BSB</Th>
            <Th>Name</Th>
            <Th>Successor</Th>
          </>
        }
      >
        {rows.map(({ bsb, name, note }) => (
          <Tr key={bsb}>
            <Td>
              <Bsb value={bsb} />
            </Td>
            <Td label="Name">{name}</Td>
            <Td label="Successor">{note || "None"}</Td>
          </Tr>
        ))}
      </Table>
      {more > 0 && <p className="px-5 py-3 text-ink-soft text-sm">And {more.toLocaleString("en-AU")} more.</p>}
    </Card>
  );
}
