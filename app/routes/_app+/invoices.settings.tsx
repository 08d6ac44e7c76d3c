import type { SerializeFrom } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Textarea, TextInput } from "~/components/forms/fields";
import { Form, type FormAnswer, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { Link, linkClass } from "~/components/ui/elements";
import { Email } from "~/components/ui/email";
import { Card, named, PageHeader } from "~/components/ui/page-parts";
import { formAction, page, pageAdmin, parseForm } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import {
  findInvoiceSettings,
  findMailSettings,
  keepDocumentsFor,
  keptFormSchema,
  mailSendersSchema,
  nameMailSenders,
  renewMailAddress,
  switchMailOff,
} from "~/modules/payments/invoices/invoice-settings.server";
import type { Actor, Services } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named("Invoice settings", "Error Loading the Settings");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { organizationId } = await pageAdmin(scope);
  const [{ keptMonths }, mail] = await Promise.all([
    findInvoiceSettings(scope.services, organizationId),
    findMailSettings(scope.services, organizationId),
  ]);
  return { keptMonths, mail };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return formAction(scope, async (form) => {
    const title = await act(scope.services, actor, form);
    return { to: appPaths.invoiceSettings, flash: { tone: "success", title } };
  });
});

/** Runs the form's action. @returns the message about the result */
async function act(services: Services, actor: Actor, form: FormData): Promise<string> {
  switch (form.get("intent")) {
    case "renew-address":
      await renewMailAddress(services, actor);
      return "Invoices are received at this address";
    case "switch-off":
      await switchMailOff(services, actor);
      return "Nothing is received by email now";
    case "senders":
      await nameMailSenders(services, actor, parseForm(form, mailSendersSchema).mailSenders);
      return "Addresses saved";
    default:
      await keepDocumentsFor(services, actor, parseForm(form, keptFormSchema).keptMonths);
      return "Settings saved";
  }
}

export const clientAction = keepWhatWasTyped;

const ANSWERS =
  "We answer your people and the addresses below with the payee's name, the verdict and a link, if the check of the sender's domain passes (DMARC). Anything else is kept and listed, without an answer.";

/** The organisation's own address for invoices. */
function MailCard({ mail, answer }: { mail: SerializeFrom<typeof loader>["mail"]; answer: FormAnswer | undefined }) {
  if (!mail) {
    return (
      <Card title="Invoices by email">
        <p className="text-base">Receiving invoices by email is not set up here.</p>
      </Card>
    );
  }
  const { address, mailSenders } = mail;
  return (
    <Card title="Invoices by email" description="Forward an invoice, or give the address to suppliers." more={ANSWERS}>
      <RefusedAct answer={answer?.intent === "renew-address" || answer?.intent === "switch-off" ? answer : undefined} />
      {address === null ? (
        <>
          <p className="text-base">It is off: your organisation has no address.</p>
          <PressForm intent="renew-address" label="Switch on" />
        </>
      ) : (
        <>
          <p className="text-ink-soft text-sm">Send invoices to</p>
          <p className="font-medium text-base">
            <Email value={address} />
          </p>
          <p className="mt-2 text-ink-soft text-sm">
            Anyone who knows the address can send to it. A new address replaces it at once.
          </p>
          <div className="flex flex-wrap gap-3">
            <PressForm intent="renew-address" label="Replace the address" variant="secondary" />
            <PressForm intent="switch-off" label="Switch off" variant="danger" />
          </div>
        </>
      )}
      <PostForm
        intent="senders"
        answer={answer}
        values={{ mailSenders: mailSenders.join("\n") }}
        className="mt-6 grid gap-5"
      >
        <Textarea name="mailSenders" label="Other addresses that get answers" hint="One on each line, at most 50" />
        <div>
          <SubmitButton variant="secondary" pendingText="Saving...">
            Save addresses
          </SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

function PressForm({ intent, label, variant }: { intent: string; label: string; variant?: "secondary" | "danger" }) {
  return (
    <Form method="post" className="mt-4">
      <SubmitButton name="intent" value={intent} variant={variant} pendingText="Saving...">
        {label}
      </SubmitButton>
    </Form>
  );
}

export default function InvoiceSettings() {
  const { keptMonths, mail } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title="Invoice settings"
        breadcrumb={[
          { label: "Payments", to: appPaths.payments },
          { label: "Invoices", to: appPaths.invoices },
        ]}
      />
      <div className="grid gap-6">
        <Card
          title="How long documents are kept"
          description="Documents are encrypted, and removed overnight after this time. What was read and decided stays in your records."
        >
          <PostForm intent="kept" answer={answer} values={{ keptMonths: String(keptMonths) }} className="grid gap-5">
            <TextInput
              name="keptMonths"
              label="Kept for"
              hint="From 1 to 120"
              inputMode="numeric"
              required
              digits
              size={4}
              unit="months"
            />
            <div>
              <SubmitButton pendingText="Saving...">Save</SubmitButton>
            </div>
          </PostForm>
        </Card>
        <MailCard mail={mail} answer={answer} />
        <Card title="What stops an invoice">
          <p className="text-base">
            Each rule stops an invoice, warns or notes, as{" "}
            <Link to={appPaths.policies} className={linkClass}>
              your policies
            </Link>{" "}
            say.
          </p>
        </Card>
      </div>
    </div>
  );
}
