import type { MailContent } from "./content";

type Told = { firstName: string; organizationName: string; href: string };

const aboutAccess = (organizationName: string) =>
  `You get this mail because it is about your own access to ${organizationName} at PayeeProof.`;

/** Invites somebody to an organisation. */
export function invitation(data: {
  organizationName: string;
  invitedBy: string;
  role: string;
  link: string;
}): MailContent {
  return {
    subject: `${data.invitedBy} invites you to ${data.organizationName}`,
    preview: `Join ${data.organizationName} at PayeeProof.`,
    heading: `Join ${data.organizationName}`,
    paragraphs: [
      `${data.invitedBy} invites you to work with ${data.organizationName} at PayeeProof, where payees' bank details are checked before anything is paid.`,
      "The link works once, for seven days. Opening it changes nothing: you decide on the page.",
    ],
    facts: [{ label: "Your role", value: data.role }],
    action: { label: "Look at the invitation", href: data.link },
    reason: `You get this mail because ${data.invitedBy} of ${data.organizationName} gave us this address. If you do not know them, ignore it.`,
  };
}

/** Tells a waiting person that they are let in. */
export function memberApproved({ firstName, organizationName, href }: Told): MailContent {
  return {
    subject: `You can now work with ${organizationName}`,
    preview: "An administrator has let you in.",
    heading: `Welcome to ${organizationName}, ${firstName}`,
    paragraphs: ["An administrator of your organisation has let you in. Everything is open to you from now on."],
    action: { label: "Go to the dashboard", href },
    reason: aboutAccess(organizationName),
  };
}

/** Tells a waiting person that they are not let in. */
export function memberRejected({ firstName, organizationName }: Told): MailContent {
  return {
    subject: `${organizationName} did not let you in`,
    preview: "An administrator did not approve your account.",
    heading: `Hello ${firstName}`,
    paragraphs: [
      `An administrator of ${organizationName} did not approve your account.`,
      "If you think that this is a mistake, speak to the people who look after PayeeProof there.",
    ],
    reason: aboutAccess(organizationName),
  };
}

/** Tells a person that they may do other things from now on. */
export function memberRoleChanged(data: Told & { from: string; to: string }): MailContent {
  return {
    subject: `Your role at ${data.organizationName} has changed`,
    preview: `From ${data.from} to ${data.to}.`,
    heading: `Hello ${data.firstName}`,
    paragraphs: [`An administrator of ${data.organizationName} has changed what you may do there.`],
    facts: [
      { label: "Before", value: data.from },
      { label: "Now", value: data.to },
    ],
    action: { label: "Go to the dashboard", href: data.href },
    reason: aboutAccess(data.organizationName),
  };
}

/** Tells a person that they cannot come in any more. */
export function memberDeactivated({ firstName, organizationName }: Told): MailContent {
  return {
    subject: `Your access to ${organizationName} has ended`,
    preview: "An administrator has ended your access.",
    heading: `Hello ${firstName}`,
    paragraphs: [
      `An administrator of ${organizationName} has ended your access, and you have been signed out everywhere.`,
      "If you think that this is a mistake, speak to the people who look after PayeeProof there.",
    ],
    reason: aboutAccess(organizationName),
  };
}

/** Tells a person that they can come in again. */
export function memberReactivated({ firstName, organizationName, href }: Told): MailContent {
  return {
    subject: `You can work with ${organizationName} again`,
    preview: "An administrator has given you access again.",
    heading: `Welcome back, ${firstName}`,
    paragraphs: [`An administrator of ${organizationName} has given you access again. Sign in with your own password.`],
    action: { label: "Go to the dashboard", href },
    reason: aboutAccess(organizationName),
  };
}

/** Tells an organisation's admins that it cannot act for now, or that it can again. */
export function organizationStanding(data: {
  organizationName: string;
  isSuspended: boolean;
  href: string;
}): MailContent {
  const { organizationName, isSuspended, href } = data;
  return isSuspended
    ? {
        subject: `${organizationName} is suspended`,
        preview: "Nobody of your organisation can work with PayeeProof for now.",
        heading: `${organizationName} is suspended`,
        paragraphs: [
          "Nobody of your organisation can look at or change anything at PayeeProof for now. Nothing was deleted.",
          "Please get in touch with us to settle what stands in the way.",
        ],
        action: { label: "Contact us", href },
        reason: `You get this mail because you are an administrator of ${organizationName} at PayeeProof.`,
      }
    : {
        subject: `${organizationName} can go on`,
        preview: "The suspension has ended.",
        heading: `${organizationName} can go on`,
        paragraphs: ["The suspension has ended, and everything is as you left it."],
        action: { label: "Go to the dashboard", href },
        reason: `You get this mail because you are an administrator of ${organizationName} at PayeeProof.`,
      };
}
