import * as z from "zod";

const NO_ADDRESS = "Choose an address";

/** The form that lets emails go to an address again. */
export const allowAddressSchema = z.object({ email: z.string(NO_ADDRESS).min(1, NO_ADDRESS).max(320) });
