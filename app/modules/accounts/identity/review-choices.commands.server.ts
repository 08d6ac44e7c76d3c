import { users } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import { aboutUser, asAccountActor } from "./account-actor";
import { NO_REVIEW_CHOICES, type ReviewChoices } from "./review-choices";
import { findReviewChoices } from "./review-choices.queries.server";

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
