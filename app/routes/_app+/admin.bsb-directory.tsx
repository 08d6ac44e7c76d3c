import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { BsbDirectoryCards } from "~/components/accounts/admin/bsb-directory-cards";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { formAction, parseForm } from "~/http/form-action.server";
import { permit, requireRole } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { findFile, readFormFile } from "~/http/upload.server";
import { PLATFORM_ROLES } from "~/kernel/access";
import { invalidInput } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { DEFAULT_POLICY } from "~/modules/accounts/organizations/policies/policy";
import { MAX_FILE_BYTES } from "~/modules/payees/bsb-updates/directory-change";
import { takeDirectory, uploadDirectory } from "~/modules/payees/bsb-updates/load-directory.server";
import { findUpdatePage, takePostSchema } from "~/modules/payees/bsb-updates/update-page.server";

const PATH = appPaths.bsbDirectory;

export const meta: MetaFunction = (route) => [pageTitle(route, "BSB directory")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const person = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const { services } = scope;
  const zone = { timeZone: DEFAULT_POLICY.timeZone, now: services.clock.now() };
  return {
    ...(await findUpdatePage(services, zone)),
    person: { firstName: person.firstName, lastName: person.lastName, username: person.username },
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const { services } = scope;
  const { userId, origin } = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const change = async (form: FormData) => {
    if (form.has("uploadId")) {
      const { rowCount } = await takeDirectory(services, { userId, origin }, parseForm(form, takePostSchema));
      const title = `The new directory is in use: ${rowCount.toLocaleString("en-AU")} BSBs`;
      const description = "Organisations with payees at closed or merged BSBs are being told.";
      return { to: PATH, flash: { tone: "success", title, description } as const };
    }
    const chosen = findFile(form);
    if (!chosen) throw invalidInput({ file: ["Choose a file"] });
    await uploadDirectory(services, { userId, origin }, await readFormFile(chosen));
    return { to: PATH };
  };
  return formAction(scope, change, { fileBytes: MAX_FILE_BYTES, title: "The directory was not changed" });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function BsbDirectory() {
  const { person, ...page } = useLoaderData<typeof loader>();
  return (
    <AdminPage person={person} scope="Every organisation" stats={[]}>
      <BsbDirectoryCards {...page} answer={useActionData<FormAnswer>()} />
    </AdminPage>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading the BSB Directory" />;
}
