/** What the server draws at once, and the browser loads where a view of the page needs it. */
export { Clearings } from "./clearings";
