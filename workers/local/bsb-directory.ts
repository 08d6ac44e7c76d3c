import { json } from "~/http/api.server";
import { readUpload } from "~/http/body.server";
import { MAX_FILE_BYTES } from "~/modules/payees/bsb-updates/directory-change";
import { loadDirectory } from "~/modules/payees/bsb-updates/load-directory.server";
import type { Services } from "~/services";

/** Takes a file of the BSB directory into use, as the page of administration does after its preview. */
export async function loadBsbDirectory(request: Request, _url: URL, services: Services): Promise<Response> {
  const origin = { ipAddress: null, userAgent: null, requestId: services.ids.next() };
  const file = await readUpload(request, MAX_FILE_BYTES);
  const { rowCount } = await loadDirectory(services, { userId: null, origin }, file);
  return json({ loaded: rowCount });
}
