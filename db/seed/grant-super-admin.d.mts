export type GrantedAccount = {
  role: string;
  status: string;
  isConfirmed: number;
  hasTwoStep: number;
  isNew: number;
};

export declare function grantStatements(email: string, entry: { id: string; now: number }): string[];

export declare function explain(
  email: string,
  account: GrantedAccount | undefined,
): { isSuperAdmin: boolean; sentence: string };
