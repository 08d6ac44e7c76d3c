import { data, redirect } from "@remix-run/cloudflare";
import { useActionData } from "@remix-run/react";
import { KEPT_FORM } from "~/components/forms/form";
import { AuthLayout } from "~/components/layout/auth-layout";
import { titled } from "~/components/layout/page-title";
import { Button, buttonClass } from "~/components/ui/elements";
import { readForm } from "~/http/body.server";
import { page, readResponseState, setFlash } from "~/http/page.server";
import { safeRedirectPath } from "~/http/responses.server";
import { AppError } from "~/kernel/app-error";
import { NEVER_SHOWN_AGAIN } from "~/kernel/form-fields";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";

/** Keeps a form posted without scripts after its session had ended, or without its page's second step. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  // This is a page only as the answer to such a post.
  const { to, why } = askedIn(scope.url);
  if (!readResponseState(scope).hasErrors) throw redirect(withQuery(KEPT_FORM[why].to, { next: to }));
  return null;
});

function askedIn({ searchParams }: URL) {
  const to = safeRedirectPath(searchParams.get("to")) ?? appPaths.dashboard;
  return { to, why: searchParams.get("why") === "step_up" ? "step_up" : "signed_out" } as const;
}

/** Stores nothing: the fields return to the browser, which sends them again. Passwords and codes are typed again. */
export const action = /* @__PURE__ */ page(async ({ services, request, url }) => {
  const { to, why } = askedIn(url);
  const form = await readForm(request).catch(async (error) => {
    if (!(error instanceof AppError) || error.code !== "TOO_LARGE") throw error;
    const description = `${why === "step_up" ? "" : "You were signed out. "}The file is not kept: choose it again.`;
    const flash = await setFlash(services, { tone: "error", title: "Nothing was saved", description });
    throw redirect(withQuery(KEPT_FORM[why].to, { next: to }), { status: 303, headers: { "Set-Cookie": flash } });
  });
  const kept: { key: string; name: string; value: string }[] = [];
  let isWhole = true;
  for (const [name, value] of form) {
    const isSecret = NEVER_SHOWN_AGAIN.test(name);
    if (typeof value === "string" && !isSecret) kept.push({ key: String(kept.length), name, value });
    else if (typeof value === "string" ? value !== "" : value.size > 0) isWhole = false;
  }
  return data({ to, why, kept, isWhole } as const, { status: 401 });
});

export const meta = titled("Your form is still here");

export default function KeptForm() {
  const answer = useActionData<typeof action>();
  if (!answer) return null;
  const { to, why, kept, isWhole } = answer;
  const { title, sentence, to: way, label } = KEPT_FORM[why];
  return (
    <AuthLayout title={title} description={sentence}>
      <p className="mb-5 text-base">
        It is for the person who filled it in, in the organisation they worked in. If someone else sends it, nothing is
        saved.
      </p>
      {!isWhole && (
        <p className="mb-5 text-base">A file, a password or a code is not kept: you are asked for it again.</p>
      )}
      <div className="flex flex-wrap gap-3">
        <a href={way} target="_blank" rel="noopener" className={buttonClass()}>
          {label} (opens in a new tab)
        </a>
        <form method="post" action={to}>
          {kept.map(({ key, ...field }) => (
            <input key={key} type="hidden" {...field} />
          ))}
          <Button type="submit" variant="secondary">
            Send it again
          </Button>
        </form>
      </div>
    </AuthLayout>
  );
}
