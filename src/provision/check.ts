// Checks of what a provisioning would be asked for, before anything is made.
import type { FlyApi } from '../deploy/fly/fly-api.ts';
import { HostError } from '../deploy/providers/host-error.ts';
import { invalid, ServiceError } from '../lib/errors.ts';
import type { CheckBody, CheckShape, TemplateOffer } from './input.ts';

/** @throws ServiceError 400 that names the known ones */
export function checkTemplate(template: string, templates: readonly TemplateOffer[]): void {
  if (templates.some(({ name }) => name === template)) return;
  const names = templates.map(({ name }) => name).join(', ');
  throw invalid([{ path: 'template', message: `must be one of: ${names}` }]);
}

/** Whether Fly accepts the token, and whether the name is free there. @throws ServiceError 502 if Fly cannot be asked */
export async function checkToken(
  { flyToken, appName }: Pick<CheckBody, 'flyToken' | 'appName'>,
  connect: (token: string) => Pick<FlyApi, 'listOrganizations' | 'findApp'>,
): Promise<CheckShape> {
  if (flyToken === undefined) return { ok: true, organizations: [] };
  try {
    const api = connect(flyToken);
    const organizations = await api.listOrganizations();
    if (appName === undefined) return { ok: true, organizations };
    const found = await api.findApp(appName);
    const app = found === undefined ? 'free' : found === 'ours' ? 'ours' : 'taken';
    return { ok: true, organizations, app };
  } catch (error) {
    if (error instanceof HostError && error.reason === 'refused_token') return { ok: false, organizations: [] };
    throw toServiceError(error, flyToken);
  }
}

/** Without the token, which Fly's sentence may repeat. */
export function toServiceError(error: unknown, token: string): unknown {
  // The limit of the whole question: a host that fails again and again is waited for until then.
  if (error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name)) {
    return new ServiceError('upstream_failed', 'Fly did not answer as it should in time; try again later', {
      cause: error,
    });
  }
  if (!(error instanceof HostError)) return error;
  const message = error.message.replaceAll(token, '***');
  return new ServiceError('upstream_failed', message, { cause: new Error(message) });
}
