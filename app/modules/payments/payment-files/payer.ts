/** Who pays, for a cleared file that is made from a table: what a direct entry file's header and trace fields hold. */
export type PayerDetails = {
  /** The bank's three letters, such as CBA. */
  bank: string;
  /** Name of the account that pays. */
  userName: string;
  /** Up to six digits: the direct entry user id that the bank gave. */
  userId: string;
  bsb: string;
  accountNumber: string;
  /** Name that the receiver sees. */
  remitter: string;
};
