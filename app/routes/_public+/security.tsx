import { DocumentPage, type DocumentSection } from "~/components/marketing/document-page";
import { publicPage } from "~/components/marketing/meta";
import { linkPaths } from "~/kernel/paths/links";
import { sitePaths } from "~/kernel/paths/site";

const SECURITY: readonly DocumentSection[] = [
  {
    id: "sign-in",
    title: "Signing in",
    body: (
      <ul>
        <li>
          Passwords are kept as scrypt hashes (N=16384, r=8, p=5) with a separate salt for each. We cannot read them.
        </li>
        <li>
          After ten failed sign-ins in fifteen minutes an account is locked for a while. Each IP address has a limit
          too.
        </li>
        <li>
          Two-step sign-in with an authenticator app is available to all people, with recovery codes. An organisation
          can require it.
        </li>
        <li>
          Passkeys sign in with the fingerprint, face or PIN of a device, and count as both steps. They work at our
          address only. We keep the public key. Adding or removing one asks for the password, and for a code from people
          with two-step sign-in.
        </li>
        <li>
          An organisation can require passkeys of the people who decide, after a number of days. After that, a session
          that began with a password cannot decide or pay, and cannot add a passkey for people who have one; people who
          have lost theirs use a recovery code. A passkey that was added without an older one can decide and sign only a
          day later: the person and the administrators are told first.
        </li>
        <li>
          An organisation can require the approver's passkey to sign a decision: payments above an amount, clearing a
          payment file, a change of policies, giving a role. What is signed is the digest of what the page showed. A
          decision about anything else, or made after something changed, is refused, and no API token can make one.
        </li>
        <li>An unknown account and a wrong password get the same answer after the same time.</li>
        <li>
          A session is a random secret of 256 bits in a cookie that scripts cannot read. We store only its digest. It
          ends after 12 hours without use, or earlier where the organisation says so, and after 7 days in any case.
        </li>
        <li>
          An organisation can allow or require its people to sign in with its own provider, by OpenID Connect. An
          account is opened only for an address that the provider calls verified, in a domain that no other organisation
          has claimed, or whose DNS names this organisation. A person who already has an account enters its password
          once. Such a session works for that organisation only, and ends an hour after the provider&apos;s answer
          unless the provider confirms it again.
        </li>
        <li>
          An organisation&apos;s directory can end the access of people who leave, by SCIM 2.0: their sessions and API
          tokens end at once. Nobody is deleted, and the audit trail stays whole.
        </li>
        <li>Your role and organisation are read from the database on every request, never from the cookie.</li>
      </ul>
    ),
  },
  {
    id: "separation",
    title: "Separation of organisations",
    body: (
      <ul>
        <li>
          Every query is limited to the organisation of the signed-in person. A record of another organisation gets the
          same answer as one that does not exist.
        </li>
        <li>
          When organisations vouch for an account, others see how many and whether the name matches. They never see who,
          or the name itself.
        </li>
        <li>Foreign keys include the organisation, so that the database refuses a mistake in our code.</li>
      </ul>
    ),
  },
  {
    id: "bank-details",
    title: "Bank details",
    body: (
      <ul>
        <li>
          Lists, their JSON, emails and the audit trail show only the last three digits of an account number, or the
          last two of a number under six digits. When a person is shown the full number, on a page, in an edit form,
          through the API or in a downloaded file, the audit trail records it, once for each quarter of an hour.
        </li>
        <li>Account numbers are never part of a web address and are masked in our logs.</li>
        <li>
          To recognise the same account we keep keyed digests (HMAC-SHA-256). Without the key, the account number cannot
          be found by trying every number.
        </li>
        <li>
          Provider credentials and messages waiting to be sent are encrypted with AES-256-GCM. A message is wiped once
          sent, and a week after it could not be sent.
        </li>
      </ul>
    ),
  },
  {
    id: "invoices",
    title: "Documents of invoices",
    body: (
      <ul>
        <li>
          Documents are encrypted with AES-256-GCM. They can only be saved as files: no page of ours displays them, and
          every download is in the audit trail.
        </li>
        <li>
          They are read by a separate program that has no database, no secrets and no network. A document that takes too
          much time or memory is not read any further.
        </li>
        <li>
          Text that a person cannot see never counts as read with certainty, and a picture without text is reported as
          unreadable, never as having no bank details.
        </li>
        <li>
          An email for an organisation&rsquo;s invoices is accepted once. The sender counts as checked only if the
          server that received it says that the check of the sender&rsquo;s domain (DMARC) passed. An answer holds the
          payee’s name, the verdict and a link, never a bank number, and automatic messages get no answer.
        </li>
      </ul>
    ),
  },
  {
    id: "links",
    title: "Links to payees",
    body: (
      <p>
        A link carries 256 random bits, works for 7 days, and is stored only as a digest. Opening it changes nothing,
        because email scanners open links too. Only the buttons on the page change something. When the payee&rsquo;s
        email or phone changes, the next link ends those that went to the former one.
      </p>
    ),
  },
  {
    id: "messages",
    title: "Messages to people outside",
    body: (
      <ul>
        <li>
          Nothing is sent to people outside an organisation before one of its administrators has confirmed their email
          address. The number of messages in a day is limited for each organisation and each recipient, and falls after
          complaints; the <a href={`${sitePaths.pricing}#limits`}>limits are published</a>.
        </li>
        <li>Every email and text message to a payee or an invited person carries a link to report it.</li>
        <li>
          When bank details change, a message goes to everyone who was a contact of the payee in the last 30 days, not
          only to the address on file now. These messages have limits of their own, so that nothing else uses them up.
          Where a message could not be delivered, the payee&rsquo;s page, the answer of the API, the alert and the
          certificate say that the former contact was NOT told.
        </li>
        <li>Names that hold a web address or resemble a financial institution are refused.</li>
      </ul>
    ),
  },
  {
    id: "trail",
    title: "The audit trail, and how to check it",
    body: (
      <>
        <p>
          Each entry is written in the same transaction as the change it describes, so there is no change without an
          entry. Database triggers refuse to update or delete an entry. Every few minutes new entries are sealed, one
          after the other, per organisation. Until then the trail shows an entry as &ldquo;Not sealed yet&rdquo;:
        </p>
        <p>
          <code>hash = SHA-256(prevHash + &quot;\n&quot; + canonical JSON of the entry)</code>
        </p>
        <p>
          The first <code>prevHash</code> is 64 zeros; canonical means keys sorted, no spaces, <code>null</code> for
          what is absent, without <code>hash</code>, <code>prevHash</code>, <code>emailSalt</code> and{" "}
          <code>masked</code>. In place of an email address stands its first letter and its domain, <code>#</code> and
          the SHA-256 of <code>emailSalt</code>, a line end and the address: administrators get address and salt, others
          what was sealed. Entries marked <code>masked</code> are older. Export the trail from{" "}
          <code>/api/audit/export.ndjson</code> and compute the hashes yourself; keep the last hash and its number
          somewhere else, and <code>/api/audit/verify</code> tells you later whether the trail still contains it.
        </p>
        <p>
          Administrators can choose to get the newest seal by email, once a day when something happened. The page of the
          audit trail keeps the seals they got, and checks any seal you enter. A schedule computes the hashes of all
          entries again and compares the seals that were kept with the trail. When one fails, administrators and your
          organisation&rsquo;s confirmed address are alerted.
        </p>
      </>
    ),
  },
  {
    id: "certificates",
    title: "Certificates, and how to check them",
    body: (
      <>
        <p>
          A decided verification has a certificate, to read, to print and as a PDF: who verified which payee, how, with
          what result, which calls were made, and who decided. The account number on it is masked. It is issued once and
          never changes; database triggers refuse to update or delete it. Its title says whether the bank confirmed the
          details, the payee was called back, or a person approved them and no bank was asked.
        </p>
        <p>
          Its hash is SHA-256 over canonical JSON of its facts, written as in the audit trail. The PDF carries that text
          as a file, <code>certificate.json</code>. A person who holds the record id and the hash learns on{" "}
          <a href={linkPaths.certificates}>the page to check a record</a> whether it is genuine and unaltered, how it
          ended and how it was verified, and nothing else.
        </p>
      </>
    ),
  },
  {
    id: "evidence",
    title: "Evidence packs, and how to check them",
    body: (
      <p>
        The page of a payee or payment offers its evidence as a PDF and as JSON: the entries of the audit trail, each
        with its seal, the certificates, and what passkeys signed. A small script,{" "}
        <a href={linkPaths.evidenceScript} download>
          verify-evidence.mjs
        </a>
        , checks the JSON without a network, the passkeys' signatures included, and names what was altered. It needs
        Node and nothing else, and you can read it first. It also checks the JSON of a certificate and an export of the
        audit trail, and whether a seal that you kept is in them: <code>node verify-evidence.mjs FILE ENTRY HASH</code>.
      </p>
    ),
  },
  {
    id: "browser",
    title: "In the browser",
    body: (
      <ul>
        <li>These public pages use no JavaScript, except to show a message after you send a form.</li>
        <li>
          A content security policy allows only scripts with a nonce, no inline styles, no framing, and forms only to
          this site. You can see it with <code>curl -I</code>.
        </li>
        <li>Requests that change something are refused when they come from another site.</li>
        <li>We use no trackers and no advertising, and load no fonts or images from other sites.</li>
      </ul>
    ),
  },
  {
    id: "hosting",
    title: "Where it runs",
    body: (
      <p>
        On Cloudflare Workers with a Cloudflare D1 database. Cloudflare&rsquo;s network is global and requests may be
        handled outside Australia. We do not promise that data never leaves the country; the{" "}
        <a href={`${sitePaths.privacy}#overseas`}>privacy policy</a> says who handles it.
      </p>
    ),
  },
  {
    id: "not-claimed",
    title: "What we do not claim",
    body: <p>We hold no ISO 27001 or SOC 2 certificate. If that changes, this page will say so with a date.</p>,
  },
  {
    id: "report",
    title: "Report a vulnerability",
    body: (
      <p>
        Write to us through the <a href={sitePaths.contact}>contact form</a> or as{" "}
        <a href={linkPaths.securityText}>security.txt</a> says. Tell us how to reproduce it, do not access other
        people&rsquo;s data, and give us time to fix it before you publish. We answer every report and take no legal
        action against people who act in good faith.
      </p>
    ),
  },
];

export const { handle, headers, meta } = publicPage({
  path: sitePaths.security,
  title: "Security",
  description: "How PayeeProof protects your data today, and how to check it yourself.",
});

export default function Security() {
  return (
    <DocumentPage
      banner={{
        title: "Security",
        intro: "How PayeeProof protects your data today, how you can check it, and what we do not claim.",
        note: "A check of every release fails if a statement here has no test behind it",
        entry: {
          given: { label: "Hash in the audit trail", value: "9f2c41…e07b" },
          held: { label: "Hash you computed", value: "9f2c41…e07b" },
          verdict: { tone: "verified", icon: "lock", word: "Intact" },
        },
      }}
      sections={SECURITY}
    />
  );
}
