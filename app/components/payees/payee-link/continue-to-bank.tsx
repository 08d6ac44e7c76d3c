import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { Form, SubmitButton } from "~/components/forms/form";
import { MinimalLayout } from "~/components/layout/minimal-layout";
import { Callout } from "~/components/ui/elements";
import { LinkMessage, PayeeFooter } from "./link-message";

/** The payee's next step after answering. `field` is the name of the choice in the page's form. */
export function ContinueToBank({ field }: { field: "response" | "intent" }) {
  return (
    <Form method="post" reloadDocument>
      <SubmitButton name={field} value="continue" size="lg" icon="bank">
        Continue to your bank
      </SubmitButton>
    </Form>
  );
}

/** The provider did not respond; what the payee sent is stored. */
export function BankUnavailable({ kept }: { kept: string }) {
  return (
    <Callout tone="warning" role="alert" title="Your bank cannot be reached right now">
      {kept} Please try “Continue to your bank” again in a few minutes; this link keeps working.
    </Callout>
  );
}

/** A payee's page that could not be loaded, with the server's sentence if it sent one. */
export function LinkFailure({ title, sentence }: { title: string; sentence: string }) {
  const error = useRouteError();
  const message = isRouteErrorResponse(error) ? error.data?.message : undefined;
  return (
    <MinimalLayout footer={<PayeeFooter />}>
      <LinkMessage tone="review" icon="alert" title={title}>
        <p>{typeof message === "string" ? message : sentence}</p>
      </LinkMessage>
    </MinimalLayout>
  );
}
