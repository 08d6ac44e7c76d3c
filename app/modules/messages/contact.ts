/** What a visitor can be interested in (specification, section 3), and how it reads. */
export const CONTACT_INTERESTS = {
  demo: "A demonstration",
  pricing: "Pricing",
  integration: "Integration",
  other: "Something else",
} as const;

export type ContactInterest = keyof typeof CONTACT_INTERESTS;

/** A visitor's message, cleaned. */
export type ContactMessage = {
  firstName: string;
  lastName: string;
  email: string;
  company: string;
  phone: string;
  interest: ContactInterest;
  message: string;
};

/** Name of the field that people do not see and programs fill in. */
export const TRAP_FIELD = "website";

/** Limits of our own; the shortest lengths are the specification's (section 5). */
export const CONTACT_LENGTHS = {
  firstName: { min: 2, max: 100 },
  lastName: { min: 2, max: 100 },
  email: { min: 3, max: 254 },
  company: { min: 2, max: 200 },
  phone: { min: 8, max: 40 },
  message: { min: 10, max: 5_000 },
} as const;

/** What is said after a message was taken (specification, section 8). */
export const CONTACT_THANKS = {
  title: "Submission successful",
  description: "We've received your message and will contact you shortly.",
} as const;

export const CONTACT_FAILURE = { title: "Submission failed", description: "Please try again." } as const;
