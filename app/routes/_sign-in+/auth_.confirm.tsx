import { Link, useLoaderData } from "@remix-run/react";
import { PasskeySignIn } from "~/components/accounts/identity/passkey-sign-in";
import { CodeField } from "~/components/accounts/identity/proof-fields";
import { keepSignInWhenOffline, SignInStep } from "~/components/accounts/identity/sign-in-step";
import { AuthLayout } from "~/components/layout/auth-layout";
import { titled } from "~/components/layout/page-title";
import { Button } from "~/components/ui/elements";
import { passkeyCookie } from "~/http/cookies.server";
import {
  type Accepted,
  formAction,
  limitByAddress,
  type PageArgs,
  page,
  parseForm,
  requirePerson,
} from "~/http/page.server";
import { safeRedirectPath } from "~/http/responses.server";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths, withQuery } from "~/kernel/paths/site";
import { findSecondSteps, stepUpWithCode, stepUpWithPasskey } from "~/modules/accounts/identity/passkey-sign-in.server";
import { codeSchema } from "~/modules/accounts/identity/two-step.server";

const TITLE = "Confirm that it is you";

/** Repeats the second step before full bank details are shown or downloaded, if the policy requires it. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, url } = scope;
  const person = await requirePerson(scope);
  return {
    next: safeRedirectPath(url.searchParams.get("next")) ?? null,
    minutes: person.stepUpMinutes ?? null,
    isVouched: person.vouchedBy !== undefined,
    ...(await findSecondSteps(services, person)),
  };
});

export const action = /* @__PURE__ */ page((scope) =>
  formAction(scope, (form) => confirm(scope, form), { title: "You were not recognised" }),
);

async function confirm(scope: PageArgs, form: FormData): Promise<Accepted> {
  const { services, request } = scope;
  const person = await requirePerson(scope);
  await limitByAddress(scope, "sign-in");
  const passkey = form.get("passkey");
  if (typeof passkey === "string") {
    await stepUpWithPasskey(services, person, { passkey, kept: await passkeyCookie.read(services, request) });
  } else {
    await stepUpWithCode(services, person, parseForm(form, codeSchema).code);
  }
  return {
    to: safeRedirectPath(form.get("next")) ?? appPaths.dashboard,
    flash: {
      tone: "success",
      title: "Confirmed",
      description:
        person.stepUpMinutes === undefined
          ? undefined
          : `You can see bank details for ${person.stepUpMinutes} minutes.`,
    },
    headers: { "Set-Cookie": await passkeyCookie.drop(services) },
  };
}

export const clientAction = keepSignInWhenOffline;

export const meta = titled(TITLE);

const BACK = (
  <Link to={appPaths.dashboard} className="inline-flex min-h-6 items-center text-accent-text underline">
    Back to the dashboard
  </Link>
);

export default function ConfirmPage() {
  const { next, minutes, asksCode, takesPasskey, opensFrom, isVouched } = useLoaderData<typeof loader>();
  if (minutes === null) {
    return (
      <AuthLayout title={TITLE} description="No second step is needed now.">
        <Button to={next ?? appPaths.dashboard}>Continue</Button>
      </AuthLayout>
    );
  }
  const why = `Your organisation shows full account numbers, and offers files with them, only for ${minutes} minutes after a second step.`;
  if (!asksCode && !takesPasskey) return <NoSecondStep {...{ why, isVouched, opensFrom, next }} />;
  const passkey = takesPasskey && (
    <PasskeySignIn step="confirm" isOnlyWay={!asksCode} next={next} action={withQuery(sitePaths.stepUp, { next })} />
  );
  if (!asksCode) {
    return (
      <AuthLayout title={TITLE} description={why} below={BACK}>
        {passkey}
      </AuthLayout>
    );
  }
  return (
    <SignInStep
      title={TITLE}
      description={why}
      hidden={{ next }}
      button={{ label: "Continue", pendingText: "Checking..." }}
      below={BACK}
      passkey={passkey}
    >
      <CodeField />
    </SignInStep>
  );
}

interface NoSecondStepProps {
  why: string;
  isVouched: boolean;
  /** Set when their second step is too new to count. */
  opensFrom: string | null;
  next: string | null;
}

/** People with single sign-on sign in there again; others set up a second step, or wait until a new one counts. */
function NoSecondStep({ why, isVouched, opensFrom, next }: NoSecondStepProps) {
  const theirs = opensFrom
    ? `Yours was set up with a password alone, so it is accepted from ${opensFrom}.`
    : "You have none here yet. A new one is accepted after a day.";
  const company = isVouched ? " Or log in with your company again, if it asks for two factors." : "";
  return (
    <AuthLayout title={TITLE} description={`${why} ${theirs}${company}`} below={opensFrom ? undefined : BACK}>
      <div className="flex flex-wrap gap-3">
        {isVouched && <Button to={withQuery(sitePaths.companyRenew, { next, ask: "yes" })}>Log in again</Button>}
        <Button
          to={opensFrom ? appPaths.dashboard : appPaths.twoStep}
          variant={isVouched || opensFrom ? "secondary" : "primary"}
        >
          {opensFrom ? "Back to the dashboard" : "Set up two-step sign-in"}
        </Button>
      </div>
    </AuthLayout>
  );
}
