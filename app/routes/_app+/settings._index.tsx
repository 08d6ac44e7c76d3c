import { useActionData, useLoaderData } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { OrganizationMark } from "~/components/accounts/organizations/organization-options";
import { AdminsOnly, SettingsPage } from "~/components/accounts/settings/settings-page";
import { Checkbox, controlClass, Field, Textarea, TextInput, useField } from "~/components/forms/fields";
import { answerTo, type FormAnswer, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { Button, Callout } from "~/components/ui/elements";
import { Card, DefinitionList, named } from "~/components/ui/page-parts";
import { formAction, page, pageAdmin, pageMember, parseForm } from "~/http/page.server";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { CLOSED_KEPT_YEARS, CLOSING_NOTICE_DAYS } from "~/kernel/retention";
import {
  askToClose,
  cancelClosing,
  closingPostSchema,
  findClosing,
} from "~/modules/accounts/organizations/close-organization.server";
import { findContactState, sendContactLink } from "~/modules/accounts/organizations/contact-address.server";
import { DETAIL_FIELDS, DETAIL_LABELS, type DetailField, LOGO_TYPES } from "~/modules/accounts/organizations/details";
import {
  changeDetails,
  findDetails,
  parseDetailsForm,
  toDetailValues,
} from "~/modules/accounts/organizations/details.server";
import { findWaitingName } from "~/modules/accounts/organizations/name-requests.server";
import { NAME_WAITS_TITLE, tellNameWaits } from "~/modules/accounts/organizations/organization";
import { canAdminister } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named("Settings", "Error Loading Settings");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const found = await findDetails(scope.services, actor.organizationId);
  if (!found) return null;
  return {
    values: toDetailValues(found.details),
    logo: found.logo,
    canAdminister: canAdminister(actor),
    contact: await findContactState(scope.services, actor.organizationId),
    waitingName: await findWaitingName(scope.services, actor.organizationId),
    closing: await findClosing(scope.services, actor),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return formAction(scope, async (form) => {
    if (form.get("intent") === "confirm-contact") {
      const { email } = await sendContactLink(scope.services, actor);
      return {
        to: appPaths.settings,
        flash: {
          tone: "success",
          title: "Link sent",
          description: `The person who reads ${email} can confirm it now.`,
        },
      };
    }
    if (form.get("intent") === "close") {
      const { closingName } = parseForm(form, closingPostSchema);
      const { closesAt } = await askToClose(scope.services, actor, closingName);
      const title = `The organisation closes on ${formatDateTime(closesAt, actor.timeZone)}`;
      return { to: appPaths.settings, flash: { tone: "info", title } };
    }
    if (form.get("intent") === "cancel-closing") {
      await cancelClosing(scope.services, actor);
      return { to: appPaths.settings, flash: { tone: "success", title: "The organisation stays open" } };
    }
    const { isNew, waiting } = await changeDetails(scope.services, actor, await parseDetailsForm(form));
    const title = waiting ? NAME_WAITS_TITLE : isNew ? "Details saved" : "Nothing has changed";
    return { to: appPaths.settings, flash: { tone: waiting ? "info" : "success", title } };
  });
});

export const clientAction = keepWhatWasTyped;

export default function Settings() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  if (!loaded) return null;
  const { canAdminister: isAdmin, contact, waitingName, closing, ...details } = loaded;
  return (
    <SettingsPage description="Who your organisation is, who belongs to it, and what it has decided.">
      {waitingName && (
        <Callout tone="info" title={NAME_WAITS_TITLE}>
          {tellNameWaits(waitingName.name, waitingName.why, details.values.name)}
        </Callout>
      )}
      {isAdmin ? (
        <>
          <DetailsForm {...details} answer={answerTo(answer, "details")} />
          <ContactCard contact={contact} answer={answerTo(answer, "confirm-contact")} />
          <ExportCard />
          <ClosingCard
            closing={closing}
            answer={answerTo(answer, "close")}
            cancelAnswer={answerTo(answer, "cancel-closing")}
          />
        </>
      ) : (
        <>
          <AdminsOnly />
          <DetailsCard {...details} />
        </>
      )}
    </SettingsPage>
  );
}

type Contact = Awaited<ReturnType<typeof findContactState>>;

/** Whether the contact email receives the organisation's alerts, and how to set that up. */
function ContactCard({ contact, answer }: { contact: Contact; answer?: FormAnswer }) {
  const { email, told, isConfirmed } = contact;
  return (
    <Card
      title="Alerts to the organisation"
      description="One address, besides the administrators' own, gets the alerts about your organisation."
      more="They are about changed policies, people and roles, exports, and payees that one person trusted alone."
    >
      {isConfirmed && <p>{email} is confirmed and gets these alerts.</p>}
      {!isConfirmed && (
        <p>
          {told
            ? `${told} gets these alerts until another address is confirmed.`
            : "No address is confirmed, so no one besides the administrators gets these alerts."}{" "}
          {email ? `${email} is not confirmed.` : "Save a contact email above to send a link to it."}
        </p>
      )}
      {!isConfirmed && email && (
        <PostForm intent="confirm-contact" answer={answer} className="mt-4">
          <SubmitButton variant="secondary" pendingText="Sending...">
            Send a link to confirm it
          </SubmitButton>
        </PostForm>
      )}
    </Card>
  );
}

/** Everything stored about the organisation as a file, for administrators. */
function ExportCard() {
  return (
    <Card
      title="All of your data"
      description="One file with everything we hold about your organisation."
      more={
        <>
          It holds payees, verifications, payments, documents, people, settings and the audit trail with its seals.
          Secrets, passwords and keys are left out. Each line of the file is a JSON object. The last line says that the
          export is complete. If it says <code>next</code> instead, open the same address with <code>?after=</code> and
          that value for the next file.
        </>
      }
    >
      <p>
        The file holds whole account numbers: keep it safe. The audit trail records the download, and the administrators
        are told.
      </p>
      <Button to={appPaths.organizationExport} reloadDocument variant="secondary" icon="download" className="mt-4">
        Download everything
      </Button>
    </Card>
  );
}

/** Closes the organisation: asked for by typing its name, cancelled by any administrator until the date. */
function ClosingCard({
  closing: { name, closesOn },
  answer,
  cancelAnswer,
}: {
  closing: Awaited<ReturnType<typeof findClosing>>;
  answer?: FormAnswer;
  cancelAnswer?: FormAnswer;
}) {
  if (closesOn) {
    return (
      <Card title="This organisation closes">
        <p>
          On {closesOn} its subscription ends, its connections end, and nobody can use it any more. Any administrator
          can cancel that until then.
        </p>
        <PostForm intent="cancel-closing" answer={cancelAnswer} className="mt-4">
          <SubmitButton variant="secondary" pendingText="Cancelling...">
            Keep the organisation open
          </SubmitButton>
        </PostForm>
      </Card>
    );
  }
  return (
    <Card
      title="Close the organisation"
      description={`${CLOSING_NOTICE_DAYS} days after you ask, its subscription ends, its connections end, and nobody can use it any more. The administrators are told at once, and any of them can cancel it.`}
    >
      <p>
        Download everything first. The records are kept for {CLOSED_KEPT_YEARS} years after that, as the law requires
        for financial records, and are then removed.
      </p>
      <PostForm intent="close" answer={answer} className="mt-4">
        <div className="grid max-w-2xl gap-5">
          <TextInput
            name="closingName"
            label="Name of the organisation"
            hint={`Type ${name}`}
            required
            autoComplete="off"
          />
          <div>
            <SubmitButton variant="danger" pendingText="Asking...">
              Close the organisation
            </SubmitButton>
          </div>
        </div>
      </PostForm>
    </Card>
  );
}

interface DetailsProps {
  /** Form values; empty when absent. */
  values: Record<DetailField, string>;
  logo: string | null;
}

/** The organisation's details, read-only. */
function DetailsCard({ values, logo }: DetailsProps) {
  return (
    <Card title="Organisation">
      <div className="mb-4">
        <OrganizationMark logo={logo} />
      </div>
      <DefinitionList
        items={DETAIL_FIELDS.map((field) => ({ term: DETAIL_LABELS[field], value: values[field] || "Not given" }))}
      />
    </Card>
  );
}

/** The organisation's details for its admins. */
function DetailsForm({ values, logo, answer }: DetailsProps & { answer?: FormAnswer }) {
  const field = (name: DetailField) => ({ name, label: DETAIL_LABELS[name] });
  return (
    <Card title="Organisation" description="Payees see the name when you ask them to confirm their details.">
      <PostForm intent="details" answer={answer} values={values} encType="multipart/form-data">
        <div className="grid max-w-2xl gap-5">
          <TextInput {...field("name")} required minLength={2} autoComplete="organization" />
          <TextInput {...field("abn")} hint="11 digits" digits inputMode="numeric" autoComplete="off" size={16} />
          <Textarea {...field("address")} rows={3} autoComplete="street-address" />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextInput {...field("phone")} type="tel" autoComplete="tel" />
            <TextInput {...field("contactEmail")} type="email" autoComplete="email" />
          </div>
          <TextInput {...field("website")} type="url" autoComplete="url" />
          <TextInput
            {...field("subdomain")}
            hint="A short name for your organisation, such as harbour-joinery"
            autoComplete="off"
          />
          <LogoField logo={logo} />
          <div>
            <SubmitButton pendingText="Saving...">Save</SubmitButton>
          </div>
        </div>
      </PostForm>
    </Card>
  );
}

function LogoField({ logo }: { logo: string | null }) {
  const hint = "A PNG, JPEG or WebP picture of at most 32 KB";
  const { frame, control } = useField({ name: "logo", label: "Logo", hint });
  const input = useRef<HTMLInputElement>(null);
  // Clears a refused logo, so that it is not sent again with the next save.
  useEffect(() => {
    if (frame.error?.length && input.current) input.current.value = "";
  }, [frame.error]);
  return (
    <div className="grid gap-3">
      <Field {...frame}>
        <div className="flex items-center gap-3">
          <OrganizationMark logo={logo} />
          <input {...control} ref={input} type="file" accept={LOGO_TYPES} className={controlClass} />
        </div>
      </Field>
      {logo && <Checkbox name="removeLogo" label="Remove the logo" />}
    </div>
  );
}
