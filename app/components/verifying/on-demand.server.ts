/** What the server draws at once, and the browser loads where a view of the page needs it. */
export { ChangeStoryBanner } from "~/components/payees/change-story";
export { CallForm } from "./call-form";
export { DecidedCard } from "./decided-card";
export { PayeeLinkCard } from "./payee-link-card";
