import { data } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { MinimalLayout } from "~/components/layout/minimal-layout";
import { titled } from "~/components/layout/page-title";
import { LinkMessage, PayeeFooter } from "~/components/payees/payee-link/link-message";
import { buttonClass } from "~/components/ui/elements";
import { readBankHandover } from "~/http/bank-handover.server";
import { page } from "~/http/page.server";

export const loader = /* @__PURE__ */ page(async ({ services, request }) => {
  const handover = await readBankHandover(services, request);
  return data({ handover }, { status: handover ? 200 : 404 });
});

/** Our policy forbids forms to redirect to another site, so this page does: at once, and with a plain link. */
export const meta = titled<typeof loader>("Going to your bank", (shown) => {
  const url = shown?.handover?.consentUrl;
  return url ? [{ httpEquiv: "refresh", content: `0;url=${url}` }] : [];
});

export default function ContinueToBankPage() {
  const { handover } = useLoaderData<typeof loader>();
  const organizationName = handover?.organizationName;
  return (
    <MinimalLayout organizationName={organizationName} footer={<PayeeFooter organizationName={organizationName} />}>
      {handover ? (
        <LinkMessage
          tone="verified"
          icon="bank"
          title="Going to your bank"
          action={
            <a href={handover.consentUrl} className={buttonClass("primary", "lg")}>
              Continue to your bank
            </a>
          }
        >
          <p>Your answer is kept. If your bank’s page does not open by itself, use this button.</p>
        </LinkMessage>
      ) : (
        <LinkMessage tone="pending" icon="clock" title="Please open your link again">
          <p>
            This step was left waiting too long. Open the link in the message again and choose “Continue to your bank”.
          </p>
        </LinkMessage>
      )}
    </MinimalLayout>
  );
}
