import type { EmailContent } from "./content";

const reasonFor = (organizationName: string) =>
  `You receive this email because you can manage the PayeeProof subscription of ${organizationName}.`;

/** Warns that the organisation's own trial is about to end. */
export function trialEnding(data: { organizationName: string; endsOn: string; price: string; href: string }) {
  return {
    subject: `Your PayeeProof trial ends on ${data.endsOn}`,
    preview: `Subscribe to keep verifying payees after ${data.endsOn}.`,
    heading: `The trial of ${data.organizationName} ends on ${data.endsOn}`,
    paragraphs: [
      "After that day, new verifications, payments and bank checks need a subscription. You can still view, edit, review and export your records.",
      `The subscription is ${data.price} a month, GST included. You can cancel at any time.`,
    ],
    action: { label: "Subscribe", href: data.href },
    reason: reasonFor(data.organizationName),
  };
}

/** Tells that a renewal could not be charged. */
export function paymentFailed(data: { organizationName: string; amount: string; isLast: boolean; href: string }) {
  return {
    subject: `Payment failed: ${data.amount} for PayeeProof`,
    preview: "Please update your payment method.",
    heading: `We could not charge ${data.amount}`,
    paragraphs: [
      `The payment for the subscription of ${data.organizationName} did not go through.`,
      data.isLast
        ? "We tried several times and will not try again automatically. New verifications, payments and bank checks are not possible until the open invoice is paid."
        : "We will try again over the next few days. New verifications, payments and bank checks are not possible until it is paid.",
    ],
    facts: [{ label: "Amount", value: data.amount }],
    action: { label: "Pay or change the card", href: data.href },
    reason: reasonFor(data.organizationName),
  };
}

/** Tells that the card on file is about to expire. */
export function cardExpiring(data: { organizationName: string; last4: string; expires: string; href: string }) {
  return {
    subject: `The card ending in ${data.last4} expires soon`,
    preview: `It works until the end of ${data.expires}.`,
    heading: `The card ending in ${data.last4} expires soon`,
    paragraphs: [
      `The card that pays for the subscription of ${data.organizationName} works until the end of ${data.expires}. Change it before then to avoid an interruption.`,
    ],
    action: { label: "Change the card", href: data.href },
    reason: reasonFor(data.organizationName),
  };
}

/** Confirms that the subscription will end with the period that was paid for. */
export function subscriptionCancelled(data: { organizationName: string; endsOn: string; href: string }): EmailContent {
  return {
    subject: `Subscription cancelled: it runs until ${data.endsOn}`,
    preview: "You can undo this until then.",
    heading: `The subscription of ${data.organizationName} was cancelled`,
    paragraphs: [
      `It runs until ${data.endsOn}, and nothing more will be charged. Until then you can undo the cancellation.`,
      "Afterwards you can still view, edit, review and export your records.",
    ],
    facts: [{ label: "Runs until", value: data.endsOn }],
    action: { label: "View the subscription", href: data.href },
    reason: reasonFor(data.organizationName),
  };
}

export function subscriptionEnded(data: { organizationName: string; href: string }): EmailContent {
  return {
    subject: "Your PayeeProof subscription has ended",
    preview: "You can still view and export your records.",
    heading: `The subscription of ${data.organizationName} has ended`,
    paragraphs: [
      "New verifications, payments and bank checks need a subscription again. You can still view, edit, review and export your records.",
    ],
    action: { label: "Subscribe again", href: data.href },
    reason: reasonFor(data.organizationName),
  };
}
