import { useLocation } from "@remix-run/react";
import { Button } from "~/components/ui/elements";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { ErrorPage, Message, useProblem } from "./error-page";
import { isCurrent } from "./nav-link";
import { ACCOUNT_LINKS, RAIL } from "./navigation";
import { useLoadedRootData } from "./root-data";

/** The contents of `<main>` for an address without a page. It is not repeated: it may contain a secret. */
export function NotFound() {
  const isSignedIn = Boolean(useLoadedRootData()?.user);
  return (
    <Message
      title="Page not found"
      actions={
        <>
          <Button to={isSignedIn ? appPaths.dashboard : sitePaths.home}>
            {isSignedIn ? "Go to the dashboard" : "Go to the home page"}
          </Button>
          <Button to={sitePaths.help} variant="secondary">
            Help
          </Button>
        </>
      }
    >
      <p>
        There is no page at this address. It may have moved, it may have been deleted, or it may belong to an
        organisation that you are not signed in to.
      </p>
      <p className="mt-2">Check the address, or start again from one of these pages.</p>
    </Message>
  );
}

interface Wording {
  title: string;
  /** What the person can do about it. */
  advice?: string;
  action?: { label: string; to: string };
}

/** Words by error code. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  READ_ONLY: {
    title: "Your role is read only",
    advice: "If you need to make changes, ask an administrator of your organisation for the member role.",
  },
  ADMIN_REQUIRED: {
    title: "Only administrators can do this",
    advice: "Ask an administrator of your organisation to do it, or to give you the administrator role.",
  },
  TWO_STEP_REQUIRED: {
    title: "Turn on two-step sign-in first",
    action: { label: "Set up two-step sign-in", to: appPaths.twoStep },
  },
  PASSKEY_REQUIRED: {
    title: "Sign in with a passkey first",
    action: { label: "Your passkeys", to: appPaths.passkeys },
  },
};

const NO_WORDING: Wording = { title: "You cannot open this page" };

/** Shown in place of a page or form that the person's role may not use: why, what they can do, and a link. */
export function NotAllowed({ code, message }: { code?: string; message?: string }) {
  const { pathname } = useLocation();
  const { title, advice, action } = WORDINGS[code ?? ""] ?? NO_WORDING;
  const section = [...RAIL, ...ACCOUNT_LINKS].find(({ to }) => to !== pathname && isCurrent(pathname, to));
  const back = section ?? { label: "Dashboard", to: appPaths.dashboard };
  return (
    <Message
      title={title}
      actions={
        <>
          {action && <Button to={action.to}>{action.label}</Button>}
          <Button to={back.to} variant={action ? "secondary" : "primary"}>
            Go to {back.label}
          </Button>
        </>
      }
    >
      {message && <p>{message}</p>}
      {advice && <p className="mt-2">{advice}</p>}
    </Message>
  );
}

/** The contents of `<main>` for a page without a boundary of its own. */
export function PageProblem() {
  const { pathname, search } = useLocation();
  const { status, code, message, requestId } = useProblem();
  if (status === 404) return <NotFound />;
  if (status === 403) return <NotAllowed code={code} message={message} />;
  return <ErrorPage {...{ status, message, requestId }} retryHref={pathname + search} />;
}
