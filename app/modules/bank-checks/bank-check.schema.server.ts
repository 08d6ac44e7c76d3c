import * as z from "zod";

/** Starting a check takes no wishes: whatever is sent is passed over. */
export const emptySchema = z.looseObject({});
