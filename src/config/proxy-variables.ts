// The proxies that the environment names, as Node reads them: only if NODE_USE_ENV_PROXY or its flag turns them on. Loads
// nothing: a start asks before it has loaded anything else.
type Variables = Readonly<Record<string, string | undefined>>;

const SWITCH = /(?:^|\s)--use-env-proxy(?:\s|$)/;
const PROXY = /^(?:https?|no)_proxy$/i;

/** `proxyEnv` of Node's agents; undefined if Node uses no proxy. */
export function proxiesOf(variables: Variables): Record<string, string> | undefined {
  const options = [...process.execArgv, variables.NODE_OPTIONS].join(' ');
  if (variables.NODE_USE_ENV_PROXY !== '1' && !SWITCH.test(options)) return undefined;
  const named = Object.entries(variables).filter((pair): pair is [string, string] => !!pair[1] && PROXY.test(pair[0]));
  return named.length > 0 ? Object.fromEntries(named) : undefined;
}
