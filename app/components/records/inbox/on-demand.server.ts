/** What the server draws at once, and the browser loads beside the page. */
export { InboxList } from "./inbox-list";
