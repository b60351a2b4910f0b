// Ids that nobody guesses. `crypto.randomUUID` exists on https and localhost only, and a service on a network of its own
// is often reached by http.

/** 32 hexadecimal digits. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
