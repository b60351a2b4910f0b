// Says once what to set if browsers come by https and the service does not know it: then its cookies are not Secure, and
// requests behind a proxy that changes the Host are refused as those of another site.
import type { InfoLogger } from '../../data/info-logger.ts';
import type { AccessRequest } from './origin.ts';

/** Told of every request that has signed somebody in. */
export function createHttpsHint(publicOrigin: string | null, logger: InfoLogger): (request: AccessRequest) => void {
  let isSaid = publicOrigin !== null;
  return (request) => {
    if (isSaid) return;
    const origin = findHttpsOrigin(request);
    if (origin === undefined) return;
    isSaid = true;
    logger.info({ origin }, 'a browser signed in over https: set CMS_PUBLIC_URL to the address that it uses');
  };
}

function findHttpsOrigin({ headers, host }: AccessRequest): string | undefined {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return undefined;
  for (const address of [headers.origin, headers.referer]) {
    const parsed = address === undefined ? null : URL.parse(address);
    if (parsed?.protocol === 'https:') return parsed.origin;
  }
  const proto = String(headers['x-forwarded-proto'] ?? '').split(',')[0];
  return proto?.trim().toLowerCase() === 'https' ? URL.parse(`https://${host}`)?.origin : undefined;
}
