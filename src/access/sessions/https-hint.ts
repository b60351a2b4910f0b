// Logs once what to set if browsers use https and the service does not know it. Without that setting its cookies are
// not Secure, and requests through a proxy that changes the Host are refused as coming from another site.
import type { InfoLogger } from '../../data/info-logger.ts';
import type { AccessRequest } from './origin.ts';

/** Returns a function to call for every request that has signed a user in. */
export function createHttpsHint(publicOrigin: string | null, logger: InfoLogger): (request: AccessRequest) => void {
  let isLogged = publicOrigin !== null;
  return (request) => {
    if (isLogged) return;
    const origin = findHttpsOrigin(request);
    if (origin === undefined) return;
    isLogged = true;
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
