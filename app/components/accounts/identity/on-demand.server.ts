/** What the server draws at once, and the browser loads where a view of the page needs it. */
export { ConfirmNotice } from "./confirm-notice";
export { SignApproval } from "./sign-approval";
