// Which provider, model and address a site uses: its configuration `ai`, with keys and OPENAI_BASE_URL from the
// environment. What is missing becomes one sentence that says what to set.
import type { Env } from '../config/env.ts';
import type { SiteConfig } from '../config/site-config.ts';

export interface ProviderSetup {
  kind: 'anthropic' | 'openai' | 'openai-compatible';
  model: string;
  /** Always given, so that no other variable of the environment names it. */
  baseURL: string;
  /** Undefined only for servers that need none. */
  apiKey: string | undefined;
  /** Whether the server takes a JSON Schema; otherwise the schema is in the prompt. */
  takesSchema: boolean;
}

export type AiKeys = Pick<Env, 'anthropicApiKey' | 'openaiApiKey' | 'openaiBaseUrl'>;

const ANTHROPIC_URL = 'https://api.anthropic.com/v1';
const OPENAI_URL = 'https://api.openai.com/v1';

/** Returns a sentence if something is missing. */
export function toProviderSetup(ai: SiteConfig['ai'], keys: AiKeys): ProviderSetup | string {
  const { provider, model } = ai ?? {};
  if (!provider || !model) {
    const missing = [!provider && '"ai.provider"', !model && '"ai.model"'].filter(Boolean).join(' and ');
    return `no AI provider is set up: set ${missing} in the configuration of the site`;
  }
  switch (provider) {
    case 'anthropic':
      if (!keys.anthropicApiKey) return noKey('ANTHROPIC_API_KEY');
      return setup(provider, model, ai?.baseURL ?? ANTHROPIC_URL, keys.anthropicApiKey, true);
    case 'openai':
      if (!keys.openaiApiKey) return noKey('OPENAI_API_KEY');
      return setup(provider, model, ai?.baseURL ?? keys.openaiBaseUrl ?? OPENAI_URL, keys.openaiApiKey, true);
    case 'openai-compatible': {
      const baseURL = ai?.baseURL ?? keys.openaiBaseUrl;
      if (!baseURL)
        return 'no AI provider is set up: set "ai.baseURL" in the configuration of the site, or OPENAI_BASE_URL';
      return setup(provider, model, baseURL, keys.openaiApiKey, ai?.structured === true);
    }
  }
}

function noKey(variable: string): string {
  return `no AI provider is set up: set ${variable} in the environment of the service`;
}

function setup(
  kind: ProviderSetup['kind'],
  model: string,
  baseURL: string,
  apiKey: string | undefined,
  takesSchema: boolean,
): ProviderSetup {
  return { kind, model, baseURL: baseURL.replace(/\/+$/, ''), apiKey, takesSchema };
}
