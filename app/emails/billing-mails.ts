import type { MailContent } from "./content";

const reasonFor = (organizationName: string) =>
  `You get this mail because you may look after the subscription of ${organizationName} to PayeeProof.`;

/** Tells that the organisation's own trial is about to end. */
export function trialEnding(data: {
  organizationName: string;
  endsOn: string;
  price: string;
  href: string;
}): MailContent {
  return {
    subject: `Your PayeeProof trial ends on ${data.endsOn}`,
    preview: `Subscribe to keep verifying payees after ${data.endsOn}.`,
    heading: `The trial of ${data.organizationName} ends on ${data.endsOn}`,
    paragraphs: [
      "After that day, new verifications, payments and bank checks need a subscription. What you have can always be read, edited, reviewed and exported.",
      `The subscription is ${data.price} a month, GST included. You can cancel at any time.`,
    ],
    action: { label: "Subscribe", href: data.href },
    reason: reasonFor(data.organizationName),
  };
}

/** Tells that a renewal could not be charged. */
export function paymentFailed(data: {
  organizationName: string;
  amount: string;
  isLast: boolean;
  href: string;
}): MailContent {
  return {
    subject: `Payment failed: ${data.amount} for PayeeProof`,
    preview: "Please update your payment method.",
    heading: `We could not charge ${data.amount}`,
    paragraphs: [
      `The payment for the subscription of ${data.organizationName} did not go through.`,
      data.isLast
        ? "It was tried several times and will not be tried again by itself. New verifications, payments and bank checks wait until the open invoice is paid."
        : "It will be tried again over the next days. Until it is paid, new verifications, payments and bank checks wait.",
    ],
    facts: [{ label: "Amount", value: data.amount }],
    action: { label: "Pay or change the card", href: data.href },
    reason: reasonFor(data.organizationName),
  };
}

/** Tells that the card on file runs out. */
export function cardExpiring(data: {
  organizationName: string;
  last4: string;
  expires: string;
  href: string;
}): MailContent {
  return {
    subject: `The card ending in ${data.last4} expires soon`,
    preview: `It works until the end of ${data.expires}.`,
    heading: `The card ending in ${data.last4} expires soon`,
    paragraphs: [
      `The card that pays for the subscription of ${data.organizationName} works until the end of ${data.expires}. Change it in time, and nothing is interrupted.`,
    ],
    action: { label: "Change the card", href: data.href },
    reason: reasonFor(data.organizationName),
  };
}

/** Confirms that the subscription will end with what was paid for. */
export function subscriptionCancelled(data: { organizationName: string; endsOn: string; href: string }): MailContent {
  return {
    subject: `Subscription cancelled: it runs until ${data.endsOn}`,
    preview: "You can take this back until then.",
    heading: `The subscription of ${data.organizationName} was cancelled`,
    paragraphs: [
      `It runs until ${data.endsOn}, and nothing more will be charged. Until then you can take this back with one click.`,
      "Afterwards, what you have can still be read, edited, reviewed and exported.",
    ],
    facts: [{ label: "Runs until", value: data.endsOn }],
    action: { label: "Look at the subscription", href: data.href },
    reason: reasonFor(data.organizationName),
  };
}

/** Tells that the subscription has ended. */
export function subscriptionEnded(data: { organizationName: string; href: string }): MailContent {
  return {
    subject: "Your PayeeProof subscription has ended",
    preview: "What you have can still be read and exported.",
    heading: `The subscription of ${data.organizationName} has ended`,
    paragraphs: [
      "New verifications, payments and bank checks need a subscription again. What you have can still be read, edited, reviewed and exported.",
    ],
    action: { label: "Subscribe again", href: data.href },
    reason: reasonFor(data.organizationName),
  };
}
