/** What the server draws at once, and the browser loads where a view of the page needs it. */
export { ChangeStoryBanner } from "~/components/payees/change-story";
export { CallForm, DecidedCard, PayeeLinkCard } from "./review-on-demand";
