// One-time codes by RFC 6238: SHA-1, six digits, 30 seconds, which every authenticator app supports.
import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
/** The codes before and after count too: clocks differ, and people type slowly. */
const WINDOW = 1;
const DIGITS = 6;
/** RFC 4226, section 4: 160 bits are recommended. */
const SECRET_BYTES = 20;

/** A new secret, in base 32. */
export function newCodeSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

function toTotp(secret: string, label = '', issuer = ''): TOTP {
  return new TOTP({ secret, label, issuer, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS });
}

/** The address for the QR code that an authenticator app reads: `otpauth://totp/...`. */
export function toCodeUri(secret: string, label: string, issuer: string): string {
  return toTotp(secret, label, issuer).toString();
}

/** The time step near `now` that `code` belongs to; undefined if it belongs to none of them. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  // The library throws if digits are not ASCII.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const timestamp = now.getTime();
  const delta = toTotp(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}
