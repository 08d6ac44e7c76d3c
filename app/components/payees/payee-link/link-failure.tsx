import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { MinimalLayout } from "~/components/layout/minimal-layout";
import { LinkMessage } from "~/components/payees/payee-link/link-message";
import { PayeeFooter } from "~/components/payees/payee-link/payee-footer";

/** A payee's page that could not be loaded: the server's sentence where it sent one. */
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
