import { createContext, useContext } from "react";

/** The content security policy's nonce of this answer; empty in the browser, which hides nonces anyway. */
export const NonceContext = createContext("");

export const useNonce = () => useContext(NonceContext);
