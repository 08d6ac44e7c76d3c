import { Link } from "@remix-run/react";
import { Form } from "~/components/forms/form";
import { SubmitButton } from "~/components/forms/submit-button";
import { Card } from "~/components/ui/card";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { ChangeMark, VerdictBadge } from "~/components/verifying/verdict-badge";
import { appPaths } from "~/kernel/paths/app";
import type { PayeeView } from "~/modules/payees/payee.view";

/** The payee's verifications, newest first, and the way to a new one while none is waiting. */
export function VerificationsCard({ payee, canWrite }: { payee: PayeeView; canWrite: boolean }) {
  const { verifications, verdict } = payee;
  const [latest] = verifications;
  const isWaiting = latest?.status === "pending";
  const isNeeded = latest?.status === "failed" || latest?.status === "rejected";
  return (
    <Card title="Verification">
      <ul className="divide-y divide-line">
        {verifications.map((verification, index) => (
          <li key={verification.id} className="flex flex-wrap items-center justify-between gap-2 py-2.5 first:pt-0">
            <div className="min-w-0">
              <Link
                to={appPaths.verification(verification.id)}
                className="font-medium text-accent-text underline underline-offset-2"
              >
                {index === 0 ? "Latest verification" : "Earlier verification"}
              </Link>
              <Time {...verification.openedAt} className="block text-ink-soft text-sm" />
              {verification.grade && <span className="block text-ink-soft text-sm">{verification.grade}</span>}
            </div>
            {verification.id === verdict?.verificationId ? (
              <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                {verdict.change && <ChangeMark change={verdict.change} />}
                <VerdictBadge verdict={verdict} />
              </span>
            ) : (
              <StatusBadge of="verification" status={verification.status} />
            )}
          </li>
        ))}
      </ul>
      {verdict && <p className="mt-2 text-base text-ink-soft">{verdict.next}</p>}
      {canWrite && !isWaiting && (
        <Form method="post" className="mt-4">
          <SubmitButton
            name="intent"
            value="verify"
            variant={isNeeded ? "primary" : "secondary"}
            icon="refresh"
            pendingText="Starting..."
          >
            Start a new verification
          </SubmitButton>
        </Form>
      )}
    </Card>
  );
}
