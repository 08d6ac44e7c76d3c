import { Form } from "@remix-run/react";
import { SubmitButton } from "~/components/forms/submit-button";
import { LinkMessage } from "~/components/payee-link/link-message";
import { OpenLink } from "~/components/payee-link/open-link";
import { Callout } from "~/components/ui/callout";
import type { PayeeLinkView } from "~/modules/payee-links/payee-link";

/** What this very visit has seen: an answer just given, a bank that could not be reached. */
export interface Visit {
  isFresh: boolean;
  bankUnavailable: boolean;
}

/** The headings of the specification (section 8), and our own for what just went well. */
export function linkTitle(view: PayeeLinkView, { isFresh }: Visit): string {
  switch (view.state) {
    case "open":
      return "Confirm your bank details";
    case "confirmed":
      return isFresh ? "Thank you" : "Already Verified";
    case "disputed":
      return isFresh ? "Thank you for telling us" : "Verification Failed";
    case "expired":
      return "Link Expired";
    case "failed":
      return "Verification Failed";
  }
}

type Refused = { note: string; noteError: readonly string[] };

/** Draws any state of a payee's link. */
export function PayeeLink({ view, visit, refused }: { view: PayeeLinkView; visit: Visit; refused?: Refused }) {
  const title = linkTitle(view, visit);
  switch (view.state) {
    case "open":
      return <OpenLink {...view} {...view.details} {...refused} />;
    case "confirmed":
      return <Confirmed view={view} visit={visit} title={title} />;
    case "disputed":
      return (
        <LinkMessage tone="info" icon="flag" title={title}>
          <p>{view.message}</p>
          <p>Payments to this account wait until {view.organizationName} has spoken with you.</p>
        </LinkMessage>
      );
    case "expired":
      return (
        <LinkMessage tone="pending" icon="clock" title={title}>
          <p>{view.message}</p>
        </LinkMessage>
      );
    case "failed":
      return (
        <LinkMessage tone="review" icon="xCircle" title={title}>
          <p>{view.message}</p>
        </LinkMessage>
      );
  }
}

interface ConfirmedProps {
  view: Extract<PayeeLinkView, { state: "confirmed" }>;
  visit: Visit;
  title: string;
}

function Confirmed({ view, visit, title }: ConfirmedProps) {
  const { organizationName, leadsToBank, message } = view;
  const { isFresh, bankUnavailable } = visit;
  return (
    <LinkMessage
      tone={isFresh ? "verified" : "info"}
      icon="checkCircle"
      title={title}
      action={
        leadsToBank && (
          <Form method="post" reloadDocument>
            <SubmitButton name="response" value="continue" size="lg" icon="bank">
              Continue to your bank
            </SubmitButton>
          </Form>
        )
      }
    >
      {isFresh ? <p>{organizationName} can see now that these are your bank details.</p> : <p>{message}</p>}
      {bankUnavailable && (
        <Callout tone="warning" role="alert" title="Your bank cannot be reached right now">
          Your answer is kept. Please try “Continue to your bank” again in a few minutes; this link keeps working.
        </Callout>
      )}
      {leadsToBank ? (
        <p>
          One step is left: show at your own bank that the account is yours. You sign in on your bank’s page, and we
          never see your password.
        </p>
      ) : (
        isFresh && <p>There is nothing more to do. You can close this page.</p>
      )}
    </LinkMessage>
  );
}
