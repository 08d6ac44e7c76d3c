/**
 * Waits a moment between two slices of background work, so that requests which came in meanwhile are answered.
 *
 * The runtime takes up what came in only when the work at hand waits for a timer or for the network. On a developer's
 * machine the database is part of the same process and waits for neither: without a pause the app answers nobody until
 * the whole delivery is done, and the local queue loses its place when a connection of its own is closed meanwhile.
 */
export const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
