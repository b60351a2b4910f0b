// Where mailed links lead. Never to what a request's Host says: whoever asks for a reset would choose where its link goes.

import { isLoopbackAddress } from '../../lib/loopback.ts';

export interface LinkBaseOptions {
  /** `CMS_ADMIN_URL`: the admin pages, or the service that they are below. */
  adminUrl?: string | undefined;
  /** `CMS_PUBLIC_URL`. */
  publicUrl?: string | undefined;
  /** The address that the service listens on. */
  host: string;
  trustProxy: number;
}

/**
 * The address of the admin pages, without a slash at its end; undefined if only the environment could say it. Without
 * CMS_ADMIN_URL and CMS_PUBLIC_URL it is the listening address, if that is loopback and there is no proxy in front.
 */
export function toLinkBase(
  { adminUrl, publicUrl, host, trustProxy }: LinkBaseOptions,
  port: number,
): string | undefined {
  if (adminUrl !== undefined) return new URL(adminUrl).pathname === '/' ? `${adminUrl}/admin` : adminUrl;
  if (publicUrl !== undefined) return `${publicUrl}/admin`;
  if (!isLoopbackAddress(host) || trustProxy > 0 || port === 0) return undefined;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/admin`;
}

const PAGES = { reset: 'reset', invite: 'invite', email: 'email' } as const;

/** The token is behind the `#`, which no browser sends: it is in no log of a server or proxy and in no Referer. */
export function toLinkUrl(base: string, kind: keyof typeof PAGES, token: string): string {
  return `${base}/${PAGES[kind]}#token=${token}`;
}
