/** How a person works through the review queue: all are off until they are chosen. */
export type ReviewChoices = {
  /** After a decision the next item follows at once. */
  reviewNext: boolean;
  /** Single keys move through the queue and decide. */
  reviewKeys: boolean;
  /** Rows of the queue have more space. */
  reviewRoomy: boolean;
};

export const NO_REVIEW_CHOICES: ReviewChoices = { reviewNext: false, reviewKeys: false, reviewRoomy: false };
