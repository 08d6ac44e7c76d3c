import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { ProfileFrame } from "~/components/profile/profile-frame";
import { RecoveryCodes, TwoStepOff, TwoStepOn, TwoStepSetUp } from "~/components/profile/two-step-cards";
import { recoveryCodesCookie } from "~/http/account-cookies.server";
import { check, readForm } from "~/http/body.server";
import { toAppError } from "~/http/errors.server";
import { type Flash, setFlash } from "~/http/flash.server";
import { answerForm } from "~/http/form-action.server";
import { requirePerson } from "~/http/guards.server";
import { type PageArgs, page } from "~/http/page.server";
import { startSession } from "~/http/session.server";
import type { Person } from "~/kernel/actor";
import { formatDate } from "~/kernel/dates";
import type { FormAnswer } from "~/kernel/form-answer";
import { codeProofSchema, passwordProofSchema } from "~/modules/identity/account.schema.server";
import type { SignedIn } from "~/modules/identity/sessions/session.queries.server";
import {
  abandonTwoStep,
  beginTwoStep,
  disableTwoStep,
  enableTwoStep,
  renewRecoveryCodes,
} from "~/modules/identity/two-step/two-step.commands.server";
import { readTwoStep } from "~/modules/identity/two-step/two-step.queries.server";

const HERE = "/profile/two-step";

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
  const form = await readForm(scope.request);
  try {
    return await act(scope, person, form);
  } catch (error) {
    return answerForm(form, toAppError(error, scope.services.log), "This was not done");
  }
});

async function act({ services }: PageArgs, person: Person, form: FormData) {
  const fields = Object.fromEntries(form);
  switch (form.get("intent")) {
    case "enable": {
      const enabled = await enableTwoStep(services, person, check(codeProofSchema, fields));
      return done(services, enabled, "Two-step sign-in is on", enabled.codes);
    }
    case "renew": {
      const renewed = await renewRecoveryCodes(services, person, check(codeProofSchema, fields));
      return done(services, renewed, "The old recovery codes are void", renewed.codes);
    }
    case "disable": {
      const disabled = await disableTwoStep(services, person, check(codeProofSchema, fields));
      return done(services, disabled, "Two-step sign-in is off");
    }
    case "abandon":
      await abandonTwoStep(services, person);
      return redirect(HERE, 303);
    default:
      await beginTwoStep(services, person, check(passwordProofSchema, fields));
      return redirect(HERE, 303);
  }
}

/** A new session, because the old ones are over; the codes travel sealed to the one page that shows them. */
async function done(services: PageArgs["services"], { token, person }: SignedIn, title: string, codes: string[] = []) {
  const headers = new Headers();
  const flash: Flash = { tone: "success", title, description: "You were signed out everywhere else." };
  headers.append("Set-Cookie", await startSession(services, token));
  headers.append("Set-Cookie", await setFlash(services, flash));
  if (codes.length > 0) {
    headers.append("Set-Cookie", await recoveryCodesCookie.keep(services, { userId: person.userId, codes }));
  }
  return redirect(HERE, { status: 303, headers });
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
