import { stopAtOnceHref } from "~/kernel/paths/links";
import type { EmailContent } from "./content";

const STOP = "You can choose what you are told in your profile, under Alerts.";

/** Tells one person of one act, at once. */
export function alertRaised(data: { title: string; body: string; href: string; stopHref: string }): EmailContent {
  return {
    subject: data.title,
    preview: data.body,
    heading: data.title,
    paragraphs: [data.body],
    action: { label: "Open in PayeeProof", href: data.href },
    reason: `You get this email because you chose alerts by email. ${STOP}`,
    stop: { label: "Stop alert emails", href: data.stopHref },
    unsubscribeHref: stopAtOnceHref(data.stopHref),
  };
}

/** What waits for one person, once a day. */
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
    reason: `You get this email because you chose a daily summary. ${STOP}`,
    stop: { label: "Stop alert emails", href: data.stopHref },
    unsubscribeHref: stopAtOnceHref(data.stopHref),
  };
}
