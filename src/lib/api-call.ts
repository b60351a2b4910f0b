// Requests of the command line to the API of a running service, with an access token.
import { ServiceError } from './errors.ts';

export interface ApiOptions {
  /** Address of the service, such as `http://127.0.0.1:3010`. */
  url: string;
  token: string;
  /** The site's id, if the token covers several. */
  site?: string | undefined;
  fetch: typeof fetch;
}

export interface Api {
  /** The address without a trailing slash. */
  base: string;
  /**
   * Returns a 2xx answer before its body is read. @throws ServiceError `upstream_failed`, with the service's message
   */
  call(method: string, path: string, headers?: Record<string, string>): Promise<Response>;
}

const MAX_TOLD = 500;

/** @throws ServiceError if the address is not an http or https URL. */
export function createApi({ url, token, site, fetch }: ApiOptions): Api {
  const base = toBase(url);
  return {
    base,
    async call(method, path, headers = {}) {
      const target = new URL(base + path);
      if (site !== undefined) target.searchParams.set('site', site);
      const response = await fetch(target, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        // A redirect could carry the token elsewhere.
        redirect: 'manual',
      }).catch((cause) => {
        throw new ServiceError('upstream_failed', `${base} cannot be reached`, { cause });
      });
      if (response.ok) return response;
      const text = (await response.text()).slice(0, MAX_TOLD);
      throw new ServiceError('upstream_failed', `${base} answers with status ${response.status}: ${text}`);
    },
  };
}

export function toBase(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new ServiceError('invalid_input', `"${url}" is not an http or https address`);
  }
  return parsed.origin + parsed.pathname.replace(/\/+$/, '');
}
