import { test as alone } from "vitest";
import { aMember } from "./factories";
import { testServices } from "./services";

/** A test with services of its own, and a signed-in member of an organisation of their own. */
export const test = alone.extend("services", () => testServices()).extend("actor", ({ services }) => aMember(services));
