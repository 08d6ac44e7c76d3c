import { type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { AuthLayout } from "~/components/layout/auth-layout";
import { pageTitle } from "~/components/layout/page-title";
import { buttonClass } from "~/components/ui/elements";
import { companyCookie } from "~/http/cookies.server";
import { page } from "~/http/page.server";
import { sitePaths } from "~/kernel/paths/site";

const TITLE = "Going to your company's sign-in";

/** Our policy forbids a form to redirect to another site, so this page does, at once and with a plain link. */
export const loader = /* @__PURE__ */ page(async ({ services, request }) => {
  const begun = await companyCookie.read(services, request);
  if (!begun) throw redirect(sitePaths.companySignIn);
  return { address: begun.address, host: new URL(begun.address).host };
});

export const meta: MetaFunction<typeof loader> = ({ data, ...route }) => {
  const title = pageTitle(route, TITLE);
  return data ? [title, { httpEquiv: "refresh", content: `0;url=${data.address}` }] : [title];
};

export default function CompanyGoPage() {
  const { address, host } = useLoaderData<typeof loader>();
  // After a client-side navigation, the page's refresh header has no effect.
  useEffect(() => window.location.replace(address), [address]);
  return (
    <AuthLayout
      title={TITLE}
      description={`You sign in at ${host}, and come back here. If its page does not open by itself, use this link.`}
    >
      <a href={address} className={buttonClass("primary", "lg")}>
        Continue
      </a>
    </AuthLayout>
  );
}
