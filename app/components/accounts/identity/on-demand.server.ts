/** Rendered directly on the server; the browser loads these when a view needs them. */
export { ConfirmNotice } from "./confirm-notice";
export { SignApproval } from "./sign-approval";
