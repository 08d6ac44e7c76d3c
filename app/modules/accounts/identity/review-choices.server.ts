import { prepared } from "@db/prepared";
import { users } from "@db/schema/index";
import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Person } from "~/kernel/actor";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { ReadServices, WriteServices } from "~/services";
import { aboutUser, asAccountActor } from "./account-actor";

/** How a person works through the review queue: all are off until they are chosen. */
type ReviewChoices = {
  /** After a decision the next item follows at once. */
  reviewNext: boolean;
  /** Single keys move through the queue and decide. */
  reviewKeys: boolean;
  /** Rows of the queue have more space. */
  reviewRoomy: boolean;
};

const NO_REVIEW_CHOICES: ReviewChoices = { reviewNext: false, reviewKeys: false, reviewRoomy: false };

/** A box that was ticked is sent, one that was not is absent. */
const ticked = z.literal("on").optional().transform(Boolean);

export const reviewChoicesSchema: z.ZodType<ReviewChoices> = z.object({
  reviewNext: ticked,
  reviewKeys: ticked,
  reviewRoomy: ticked,
});

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

/** Changes how a person works through the review queue. Saving the same again writes nothing. */
export async function changeReviewChoices(
  services: WriteServices,
  person: Person,
  choices: ReviewChoices,
): Promise<void> {
  const { db, clock } = services;
  const { userId } = person;
  const before = await findReviewChoices(services, userId);
  const names = Object.keys(NO_REVIEW_CHOICES) as (keyof ReviewChoices)[];
  if (names.every((name) => before[name] === choices[name])) return;
  await runCommand(services, asAccountActor(person), {
    statements: [
      db
        .update(users)
        .set({ ...choices, updatedAt: clock.now() })
        .where(eq(users.id, userId)),
    ],
    audit: [
      {
        action: "user.review_choices_changed",
        ...aboutUser(userId),
        details: Object.fromEntries(names.map((name) => [name, { from: before[name], to: choices[name] }])),
      },
    ],
    answer: undefined,
  });
}
