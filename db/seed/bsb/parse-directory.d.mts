/** One row of the table `bsb_directory`, less the time it was loaded. */
export type DirectoryRow = {
  /** Six digits. */
  bsb: string;
  /** The institution's three-letter code. */
  mnemonic: string;
  name: string;
  /** null where the directory gives none, or uses the column to name a successor. */
  street: string | null;
  suburb: string | null;
  state: string | null;
  postcode: string | null;
  paper: boolean;
  /** Takes direct entry. */
  electronic: boolean;
  highValue: boolean;
  status: "open" | "closed" | "merged";
  /** Where to pay instead; the directory sometimes names a BSB that it no longer lists. */
  successorBsb: string | null;
};

export declare function parseDirectory(text: string): { rows: DirectoryRow[]; errors: string[] };
