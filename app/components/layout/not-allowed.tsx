import { useLocation } from "@remix-run/react";
import { isCurrent } from "~/components/layout/nav-link";
import { ACCOUNT_LINKS, RAIL } from "~/components/layout/navigation";
import { Message } from "~/components/layout/whole-page-message";
import { Button } from "~/components/ui/button";
import { appPaths } from "~/kernel/paths/app";

interface Wording {
  title: string;
  /** What the person can do about it. */
  advice?: string;
  action?: { label: string; to: string };
}

/** By the code of the refusal. */
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

const UNKNOWN: Wording = { title: "You cannot open this page" };

/** In the place of a page or form that the person's role may not use: why, what they can do, and a way on. */
export function NotAllowed({ code, message }: { code?: string; message?: string }) {
  const { pathname } = useLocation();
  const { title, advice, action } = WORDINGS[code ?? ""] ?? UNKNOWN;
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
