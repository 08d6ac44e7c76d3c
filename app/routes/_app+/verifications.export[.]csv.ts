import { page, pageMember, withStepUp } from "~/http/page.server";
import { toCsv, toCsvLines } from "~/kernel/csv";
import { recordExport } from "~/modules/core/record-reveal.server";
import {
  CSV_HEAD,
  listVerificationsOf,
  readVerificationFilter,
  toCsvRow,
} from "~/modules/verifying/review/verification-list.server";

const PAGE_SIZE = 500;

/** All filtered verifications, page by page, so that a long answer does not need much memory. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "file");
  const { services } = scope;
  await recordExport(services, actor, "verifications");
  const { filter } = readVerificationFilter(scope.url.searchParams);
  const { timeZone } = actor;
  const zone = { timeZone, providerName: services.bankData.providerName, now: services.clock.now() };
  const text = new TextEncoder();
  let after: string | undefined;
  const lines = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(text.encode(toCsv(CSV_HEAD, []))),
    async pull(stream) {
      const list = await listVerificationsOf(services, actor, { filter, timeZone, after, limit: PAGE_SIZE });
      const written = toCsvLines(list.verifications.map((row) => toCsvRow(row, zone)));
      if (written) stream.enqueue(text.encode(written));
      after = list.next;
      if (after === undefined) stream.close();
    },
  });
  return new Response(lines, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="verifications.csv"',
    },
  });
});
