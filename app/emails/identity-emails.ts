import type { EmailContent } from "./content";

/** Asks a new person to confirm the address they registered with. */
export function emailConfirmation(data: {
  firstName: string;
  /** The full name that was typed into the registration form. */
  registeredBy: string;
  link: string;
  organizationName: string | null;
}): EmailContent {
  return {
    subject: "Confirm your email address",
    preview: "Confirm the address, or tell us that this was not you.",
    heading: `Hello ${data.firstName}`,
    paragraphs: [
      data.organizationName
        ? `${data.registeredBy} registered this address with PayeeProof, for ${data.organizationName}.`
        : `${data.registeredBy} registered this address with PayeeProof.`,
      "If that was you, please confirm that the address is yours. The link works for 24 hours.",
      'If it was not you, open the link and choose "This was not me": the registration is deleted.',
    ],
    action: { label: "Confirm my address", href: data.link },
    reason: "You receive this email because someone registered with this address.",
  };
}

const NOT_YOU = "If this was not you, set a new password now and tell an administrator of your organisation.";

const SECURITY_REASON = "You receive this email because it concerns the security of your PayeeProof account.";

/** Sends the link to set a new password. */
export function passwordReset(data: { firstName: string; link: string }): EmailContent {
  return {
    subject: "Reset your password",
    preview: "The link works once, for one hour.",
    heading: `Hello ${data.firstName}`,
    paragraphs: [
      "Someone asked to reset the password of your PayeeProof account. The link works once, for one hour.",
      "If it was not you, ignore this email. Nothing has been changed.",
    ],
    action: { label: "Set a new password", href: data.link },
    reason: SECURITY_REASON,
  };
}

/** Tells a person that their password was changed. */
export function passwordChanged(data: { firstName: string; at: string; how: "reset" | "changed"; href: string }) {
  return {
    subject: "Your password was changed",
    preview: "If this was not you, set a new password now.",
    heading: `Hello ${data.firstName}`,
    paragraphs: [
      data.how === "reset"
        ? `On ${data.at} your password was reset through a link sent to this address. You were signed out everywhere, your API tokens were revoked, and passkeys added less than a day before were removed. Your older passkeys keep working: remove any that you do not know, in your profile.`
        : `On ${data.at} your password was changed. You were signed out everywhere else. Your passkeys and API tokens keep working until you remove them in your profile.`,
      NOT_YOU,
    ],
    action: { label: "Set a new password", href: data.href },
    reason: SECURITY_REASON,
  };
}

/** Tells a person about a sign-in from a new device or place. */
export function newDeviceSignIn(data: {
  firstName: string;
  device: string;
  place: string | null;
  ipAddress: string | null;
  at: string;
  href: string;
}): EmailContent {
  return {
    subject: "New sign-in to your account",
    preview: `${data.device}, ${data.at}`,
    heading: `Hello ${data.firstName}`,
    paragraphs: ["Someone signed in to your account from a device or place that we have not seen before.", NOT_YOU],
    facts: [
      { label: "When", value: data.at },
      { label: "Device", value: data.device },
      ...(data.place ? [{ label: "Place", value: data.place }] : []),
      ...(data.ipAddress ? [{ label: "Address", value: data.ipAddress }] : []),
    ],
    action: { label: "View your sessions", href: data.href },
    reason: SECURITY_REASON,
  };
}

/** Asks the new mailbox to confirm a change of address. */
export function emailChangeNew(data: { firstName: string; oldEmail: string; newEmail: string; link: string }) {
  return {
    subject: "Confirm your new email address",
    preview: `${data.newEmail} becomes the address of a PayeeProof account.`,
    heading: `Hello ${data.firstName}`,
    paragraphs: [
      `The person who signs in to PayeeProof as ${data.oldEmail} asked to change that address to ${data.newEmail}. If that was you, please confirm that it is yours. The link works for 24 hours.`,
      "If it was not you, open the link and stop the change.",
    ],
    action: { label: "Confirm or stop the change", href: data.link },
    reason: "You receive this email because someone gave this address as theirs.",
  };
}

/** Asks the old address to confirm the change, and offers to stop it. */
export function emailChangeOld(data: { firstName: string; newEmail: string; isAsked: boolean; link: string }) {
  return {
    subject: "Your email address is about to change",
    preview: `To ${data.newEmail}. If this was not you, stop it.`,
    heading: `Hello ${data.firstName}`,
    paragraphs: [
      `Someone who is signed in to your account asked to change its email address to ${data.newEmail}.`,
      data.isAsked
        ? "The change is made after it is confirmed at both addresses. With this link you can confirm or stop it for 24 hours."
        : "The change is made after it is confirmed at the new address. You can stop it with this link for 24 hours.",
      NOT_YOU,
    ],
    action: { label: "Confirm or stop the change", href: data.link },
    reason: SECURITY_REASON,
  };
}

/** Tells both addresses that the email address was changed. */
export function emailChanged(data: { firstName: string; oldEmail: string; newEmail: string; at: string }) {
  return {
    subject: "Your email address was changed",
    preview: `You now sign in with ${data.newEmail}.`,
    heading: `Hello ${data.firstName}`,
    paragraphs: [
      `On ${data.at} the address of your PayeeProof account was changed from ${data.oldEmail} to ${data.newEmail}. You were signed out everywhere. Sign in with the new address.`,
      "If this was not you, tell an administrator of your organisation now.",
    ],
    reason: SECURITY_REASON,
  };
}

/** Tells a person that two-step sign-in was turned on or off, or that its recovery codes are new. */
export function twoStepChanged(data: {
  firstName: string;
  change: "enabled" | "disabled" | "recovery_codes";
  at: string;
  href: string;
}): EmailContent {
  const what = {
    enabled: "Two-step sign-in was turned on",
    disabled: "Two-step sign-in was turned off",
    recovery_codes: "New recovery codes were created",
  }[data.change];
  return {
    subject: what,
    preview: "If this was not you, set a new password now.",
    heading: `Hello ${data.firstName}`,
    paragraphs: [`${what} for your account on ${data.at}.`, NOT_YOU],
    action: { label: "View two-step sign-in", href: data.href },
    reason: SECURITY_REASON,
  };
}

/** Tells a person that an API token can act in their name. */
export function apiTokenCreated(data: {
  firstName: string;
  name: string;
  organizationName: string;
  at: string;
  href: string;
}): EmailContent {
  return {
    subject: `New API token: ${data.name}`,
    preview: `It can act in your name at ${data.organizationName}.`,
    heading: `Hello ${data.firstName}`,
    paragraphs: [
      `On ${data.at} the API token "${data.name}" was created. It can act in your name at ${data.organizationName}.`,
      NOT_YOU,
    ],
    action: { label: "View your API tokens", href: data.href },
    reason: SECURITY_REASON,
  };
}

/** Tells a person that a passkey was added, removed or renamed, or that it may have been copied. */
export function passkeyChanged(data: {
  firstName: string;
  change: "added" | "added_new" | "renamed" | "removed" | "counter";
  name: string;
  at: string;
  href: string;
}): EmailContent {
  const { subject, text } = {
    added: {
      subject: "A passkey was added",
      text: `On ${data.at} the passkey "${data.name}" was added to your account. It signs in to your account without the password.`,
    },
    added_new: {
      subject: "A passkey was added",
      text: `On ${data.at} the passkey "${data.name}" was added to your account. It signs in to your account without the password. Where your organisation requires a passkey, this one is accepted a day later: if it was not you, remove it before then.`,
    },
    renamed: { subject: "A passkey was renamed", text: `On ${data.at} a passkey was renamed to "${data.name}".` },
    removed: {
      subject: "A passkey was removed",
      text: `On ${data.at} the passkey "${data.name}" was removed from your account. It no longer signs in.`,
    },
    counter: {
      subject: "A sign-in with your passkey was refused",
      text: `On ${data.at} a sign-in with the passkey "${data.name}" was refused: it had been used fewer times than we counted, so there may be a copy of it. Remove this passkey and add a new one.`,
    },
  }[data.change];
  return {
    subject,
    preview: "If this was not you, remove the passkey and set a new password now.",
    heading: `Hello ${data.firstName}`,
    paragraphs: [text, NOT_YOU],
    action: { label: "View your passkeys", href: data.href },
    reason: SECURITY_REASON,
  };
}
