/** An email as the platform hands it to the app: the message, below what the receiving server found out. */
export type Written = {
  to: string;
  from: { name: string; address: string };
  replyTo?: string;
  subject: string;
  lines: readonly string[];
  attachment?: { fileName: string; bytes: Uint8Array };
  /** What the platform finds out about the sender's domain. */
  dmarc: "pass" | "fail";
  /** Epoch milliseconds. */
  at: number;
  id: string;
};

const WIDTH = 76;

function toBase64Lines(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(new RegExp(`.{${WIDTH}}`, "g"), "$&\r\n");
}

/** Removes line breaks, which would start another header. */
const line = (text: string): string => text.replace(/[\r\n]+/g, " ").trim();

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

export function writeMessage({ to, from, replyTo, subject, lines, attachment, dmarc, at, id }: Written): string {
  const domain = domainOf(line(from.address));
  const date = new Date(at).toUTCString().replace("GMT", "+0000");
  return [
    `Received: from mail.${domain} by cloudflare-email.net for <${line(to)}>; ${date}`,
    `ARC-Authentication-Results: i=1; mx.cloudflare.net; dkim=${dmarc} header.d=${domain};`,
    ` dmarc=${dmarc} header.from=${domain} policy.dmarc=none; spf=${dmarc} smtp.mailfrom=${domain}`,
    `Authentication-Results: mx.cloudflare.net; dkim=${dmarc} header.d=${domain};`,
    ` dmarc=${dmarc} header.from=${domain} policy.dmarc=none; spf=${dmarc} smtp.mailfrom=${domain}`,
    `Message-ID: <${id}@${domain}>`,
    `Date: ${date}`,
    `From: "${line(from.name).replaceAll('"', "")}" <${line(from.address)}>`,
    `To: <${line(to)}>`,
    ...(replyTo ? [`Reply-To: <${line(replyTo)}>`] : []),
    `Subject: ${line(subject)}`,
    "MIME-Version: 1.0",
    ...(attachment ? writeParts(`part-${id}`, lines, attachment) : [TEXT, "", ...lines]),
    "",
  ].join("\r\n");
}

const TEXT = "Content-Type: text/plain; charset=utf-8";

function writeParts(
  boundary: string,
  lines: Written["lines"],
  { fileName, bytes }: NonNullable<Written["attachment"]>,
) {
  const name = line(fileName).replaceAll('"', "");
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    ...["", `--${boundary}`, TEXT, "", ...lines, "", `--${boundary}`],
    `Content-Type: application/pdf; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    ...["Content-Transfer-Encoding: base64", "", toBase64Lines(bytes), `--${boundary}--`],
  ];
}
