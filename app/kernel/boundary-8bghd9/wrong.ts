import { openD1 } from "@db/database";
export const wrong = openD1;
