/// <reference types="@remix-run/dev" />
import "@remix-run/cloudflare";

// Loader types as single fetch sends them (remix.config.js, future flags).
declare module "@remix-run/cloudflare" {
  interface Future {
    v3_singleFetch: true;
  }
}
