import { openD1 } from "@db/client";
export const wrong = openD1;
