// The variables that this process was started with, taken in before anything else happens: from then on no other process
// sees the secrets among them, and no program that this one starts inherits the service's own.
import { proxiesOf } from '../../config/proxy-variables.ts';
import { isShown, OWN_SECRETS } from '../../config/secret-variables.ts';
import { readHanded } from './hand-over.ts';
import { hideEnviron } from './hide.ts';

type Variables = Record<string, string | undefined>;

/**
 * Leaves in `env` all but the service's own secrets: a configuration is code, and may read what it likes. These live in
 * the memory of this process, and its environment does not show them.
 */
export function takeVariables(env: Variables): Variables {
  const handed = readHanded(env);
  const variables = { ...env, ...handed };
  hideEnviron();
  useProxies(variables, handed);
  for (const [name, value] of Object.entries(variables)) {
    if (OWN_SECRETS.includes(name)) delete env[name];
    // Set anew, because the memory of the old value may have been overwritten.
    else if (!isShown(name, value ?? '')) env[name] = value;
  }
  return variables;
}

/** Node read the addresses of proxies before they were handed over: those with a password are. */
function useProxies(variables: Variables, handed: Readonly<Variables>): void {
  const proxies = proxiesOf(variables);
  if (!proxies || !Object.keys(handed).some((name) => name in proxies)) return;
  const http = process.getBuiltinModule('node:http') as { setGlobalProxyFromEnv?(proxies: Variables): unknown };
  http.setGlobalProxyFromEnv?.(proxies);
}

/** Those that another program may be given. */
export function shownOf(variables: Readonly<Variables>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && isShown(...(pair as [string, string])),
    ),
  );
}
