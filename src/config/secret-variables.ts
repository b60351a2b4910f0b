// Which variables of the environment are secrets. Loads nothing: a start asks before it has loaded anything else.
import type { Env } from './env.ts';

/** The service's own; `test/config/secret-variables.test.ts` compares them with `env.ts`. */
export const OWN_SECRETS: readonly string[] = [
  ...['CMS_JWT_SECRET', 'CMS_SERVICE_SECRET', 'CMS_SETUP_TOKEN', 'CMS_OIDC_CLIENT_SECRET', 'DEPLOY_NOTIFY_SECRET'],
  ...['RESEND_API_KEY', 'SMTP_URL', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GITHUB_TOKEN'],
];

/** Settings of the service, the system, Node and git, which other programs on the machine may see. */
const SHOWN =
  /^(?:CMS_[A-Z_]+|COLOPHON_[A-Z_]+|OPENAI_BASE_URL|FLY_API_URL|LOG_(?:LEVEL|FORMAT)|PORT|HOST|PATH|HOME|USER|LOGNAME|SHELL|PWD|TERM|TZ|LANG|LANGUAGE|LC_[A-Z]+|TMPDIR|TMP|TEMP|HOSTNAME|NODE_[A-Z_]+|UV_[A-Z_]+|MALLOC_[A-Z_]+|GLIBC_TUNABLES|LD_[A-Z_]+|DYLD_[A-Z_]+|SSL_CERT_(?:FILE|DIR)|OPENSSL_[A-Z_]+|FONTCONFIG_[A-Z]+|VIPS_[A-Z_]+|XDG_[A-Z_]+|DOCKER_(?:HOST|CONTEXT|CONFIG|CERT_PATH|TLS_VERIFY|API_VERSION)|SSH_AUTH_SOCK|NOTIFY_SOCKET|JOURNAL_STREAM|INVOCATION_ID)$/;
const PROXY = /^(?:https?|all|no)_proxy$/i;
const SECRET_NAME = /SECRET|TOKEN|PASSW|PASSPHRASE|CREDENTIAL|(?:^|_)(?:API)?_?KEY(?:_|$)|DSN$/i;
/** A name and a password in front of an address's host. */
const CREDENTIALS = /:\/\/[^/\s@]*:([^/\s@]+)@/;

type Variables = Readonly<Record<string, string | undefined>>;

/** True if other processes of the same user may see it in our environment. A variable that we do not know may not. */
export function isShown(name: string, value: string): boolean {
  return (SHOWN.test(name) || PROXY.test(name)) && !isSecret(name, value);
}

/** True if the name or the value says so; the names in a configuration are not known here. */
export function isSecret(name: string, value: string): boolean {
  return OWN_SECRETS.includes(name) || SECRET_NAME.test(name) || CREDENTIALS.test(value);
}

/** Every text that no log may show: the values of secrets, of the variables `named`, and the passwords in addresses. */
export function secretValues(variables: Variables, named: readonly string[]): string[] {
  return Object.entries(variables).flatMap(([name, value = '']) => {
    const password = CREDENTIALS.exec(value)?.[1];
    // The address is not a secret, but its password is; the whole of the service's own is.
    const isWhole = OWN_SECRETS.includes(name) || named.includes(name) || SECRET_NAME.test(name);
    return [...(isWhole ? [value] : []), ...(password === undefined ? [] : [password, decoded(password)])];
  });
}

/** The secrets of a parsed environment, wherever it came from. */
export function secretsOfEnv(env: Env): string[] {
  const all = [
    ...[env.jwtSecret, env.serviceSecret, env.deployNotifySecret, env.setupToken, env.oidc?.clientSecret],
    ...[env.resendApiKey, env.smtpUrl, env.anthropicApiKey, env.openaiApiKey, env.githubToken],
  ];
  return all.filter((one) => one !== undefined);
}

/** The variables that a configuration names as those of its secrets: the values of keys like `tokenEnv`. */
export function namedVariables(config: unknown): string[] {
  if (typeof config !== 'object' || config === null) return [];
  return Object.entries(config).flatMap(([key, value]) =>
    key.endsWith('Env') && typeof value === 'string' ? [value] : namedVariables(value),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}
