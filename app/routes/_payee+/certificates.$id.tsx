import { data } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { titled } from "~/components/layout/page-title";
import { RecordCheckPage } from "~/components/records/certificates/record-check-page";
import { limitByAddress, page } from "~/http/page.server";
import { checkRecord } from "~/modules/records/certificates/certificate.server";

export const meta = titled("Check a record", () => [{ name: "robots", content: "noindex" }]);

/** The address printed on a certificate. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const hash = scope.url.searchParams.get("hash");
  if (hash !== null) await limitByAddress(scope, "certificate");
  const { check, status } = await checkRecord(scope.services, { id: scope.params.id ?? "", hash });
  return data(check, { status });
});

export default function CheckOneRecord() {
  return <RecordCheckPage {...useLoaderData<typeof loader>()} />;
}
