import type { AlertReason } from "~/kernel/enums";
import { stopAtOnceHref } from "~/kernel/paths/links";
import type { EmailContent } from "./content";

const STOP = "You can choose your alerts in your profile, under Alerts.";

/** Each sentence is true of every email of its kind, also for the many people who have not changed any setting. */
const REASONS: Readonly<Record<AlertReason, string>> = {
  chosen: "You get this email because you chose alerts of this kind by email.",
  own_work: "You get this email because it is about something that you recorded, started or asked for.",
  required: "You get this email because administrators are always told about this, at least in a daily summary.",
  organization:
    "You get this email because this is the confirmed address of the organisation, which is always told about this.",
  default: "You get this email because alerts of this kind are emailed to you unless you choose otherwise.",
};

export type AlertLine = {
  title: string;
  /** The subject of an email that holds others as well: the payee, then what became of it. Absent: the title. */
  lead?: string;
  body: string;
  href: string;
};

/**
 * Tells one person about what has just happened: one action, or several within a minute.
 * @param data.why absent in an email that was queued before its reason was kept
 */
export function alertRaised(
  data: AlertLine & {
    event?: string;
    /** Absent in emails to the organisation's own address, which no person can unsubscribe. */
    stopHref?: string;
    why?: AlertReason;
    /** Other actions, less serious than the first. */
    others?: (AlertLine & { event: string; why: AlertReason })[];
    /** How many more there are than fit in the email. */
    more?: number;
    allHref?: string;
  },
): EmailContent {
  const { others = [], more = 0 } = data;
  const stop = {
    reason: data.why === "organization" ? REASONS.organization : data.why ? `${REASONS[data.why]} ${STOP}` : STOP,
    ...(data.stopHref
      ? { stop: { label: "Stop alert emails", href: data.stopHref }, unsubscribeHref: stopAtOnceHref(data.stopHref) }
      : {}),
  };
  if (others.length === 0) {
    return {
      subject: data.title,
      preview: data.body,
      heading: data.title,
      paragraphs: [data.body],
      action: { label: "Open in PayeeProof", href: data.href },
      ...stop,
    };
  }
  const rest = others.length + more;
  const subject = `${data.lead ?? data.title}, and ${rest} more ${rest === 1 ? "alert" : "alerts"}`;
  return {
    subject,
    preview: data.body,
    heading: subject,
    paragraphs: ["These happened within a short time. The most serious is first."],
    links: [data, ...others].map(({ title, body, href }) => ({ label: title, note: body, href })),
    ...(more > 0 ? { after: `And ${more} more in PayeeProof.` } : {}),
    action: { label: "Open all alerts", href: data.allHref ?? data.href },
    ...stop,
  };
}

export function alertDigest(data: {
  organizationName: string;
  day: string;
  lines: { title: string; body: string; href: string }[];
  more: number;
  href: string;
  stopHref: string;
}): EmailContent {
  const total = data.lines.length + data.more;
  const heading = `${total} ${total === 1 ? "alert" : "alerts"} for ${data.day}`;
  return {
    subject: `${data.organizationName}: ${heading}`,
    preview: data.lines[0]?.title ?? heading,
    heading,
    paragraphs: [`At ${data.organizationName}, since your last summary:`],
    links: data.lines.map(({ title, body, href }) => ({ label: title, note: body, href })),
    ...(data.more > 0 ? { after: `And ${data.more} more in PayeeProof.` } : {}),
    action: { label: "Open all alerts", href: data.href },
    reason: `A daily summary holds the alerts that you chose for it, those that it includes unless you choose otherwise, and what administrators are always told. ${STOP}`,
    stop: { label: "Stop alert emails", href: data.stopHref },
    unsubscribeHref: stopAtOnceHref(data.stopHref),
  };
}
