import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { Time } from "~/components/ui/time";
import type { SessionView } from "~/modules/accounts/identity/sessions/session.view";

/** Where a person is signed in, and how to end it. */
export function SessionsList({ sessions }: { sessions: SessionView[] }) {
  const hasOthers = sessions.some((session) => !session.isThisOne);
  return (
    <Card
      flush
      title="Where you are signed in"
      description="End the sessions that you do not recognise, and change your password."
      actions={
        hasOthers && (
          <Form method="post">
            <SubmitButton name="intent" value="others" variant="secondary" pendingText="Signing out...">
              Sign out everywhere else
            </SubmitButton>
          </Form>
        )
      }
    >
      <ul className="divide-y divide-line border-line border-t">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {session.device}
                {session.isThisOne && <Badge tone="verified">This one</Badge>}
              </p>
              <p className="break-words text-ink-soft text-sm">
                {[session.place, session.ipAddress].filter(Boolean).join(", ") || "Address unknown"}
              </p>
              <p className="text-ink-soft text-sm">
                Last seen <Time {...session.lastSeen} />, signed in {session.signedIn}
              </p>
            </div>
            {!session.isThisOne && (
              <Form method="post">
                <HiddenFields values={{ intent: "revoke" }} />
                <SubmitButton name="sessionId" value={session.id} variant="quiet" size="sm" pendingText="Ending...">
                  End
                  <span className="sr-only">
                    the session of {session.device}, signed in {session.signedIn}
                  </span>
                </SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
