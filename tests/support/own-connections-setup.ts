import { withOwnConnections } from "./own-connections";

/** Before each file of a browser project. Files share a process, so it is done once. */
const shared = globalThis as { hasOwnConnections?: boolean };
if (!shared.hasOwnConnections) globalThis.fetch = withOwnConnections(globalThis.fetch);
shared.hasOwnConnections = true;
