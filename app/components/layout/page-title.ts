/** Said first by a screen reader, shown first on the tab: the page says what was wrong with the form that was sent. */
export const ERROR_PREFIX = "Error: ";

/** What every page's `meta` is given. */
export type TitledPage = {
  matches: readonly ({ id: string; data?: unknown } | undefined)[];
  location: { key: string };
};

/** In a browser: the history entry of the document that came with a refusal. */
let arrivedAt: string | undefined;

/** The root's data outlive the document they came with where scripts run; pages opened since then refused nothing. */
function isOfThisDocument({ key }: TitledPage["location"]): boolean {
  if (typeof document === "undefined") return true;
  arrivedAt ??= key;
  return key === arrivedAt;
}

/** Whether this document answers a post that was refused. */
export function answersRefusal({ matches, location }: TitledPage): boolean {
  const root = matches.find((match) => match?.id === "root")?.data;
  const isRefusal = typeof root === "object" && root !== null && "hasErrors" in root && root.hasErrors === true;
  return isRefusal && isOfThisDocument(location);
}

/** The title for a page's `meta`: "Payees · PayeeProof", and in answer to a refused post "Error: Payees · PayeeProof". */
export function pageTitle(page: TitledPage, title: string): { title: string } {
  return { title: `${answersRefusal(page) ? ERROR_PREFIX : ""}${title} · PayeeProof` };
}
