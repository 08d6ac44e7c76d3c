import { useFetcher, useRevalidator } from "@remix-run/react";
import { type DragEvent, type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { FileInput } from "~/components/forms/fields";
import { Form, type FormAnswer, FormErrorSummary, SubmitButton } from "~/components/forms/form";
import { SubscriptionEnded, SubscriptionFirst } from "~/components/forms/refused-act";
import { Button, cx } from "~/components/ui/elements";
import { Email } from "~/components/ui/email";
import { Card } from "~/components/ui/page-parts";
import { Results } from "~/components/ui/results";
import { useOnNavigation } from "~/components/ui/use-on-navigation";
import { MORE_PARTS, PART_FIELD } from "~/kernel/form-fields";
import { appPaths } from "~/kernel/paths/app";
import {
  areVerified,
  MAX_INVOICE_BYTES,
  MAX_INVOICE_FILES,
  MAX_POST_BYTES,
  refusedFile,
  sumUpTaken,
  type TakenFile,
  TOO_LARGE,
} from "~/modules/payments/invoices/invoice";

/** Files sent with one post by a browser with scripts: few, so that people see the progress. */
const FILES_PER_POST = 5;
/** The progress of files chosen together. `inPost`: how many of the waiting ones are being sent; 0: sending stopped. */
type Sending = { fields: [string, string][]; waiting: File[]; inPost: number; done: TakenFile[] };

const takenIn = (answer: FormAnswer | undefined): TakenFile[] | undefined =>
  answer?.code === "NEXT_STEP" ? (answer.extra?.files as TakenFile[]) : undefined;

/** The answer of the browser where the server was not reached, or the person is signed out. */
const isCutOff = (answer: FormAnswer | undefined) => answer?.code === "UNREACHABLE" || answer?.code === "SIGNED_OUT";

const fits = ({ size }: File) => size <= MAX_INVOICE_BYTES;

/** How many of the files fit into the next post. */
function countForPost(files: readonly File[]): number {
  let bytes = 0;
  const over = files.findIndex(({ size }, at) => {
    bytes += size;
    return at >= FILES_PER_POST || bytes > MAX_POST_BYTES;
  });
  return over === -1 ? files.length : over;
}

/** Sends files a few at a time, one post after the other, and collects what became of each. */
function useSending() {
  const { state, data, submit } = useFetcher<FormAnswer>();
  const [sending, setSending] = useState<Sending | null>(null);
  const answered = useRef(data);
  const { revalidate } = useRevalidator();
  const send = (next: Omit<Sending, "inPost">) => {
    const inPost = countForPost(next.waiting);
    setSending({ ...next, inPost });
    if (inPost === 0) return;
    const form = new FormData();
    for (const [name, value] of next.fields) form.append(name, value);
    form.append(PART_FIELD, inPost < next.waiting.length ? MORE_PARTS : "last");
    for (const file of next.waiting.slice(0, inPost)) form.append("file", file);
    submit(form, { method: "post", encType: "multipart/form-data", action: `${appPaths.invoices}?index` });
  };
  useEffect(() => {
    if (!sending || state !== "idle" || data === answered.current) return;
    answered.current = data;
    const files = takenIn(data);
    if (!files) {
      setSending({ ...sending, inPost: 0 });
      // Only the last post loads the list again, and this one was refused. A list that cannot be loaded would replace the page.
      if (sending.done.length > 0 && !isCutOff(data)) revalidate();
    } else send({ ...sending, waiting: sending.waiting.slice(sending.inPost), done: [...sending.done, ...files] });
  });
  const isOver = sending?.inPost === 0 && sending.waiting.length === 0;
  useOnNavigation(() => isOver && setSending(null));
  /** Files that are still waiting after a failed post are sent too. */
  const start = (form: HTMLFormElement, chosen: readonly File[]) => {
    const tooLarge = chosen.filter((file) => !fits(file)).map(({ name }) => refusedFile(name, TOO_LARGE));
    const fields = [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    );
    const { waiting, done } = isOver || !sending ? { waiting: [], done: [] } : sending;
    send({ fields, waiting: [...waiting, ...chosen.filter(fits)], done: [...done, ...tooLarge] });
  };
  const refused = sending?.inPost === 0 && sending.waiting.length > 0 ? data : undefined;
  return { sending, refused, start, goOn: () => sending && send(sending) };
}

/** The form for uploading invoices, by drop or by choice, above what became of the last ones. */
export function InvoiceDrop({ mailTo, answer: posted }: { mailTo: string | null; answer?: FormAnswer }) {
  const { sending, refused, start, goOn } = useSending();
  const answer = sending ? refused : posted;
  const isBusy = sending !== null && sending.inPost > 0;
  const done = isBusy ? undefined : (sending?.done ?? takenIn(answer));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    const input = form.querySelector<HTMLInputElement>('input[type="file"]');
    const chosen = [...(input?.files ?? [])];
    if (!isBusy && !refused && chosen.length < 2 && chosen.every(fits)) return;
    event.preventDefault();
    if (isBusy) return;
    start(form, chosen);
    form.reset();
  };
  return (
    <>
      <SubscriptionFirst answer={answer} />
      {!takenIn(answer) && <Refusal answer={answer} sending={sending} />}
      {done && done.length > 0 && <Taken files={done} />}
      <Card
        title="Check an invoice before it is paid"
        description={
          <>
            Drop PDFs, emails (.eml) or electronic invoices (XML) here, or choose them
            {mailTo && (
              <>
                , or forward emails to <Email value={mailTo} />
              </>
            )}
            . Each is read and compared with your verified payees.
          </>
        }
        className="mb-6 print:hidden"
      >
        <DropZone onSubmit={submit}>
          <FileInput name="file" label="Invoices" hint={<Limits />} multiple showOptional={false} />
          {isBusy ? (
            <Progress {...sending} />
          ) : (
            <div className="flex flex-wrap gap-3">
              <SubmitButton icon="upload" pendingText="Reading...">
                Read and check
              </SubmitButton>
              {refused && (
                <Button variant="secondary" onClick={goOn}>
                  {`Send the other ${sending?.waiting.length}`}
                </Button>
              )}
            </div>
          )}
        </DropZone>
      </Card>
    </>
  );
}

function Limits() {
  return (
    <>
      Up to 10 MB and 50 pages each
      <noscript>{`. Without JavaScript, choose at most ${MAX_INVOICE_FILES} at once, 30 MB together`}</noscript>
    </>
  );
}

function Progress({ waiting, done }: Sending) {
  const total = waiting.length + done.length;
  return (
    <div className="text-base">
      <p role="status">{`${done.length} of ${total} done. Stay on this page until all of them are.`}</p>
      <progress className="mt-2 h-2 w-full" max={total} value={done.length} aria-label="Files that are done" />
    </div>
  );
}

function Refusal({ answer, sending }: { answer?: FormAnswer; sending: Sending | null }) {
  if (!answer) return null;
  if (answer.code === "SUBSCRIPTION_REQUIRED") return <SubscriptionEnded message={answer.formErrors.join(" ")} />;
  return (
    <FormErrorSummary
      title={titleOf(answer, sending)}
      formErrors={[...(answer.errors.file ?? []), ...answer.formErrors]}
    />
  );
}

/** When earlier posts were taken, the title is about the files that are left; after a lost connection nobody knows. */
function titleOf({ code, title }: FormAnswer, sending: Sending | null): string {
  if (code === "UNREACHABLE" || !sending?.done.some(({ invoiceId }) => invoiceId !== null)) return title;
  const { length } = sending.waiting;
  return `The other ${length} ${length === 1 ? "was" : "were"} not uploaded`;
}

/** After a large upload, only files that a person should look at are named: the others are in the list below. */
const MOST_NAMED = 10;

function Taken({ files }: { files: readonly TakenFile[] }) {
  const results = useMemo(() => {
    const rankOf = ({ invoiceId, attention, isNew }: TakenFile) =>
      invoiceId === null ? 0 : attention === "decision" ? 1 : attention === "look" ? 2 : isNew ? 4 : 3;
    return files
      .filter((file) => files.length <= MOST_NAMED || rankOf(file) < 4)
      .sort((one, other) => rankOf(one) - rankOf(other))
      .map((file, at) => ({
        id: `${at}`,
        name: file.name,
        isDone: file.invoiceId !== null,
        text: takenWords(file),
        file,
      }));
  }, [files]);
  return (
    <Results
      title={sumUpTaken(files)}
      results={results}
      hrefOf={(id) => {
        const invoiceId = results[Number(id)]?.file.invoiceId;
        return invoiceId ? appPaths.supplierInvoice(invoiceId) : null;
      }}
      notDone="could not be taken"
      tone={
        areVerified(files) ? "success" : files.some(({ attention }) => attention === "decision") ? "warning" : "info"
      }
    />
  );
}

const takenWords = ({ text, isNew, invoiceId, attention }: TakenFile) =>
  [
    attention === "reading" ? "Not read yet" : text,
    ...(invoiceId && !isNew ? ["received before"] : []),
    ...(attention === "decision" ? ["needs a decision"] : []),
  ].join(", ");

interface DropZoneProps {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
}

/** A form in which files that are dropped anywhere go to its file field. */
function DropZone({ onSubmit, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const hover = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent<HTMLFormElement>) => {
    event.preventDefault();
    setOver(false);
    const input = event.currentTarget.querySelector<HTMLInputElement>('input[type="file"]');
    if (!input || event.dataTransfer.files.length === 0) return;
    input.files = event.dataTransfer.files;
    event.currentTarget.requestSubmit();
  };
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      noValidate
      onSubmit={onSubmit}
      onDragOver={hover}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        "grid gap-5 rounded-base p-4 border border-dashed",
        isOver ? "bg-accent-wash border-accent-text" : "border-line",
      )}
    >
      {children}
    </Form>
  );
}
