/** Rendered directly on the server; the browser loads these when a view needs them. */
export { Clearings } from "./clearings";
