import * as z from "zod";
import { assigneeSchema } from "~/modules/verifying/assign.server";
import { commentFormSchema } from "~/modules/verifying/comment.server";

/** What the page of comments posts, told apart by the button that was pressed. */
export const notesFormSchema = z.discriminatedUnion("intent", [
  commentFormSchema,
  z.object({ intent: z.literal("assign"), assignee: assigneeSchema }),
]);
