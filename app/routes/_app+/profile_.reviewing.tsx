import { useActionData, useLoaderData } from "@remix-run/react";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { Checkbox } from "~/components/forms/fields";
import { Form, type FormAnswer, FormErrorSummary, keepWhatWasTyped, SubmitButton } from "~/components/forms/form";
import { Card, named } from "~/components/ui/page-parts";
import { formAction, page, parseForm, requirePerson } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import {
  changeReviewChoices,
  findReviewChoices,
  reviewChoicesSchema,
} from "~/modules/accounts/identity/profile.server";

export const { meta, ErrorBoundary } = named("Reviewing · Profile", "Error Loading the Profile");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { userId } = await requirePerson(scope);
  return findReviewChoices(scope.services, userId);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return formAction(scope, async (form) => {
    await changeReviewChoices(scope.services, person, parseForm(form, reviewChoicesSchema));
    return { to: appPaths.reviewing, flash: { tone: "success", title: "Choices saved" } };
  });
});

export const clientAction = keepWhatWasTyped;

export default function Reviewing() {
  const choices = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <ProfileFrame>
      <Card title="Reviewing" description="How you work through pending verifications.">
        <Form method="post" className="grid gap-4">
          <FormErrorSummary errors={answer?.errors} formErrors={answer?.formErrors} title={answer?.title} />
          <Checkbox
            name="reviewNext"
            label="Go on to the next verification after a decision"
            hint="Otherwise you return to the list after a moment."
            defaultChecked={choices.reviewNext}
          />
          <Checkbox
            name="reviewKeys"
            label="Use single keys"
            hint="In a list: J and K move, Enter opens, X ticks. On a verification: J next, K previous, A approve, R reason for rejecting, C comment, M assign, V verify, / search, ? all keys. They do nothing while you type. A single key never rejects, and approves only where nothing counts against the details; Ctrl+Enter confirms a reason."
            defaultChecked={choices.reviewKeys}
          />
          <Checkbox
            name="reviewRoomy"
            label="More space between the rows of pending verifications"
            hint="Fewer rows fit on the screen."
            defaultChecked={choices.reviewRoomy}
          />
          <div>
            <SubmitButton pendingText="Saving...">Save</SubmitButton>
          </div>
        </Form>
      </Card>
    </ProfileFrame>
  );
}
