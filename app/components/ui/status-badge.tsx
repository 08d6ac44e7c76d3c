import { PAYMENT_STATUS_WORDS, USER_STATUS_WORDS, VERIFICATION_STATUS_LOOKS } from "~/kernel/status-words";
import { Badge, type IconName, type Tone } from "./elements";

interface StatusLook {
  tone: Tone;
  icon: IconName;
  word: string;
}

/** The badge of each payment_records.status. */
const paymentStatusLook = {
  authorised: { tone: "verified", icon: "checkCircle", word: PAYMENT_STATUS_WORDS.authorised },
  held: { tone: "review", icon: "pause", word: PAYMENT_STATUS_WORDS.held },
  verification_requested: { tone: "pending", icon: "clock", word: PAYMENT_STATUS_WORDS.verification_requested },
  rejected: { tone: "review", icon: "xCircle", word: PAYMENT_STATUS_WORDS.rejected },
  successful: { tone: "verified", icon: "check", word: PAYMENT_STATUS_WORDS.successful },
  failed: { tone: "review", icon: "alert", word: PAYMENT_STATUS_WORDS.failed },
} as const satisfies Record<string, StatusLook>;

/** The badge of each payment_files.status. */
const fileStatusLook = {
  checking: { tone: "pending", icon: "clock", word: "Checking" },
  open: { tone: "pending", icon: "list", word: "Open" },
  cleared: { tone: "verified", icon: "checkCircle", word: "Cleared" },
  settled: { tone: "verified", icon: "check", word: "Settled" },
  abandoned: { tone: "neutral", icon: "dash", word: "Abandoned" },
  /** Shown whatever the file's status: it names a paying account that the organisation has not declared. */
  stopped: { tone: "review", icon: "alert", word: "Stopped" },
} as const satisfies Record<string, StatusLook>;

/** The badge of each payee_imports.status. */
const importStatusLook = {
  ready: { tone: "pending", icon: "list", word: "Not started" },
  running: { tone: "pending", icon: "clock", word: "Running" },
  paused: { tone: "neutral", icon: "pause", word: "Paused" },
  finished: { tone: "verified", icon: "checkCircle", word: "Finished" },
  stopped: { tone: "neutral", icon: "dash", word: "Stopped" },
} as const satisfies Record<string, StatusLook>;

/** The badge of each trust status of a payee. */
const payeeStatusLook = {
  whitelisted: { tone: "verified", icon: "shieldCheck", word: "Whitelisted" },
  verified: { tone: "verified", icon: "checkCircle", word: "Verified" },
  pending: { tone: "pending", icon: "clock", word: "Pending" },
  changed: { tone: "pending", icon: "pencil", word: "Details changed" },
  disputed: { tone: "review", icon: "hand", word: "Disputed" },
  taken_off: { tone: "review", icon: "xCircle", word: "Taken off the whitelist" },
} as const satisfies Record<string, StatusLook>;

const userStatusLook = {
  active: { tone: "verified", icon: "checkCircle", word: USER_STATUS_WORDS.active },
  pending: { tone: "pending", icon: "clock", word: USER_STATUS_WORDS.pending },
  inactive: { tone: "neutral", icon: "dash", word: USER_STATUS_WORDS.inactive },
  rejected: { tone: "review", icon: "xCircle", word: USER_STATUS_WORDS.rejected },
} as const satisfies Record<string, StatusLook>;

export type StatusBadgeProps =
  | { of: "verification"; status: keyof typeof VERIFICATION_STATUS_LOOKS }
  | { of: "payment"; status: keyof typeof paymentStatusLook }
  | { of: "file"; status: keyof typeof fileStatusLook }
  | { of: "import"; status: keyof typeof importStatusLook }
  | { of: "payee"; status: keyof typeof payeeStatusLook }
  | { of: "user"; status: keyof typeof userStatusLook };

function lookOf(props: StatusBadgeProps): StatusLook {
  switch (props.of) {
    case "verification":
      return VERIFICATION_STATUS_LOOKS[props.status];
    case "payment":
      return paymentStatusLook[props.status];
    case "file":
      return fileStatusLook[props.status];
    case "import":
      return importStatusLook[props.status];
    case "payee":
      return payeeStatusLook[props.status];
    case "user":
      return userStatusLook[props.status];
  }
}

/** `<StatusBadge of="payment" status={payment.status} />` */
export function StatusBadge(props: StatusBadgeProps) {
  const { tone, icon, word } = lookOf(props);
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
