/** The topics that a visitor can choose (specification, section 3), and their labels. */
export const CONTACT_INTERESTS = {
  demo: "A demonstration",
  pricing: "Pricing",
  integration: "Integration",
  other: "Something else",
} as const;

export type ContactInterest = keyof typeof CONTACT_INTERESTS;

/** A visitor's message, normalised. */
export type ContactMessage = {
  firstName: string;
  lastName: string;
  email: string;
  company: string;
  phone: string;
  interest: ContactInterest;
  message: string;
};

/** Name of a hidden field that only bots fill in. */
export const TRAP_FIELD = "website";

/** Maximum lengths are our own; minimum lengths are the specification's (section 5). */
export const CONTACT_LENGTHS = {
  firstName: { min: 2, max: 100 },
  lastName: { min: 2, max: 100 },
  email: { min: 3, max: 254 },
  company: { min: 2, max: 200 },
  phone: { min: 8, max: 40 },
  message: { min: 10, max: 5_000 },
} as const;

/** The confirmation after a message was sent (specification, section 8). */
export const CONTACT_THANKS = {
  title: "Submission successful",
  description: "We've received your message and will contact you shortly.",
} as const;

export const CONTACT_FAILURE = { title: "Submission failed", description: "Please try again." } as const;
