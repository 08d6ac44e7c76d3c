import { TextInput } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { MinimalLayout } from "~/components/layout/minimal-layout";
import { Disclosure } from "~/components/ui/disclosure";
import { Button, Callout } from "~/components/ui/elements";
import { linkPaths } from "~/kernel/paths/links";
import type { RecordCheck } from "~/modules/records/certificates/certificate.server";

/** The seal of a certificate, in the text's own colour. */
export function Seal({ lines, sign, isFilled }: NonNullable<RecordCheck["seal"]>) {
  return (
    <svg
      viewBox="-50 -50 100 100"
      role="img"
      aria-label="Seal drawn from the hash"
      className="size-28 shrink-0 text-ink"
    >
      <g fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round">
        <path d={lines} />
        {isFilled && <circle r="26" fill="currentColor" stroke="none" />}
        <path d={sign} strokeWidth="2.2" className={isFilled ? "stroke-surface" : undefined} />
      </g>
    </svg>
  );
}

/** Tells a person with a record's id and hash whether it is genuine, and nothing else. */
export function RecordCheckPage({ state, id, hash, stated, seal, errors }: RecordCheck) {
  return (
    <MinimalLayout>
      <h1 id="page-title" tabIndex={-1} className="display text-2xl sm:text-3xl">
        Check a record
      </h1>
      <p className="mt-3 text-ink-soft text-md">
        A PayeeProof certificate has a record id and a hash. This page checks whether the two belong together.
      </p>
      {state === "genuine" && (
        <Callout tone="success" role="status" title="This record is genuine and unaltered" className="mt-6">
          PayeeProof issued a certificate with this record id and this hash, and the record we keep still has this hash.
          {stated && <strong className="mt-2 block font-medium">It states: {stated}.</strong>}
        </Callout>
      )}
      {seal && (
        <div className="mt-6 flex items-center gap-5">
          <Seal {...seal} />
          <p className="text-base text-ink-soft">
            Compare it with the seal on the certificate in front of you; older certificates have none. Its rays are
            drawn from the hash, so a different record has a different seal.
          </p>
        </div>
      )}
      {state === "unknown" && (
        <Callout tone="danger" role="alert" title="We cannot confirm this record" className="mt-6">
          No certificate has this record id together with this hash. Compare both with the certificate, character by
          character. If they are the same, do not rely on the certificate, and ask the organisation that gave it to you.
        </Callout>
      )}
      <RecordForm id={id} hash={hash} errors={errors} />
      <div className="mt-8">
        <Disclosure summary="Does the copy in front of me say what was issued?" headingLevel={2}>
          The hash stands for the facts of the certificate. The PDF holds them as a file, certificate.json. Save that
          file and compute its SHA-256, for instance with{" "}
          <code className="figures">shasum -a 256 certificate.json</code>. When the result is the hash above and this
          page says that the record is genuine, the facts in that file are those that were issued. A printed page alone
          can be altered: compare it with the file.
        </Disclosure>
      </div>
    </MinimalLayout>
  );
}

function RecordForm({ id, hash, errors }: Omit<RecordCheck, "state" | "stated" | "seal">) {
  return (
    <Form method="get" action={linkPaths.certificates} className="mt-6 grid gap-4">
      <TextInput
        name="id"
        label="Record id"
        defaultValue={id}
        error={errors.id}
        required
        digits
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        name="hash"
        label="Hash (SHA-256)"
        defaultValue={hash}
        error={errors.hash}
        required
        digits
        autoComplete="off"
        spellCheck={false}
      />
      <div>
        <Button type="submit">Check the record</Button>
      </div>
    </Form>
  );
}
