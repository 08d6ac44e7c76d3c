import { Fragment } from "react";

/** An email address that wraps after "@" and before a dot, and inside a word only if that part alone is too long. */
export function Email({ value }: { value: string }) {
  let at = 0;
  return (
    <span className="wrap-anywhere">
      {value.split(/(?<=@)|(?=[.+])/).map((part) => {
        at += part.length;
        return (
          <Fragment key={at}>
            {at > part.length && <wbr />}
            {part}
          </Fragment>
        );
      })}
    </span>
  );
}
