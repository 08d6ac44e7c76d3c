import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { RecoveryCodes, TwoStepOff, TwoStepOn, TwoStepSetUp } from "~/components/accounts/profile/two-step-cards";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { recoveryCodesCookie } from "~/http/account-cookies.server";
import { type Accepted, formAction, parseForm } from "~/http/form-action.server";
import { requirePerson } from "~/http/guards.server";
import { type PageArgs, page } from "~/http/page.server";
import { startSession } from "~/http/session.server";
import type { Person } from "~/kernel/actor";
import { formatDate } from "~/kernel/dates";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { codeProofSchema, passwordProofSchema } from "~/modules/accounts/identity/account.server";
import type { SignedIn } from "~/modules/accounts/identity/sessions/signed-in.server";
import { disableTwoStep, renewRecoveryCodes } from "~/modules/accounts/identity/two-step/change-two-step.server";
import {
  abandonTwoStep,
  beginTwoStep,
  enableTwoStep,
} from "~/modules/accounts/identity/two-step/set-up-two-step.server";
import { readTwoStep } from "~/modules/accounts/identity/two-step/two-step.server";

const HERE = appPaths.twoStep;

export const meta: MetaFunction = (route) => [pageTitle(route, "Two-step sign-in")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, request } = scope;
  const person = await requirePerson(scope);
  const [twoStep, fresh] = await Promise.all([
    readTwoStep(services, person),
    recoveryCodesCookie.read(services, request),
  ]);
  const view = twoStep.state === "on" ? { ...twoStep, since: formatDate(twoStep.enabledAt) } : twoStep;
  const codes = fresh?.userId === person.userId ? fresh.codes : [];
  const body = { view, codes, isRequired: person.needsTwoStep };
  return data(body, fresh ? { headers: { "Set-Cookie": await recoveryCodesCookie.drop(services) } } : {});
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return formAction(scope, (form) => changeTwoStep(scope.services, person, form), { title: "Nothing was changed" });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

async function changeTwoStep(services: PageArgs["services"], person: Person, form: FormData): Promise<Accepted> {
  switch (form.get("intent")) {
    case "enable": {
      const enabled = await enableTwoStep(services, person, parseForm(form, codeProofSchema));
      return acceptWithSession(services, enabled, "Two-step sign-in is on", enabled.codes);
    }
    case "renew": {
      const renewed = await renewRecoveryCodes(services, person, parseForm(form, codeProofSchema));
      return acceptWithSession(services, renewed, "The old recovery codes no longer work", renewed.codes);
    }
    case "disable": {
      const disabled = await disableTwoStep(services, person, parseForm(form, codeProofSchema));
      return acceptWithSession(services, disabled, "Two-step sign-in is off");
    }
    case "abandon":
      await abandonTwoStep(services, person);
      return { to: HERE };
    default:
      await beginTwoStep(services, person, parseForm(form, passwordProofSchema));
      return { to: HERE };
  }
}

/** A new session, because the old ones have ended. The codes travel encrypted to the one page that shows them. */
async function acceptWithSession(
  services: PageArgs["services"],
  { token, person }: SignedIn,
  title: string,
  codes: string[] = [],
): Promise<Accepted> {
  const headers = new Headers({ "Set-Cookie": await startSession(services, token) });
  if (codes.length > 0) {
    headers.append("Set-Cookie", await recoveryCodesCookie.keep(services, { userId: person.userId, codes }));
  }
  return { to: HERE, headers, flash: { tone: "success", title, description: "You were signed out everywhere else." } };
}

export default function TwoStepPage() {
  const { view, codes, isRequired } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <ProfileFrame>
      {codes.length > 0 && <RecoveryCodes codes={codes} />}
      {view.state === "off" && <TwoStepOff answer={answer} isRequired={isRequired} />}
      {view.state === "setting_up" && <TwoStepSetUp answer={answer} image={view.image} secret={view.secret} />}
      {view.state === "on" && <TwoStepOn answer={answer} since={view.since} codesLeft={view.codesLeft} />}
    </ProfileFrame>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Your Profile" />;
}
