import { useLocation } from "@remix-run/react";
import { Button } from "~/components/ui/elements";
import { sitePaths } from "~/kernel/paths/site";

interface Way {
  title: string;
  text: string;
  action: { label: string; to: string };
}

const LOGIN = { label: "Go to Login", to: sitePaths.signIn };

/** By the first part of the path: what the link was for, and how to get a new one. */
const WAYS: Readonly<Record<string, Way>> = {
  "reset-password": {
    title: "This password link cannot be used",
    text: "A link to set a new password works once, for one hour.",
    action: { label: "Send a new link", to: sitePaths.forgotPassword },
  },
  "confirm-email": {
    title: "This confirmation link cannot be used",
    text: "Log in: if your address is not confirmed yet, your profile can send a new link.",
    action: LOGIN,
  },
  "email-change": {
    title: "This confirmation link cannot be used",
    text: "Log in and change your email address again in your profile.",
    action: LOGIN,
  },
  invitation: {
    title: "This invitation cannot be used",
    text: "Ask the person who invited you to send a new invitation.",
    action: LOGIN,
  },
};

const OTHER: Way = {
  title: "This link cannot be used",
  text: "If someone sent it to you, ask them for a new one.",
  action: { label: "Go to the home page", to: sitePaths.home },
};

/** Shown for an email link that is unknown. */
export function UnknownLink() {
  const { pathname } = useLocation();
  const { title, text, action } = WAYS[pathname.split("/")[1] ?? ""] ?? OTHER;
  return (
    <div className="rounded-base border border-line bg-surface p-6 shadow-rest sm:p-8">
      <h1 id="page-title" tabIndex={-1} className="display text-2xl">
        {title}
      </h1>
      <p className="mt-2 text-base text-ink-soft">{`It is incomplete, has expired or has already been used. ${text}`}</p>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button to={action.to}>{action.label}</Button>
        <Button to={sitePaths.help} variant="secondary">
          Help
        </Button>
      </div>
    </div>
  );
}
