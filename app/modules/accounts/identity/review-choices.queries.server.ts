import { prepared } from "@db/prepared";
import { users } from "@db/schema";
import { eq, sql } from "drizzle-orm";
import type { ReadServices } from "~/services";
import { NO_REVIEW_CHOICES, type ReviewChoices } from "./review-choices";

/** How a person chose to work through the review queue. */
export async function findReviewChoices({ db }: ReadServices, userId: string): Promise<ReviewChoices> {
  const [row] = await choicesOf(db).all({ userId });
  return row ?? NO_REVIEW_CHOICES;
}

const choicesOf = prepared((db) =>
  db
    .select({ reviewNext: users.reviewNext, reviewKeys: users.reviewKeys, reviewRoomy: users.reviewRoomy })
    .from(users)
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare(),
);
