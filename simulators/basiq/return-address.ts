/** Where the consent pages send the payee's browser when they are done. */
export function returnAddress(appOrigin: string, jobId: string, state: string): string {
  const url = new URL(`${appOrigin}/bank-consent/return`);
  url.searchParams.set("jobId", jobId);
  url.searchParams.set("jobIds", jobId);
  if (state) url.searchParams.set("state", state);
  return url.toString();
}
