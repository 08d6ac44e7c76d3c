import type { DocumentSection } from "~/components/marketing/document-page";

export const SECURITY: readonly DocumentSection[] = [
  {
    id: "sign-in",
    title: "Signing in",
    body: (
      <ul>
        <li>Passwords are kept as scrypt hashes (N=16384, r=8, p=5) with a salt of their own. We cannot read them.</li>
        <li>Ten failed sign-ins in fifteen minutes rest an account; each address has a limit of its own as well.</li>
        <li>
          Two-step sign-in with an authenticator app is there for everybody, with recovery codes; an organisation may
          require it.
        </li>
        <li>An unknown account and a wrong password get the same answer after the same time.</li>
        <li>
          A session is a random secret of 256 bits in a cookie that scripts cannot read. We store only its digest. It
          ends after 12 hours without use and after 7 days in any case.
        </li>
        <li>Your role and organisation are read from the database on every request, never from the cookie.</li>
      </ul>
    ),
  },
  {
    id: "separation",
    title: "Your records are yours",
    body: (
      <ul>
        <li>
          Every query names the organisation of the person who asks. Another organisation&rsquo;s record answers exactly
          like one that does not exist.
        </li>
        <li>
          When organisations vouch for an account, others see a count and whether the name agrees. Never who, never the
          name itself.
        </li>
        <li>Foreign keys carry the organisation, so that a mistake in our code is refused by the database.</li>
      </ul>
    ),
  },
  {
    id: "bank-details",
    title: "Bank details",
    body: (
      <ul>
        <li>
          Lists, mails and the audit trail show the last three digits of an account. Who looks at a number in full
          leaves an entry.
        </li>
        <li>Bank numbers are never part of an address, and are masked in our logs.</li>
        <li>
          To find the same account again we keep keyed digests (HMAC-SHA-256): without the key they cannot be turned
          back by trying every number.
        </li>
        <li>
          Provider credentials and messages waiting to be sent are encrypted with AES-256-GCM and wiped once sent.
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
        because mail scanners open links: only a button does. A new link ends the one before.
      </p>
    ),
  },
  {
    id: "trail",
    title: "The audit trail, and how to check it",
    body: (
      <>
        <p>
          An entry is written in the same transaction as the change it describes: there is no change without its entry.
          Database triggers refuse to update or delete an entry. Every few minutes new entries are sealed, one after the
          other, per organisation:
        </p>
        <p>
          <code>hash = SHA-256(prevHash + &quot;\n&quot; + canonical JSON of the entry)</code>
        </p>
        <p>
          The first <code>prevHash</code> is 64 zeros; canonical means keys sorted, no spaces, <code>null</code> for
          what is absent, without <code>hash</code> and <code>prevHash</code>. Export the trail from{" "}
          <code>/api/audit/export.ndjson</code> and compute the hashes yourself; keep the last hash and its number
          somewhere else, and <code>/api/audit/verify</code> tells you later whether history still leads there.
        </p>
      </>
    ),
  },
  {
    id: "browser",
    title: "In the browser",
    body: (
      <ul>
        <li>
          These public pages carry no script at all: look at the source. Only a page that has a message for you loads
          one, to show it.
        </li>
        <li>
          A content security policy allows scripts by nonce only, no inline style, no framing, forms only to ourselves.
          See it with <code>curl -I</code>.
        </li>
        <li>Requests that change something are refused when they come from another site.</li>
        <li>No trackers, no advertising, no fonts or pictures from anybody else.</li>
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
        <a href="/privacy#overseas">privacy policy</a> says who handles it.
      </p>
    ),
  },
  {
    id: "not-claimed",
    title: "What we do not claim",
    body: <p>We hold no ISO 27001 or SOC 2 certificate. When that changes it will stand here with a date.</p>,
  },
  {
    id: "report",
    title: "Report a weakness",
    body: (
      <p>
        Write to us through the <a href="/contact">contact form</a> or as{" "}
        <a href="/.well-known/security.txt">security.txt</a> says. Tell us how to repeat it, please do not look at other
        people&rsquo;s data, and give us time to repair it before you publish. We answer, we thank, and we take no
        action against people who act in good faith.
      </p>
    ),
  },
];
