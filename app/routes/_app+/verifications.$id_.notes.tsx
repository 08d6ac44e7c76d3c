import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { Select, Textarea } from "~/components/forms/fields";
import {
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { Card, named, PageHeader } from "~/components/ui/page-parts";
import { Timeline } from "~/components/ui/timeline";
import { formAction, idParam, page, pageMember, pageWriter, parseForm } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { assignVerification } from "~/modules/verifying/assign.server";
import { commentOnVerification, notesFormSchema, readNotesPage } from "~/modules/verifying/comment.server";

type NotesPageProps = Awaited<ReturnType<typeof readNotesPage>> & { answer?: FormAnswer };

function NotesPage(props: NotesPageProps) {
  const { id, payeeName, comments, assignedToId, canWrite, canAssign, colleagues, submissionId, answer } = props;
  const { hash } = useLocation();
  useEffect(() => document.getElementById(hash.slice(1))?.focus(), [hash]);
  return (
    <>
      <PageHeader
        title="Comments and assignment"
        breadcrumb={[
          { label: "Pending verifications", to: appPaths.pendingVerifications },
          { label: payeeName, to: appPaths.verification(id) },
        ]}
        description="Comments are part of the history: a comment cannot be edited or deleted."
      />
      {answer && <FormErrorSummary title={answer.title} errors={answer.errors} formErrors={answer.formErrors} />}
      <div className="grid items-start gap-6 @[52rem]/main:grid-cols-[minmax(0,1fr)_21rem]">
        <Card title="Comments">
          <div className="grid gap-6">
            {comments.length > 0 ? (
              <Timeline label="Comments" events={comments} />
            ) : (
              <p className="text-base text-ink-soft">There are no comments yet.</p>
            )}
            {canWrite && (
              <PostForm intent="comment" answer={answer} summary={false} className="grid gap-3">
                <HiddenFields values={{ submissionId }} />
                <Textarea name="text" label="Comment" hint={hintOf(colleagues)} required rows={3} maxLength={1000} />
                <div>
                  <SubmitButton pendingText="Adding...">Add the comment</SubmitButton>
                </div>
              </PostForm>
            )}
          </div>
        </Card>
        {canAssign && (
          <Card title="Assignment" description="Who should decide. This does not change what anyone may do.">
            <PostForm
              intent="assign"
              answer={answer}
              values={{ assignee: assignedToId }}
              summary={false}
              className="grid gap-3"
            >
              <Select
                name="assignee"
                label="Assigned to"
                showOptional={false}
                placeholder="Nobody"
                options={colleagues.map(({ userId, name }) => ({ value: userId, label: name }))}
              />
              <div>
                <SubmitButton variant="secondary" pendingText="Assigning...">
                  Assign
                </SubmitButton>
              </div>
            </PostForm>
          </Card>
        )}
      </div>
    </>
  );
}

const hintOf = (colleagues: NotesPageProps["colleagues"]) =>
  `Write @ and a name to tell a colleague${colleagues[0] ? `, for example @${colleagues[0].name}` : ""}.`;

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.payeeName} · ` : ""}Comments`,
  "Error Loading Verification",
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return readNotesPage(scope.services, actor, idParam(scope.params));
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const verificationId = idParam(scope.params);
  const to = appPaths.verificationNotes(verificationId);
  return formAction(scope, async (form) => {
    const posted = parseForm(form, notesFormSchema);
    if (posted.intent === "assign") {
      await assignVerification(services, actor, { verificationId, assigneeId: posted.assignee });
      return { to, flash: { tone: "success", title: posted.assignee ? "Assigned" : "Assigned to nobody" } };
    }
    const { text, submissionId: idempotencyKey } = posted;
    await commentOnVerification(services, actor, { verificationId, text, idempotencyKey });
    return { to, flash: { tone: "success", title: "Comment added" } };
  });
});

export const clientAction = keepWhatWasTyped;

export default function Notes() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return <NotesPage {...loaded} answer={answer} />;
}
