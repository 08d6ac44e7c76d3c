import { useLoaderData } from "@remix-run/react";
import { MinimalLayout } from "~/components/layout/minimal-layout";
import { titled } from "~/components/layout/page-title";
import { LinkMessage, PayeeFooter } from "~/components/payees/payee-link/link-message";
import { limitByAddress, page } from "~/http/page.server";
import { recordBankReturn } from "~/modules/verifying/bank-checks/bank-consent.server";

const MAX_STATE_LENGTH = 100;

/** The return address for every bank: `?jobId&jobIds&state`. Only `state` is ours, so only `state` is trusted. */
export const loader = /* @__PURE__ */ page(async (args) => {
  await limitByAddress(args, "verify-link");
  const state = args.url.searchParams.get("state") ?? "";
  const isPlausible = state !== "" && state.length <= MAX_STATE_LENGTH;
  const found = isPlausible ? await recordBankReturn(args.services, { state }) : null;
  return { organizationName: found?.organizationName ?? null };
});

export const meta = titled("Thank you");

export default function BankReturnPage() {
  const { organizationName } = useLoaderData<typeof loader>();
  return (
    <MinimalLayout organizationName={organizationName} footer={<PayeeFooter organizationName={organizationName} />}>
      <LinkMessage tone="verified" icon="checkCircle" title="Thank you">
        <p>You are back from your bank. There is nothing more to do here: you can close this page.</p>
        {organizationName && <p>{organizationName} is told how the check ended, usually within a minute.</p>}
      </LinkMessage>
    </MinimalLayout>
  );
}
