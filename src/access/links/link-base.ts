// Where mailed links lead. Never to the Host of a request: the client that requests a reset would choose where its link
// goes.

import { ServiceError } from '../../lib/errors.ts';
import { isLoopbackAddress } from '../../lib/loopback.ts';
import type { LinkKind } from './link.ts';

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
 * The address of the admin pages, without a slash at its end. Without CMS_ADMIN_URL and CMS_PUBLIC_URL it is the
 * listening address if that is loopback and no proxy is trusted, else undefined.
 */
export function toLinkBase(env: LinkBaseOptions, port: number): string | undefined {
  if (env.adminUrl !== undefined)
    return new URL(env.adminUrl).pathname === '/' ? `${env.adminUrl}/admin` : env.adminUrl;
  if (env.publicUrl !== undefined) return `${env.publicUrl}/admin`;
  if (!isLoopbackAddress(env.host) || env.trustProxy > 0 || port === 0) return undefined;
  return `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${port}/admin`;
}

/** @throws ServiceError 503 if it is not configured where links lead. */
export function needBase(base: string | undefined): string {
  if (base !== undefined) return base;
  throw new ServiceError('unavailable', 'links need CMS_PUBLIC_URL, the address at which browsers reach the service');
}

/** The token comes after `#`, which no browser sends: no server's or proxy's log and no Referer contains it. */
export function toLinkUrl(base: string, kind: LinkKind, token: string): string {
  return `${base}/${kind}#token=${token}`;
}
