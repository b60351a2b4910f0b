// The admin in a browser, on a site with a scripted provider of models.

import type { Page } from 'playwright-core';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { openScriptedProvider, type ScriptedProvider } from '../../support/ai/provider.ts';
import type { Script } from '../../support/ai/script.ts';
import type { OpenPage } from '../../support/browser.ts';
import { CONFIG } from '../../support/world.ts';
import { type AdminWorld, makeAdminWorld } from '../world.ts';

export interface AiAdminWorld extends AdminWorld {
  provider: ScriptedProvider;
  /** A page of a new user with this role. */
  as(role: 'viewer' | 'author' | 'editor', path: string): Promise<OpenPage>;
}

export async function makeAiAdminWorld(script: Script, config: Partial<SiteConfigInput> = {}): Promise<AiAdminWorld> {
  const provider = await openScriptedProvider(script);
  const admin = await makeAdminWorld({ config: { ...CONFIG, ai: provider.ai, ...config }, env: provider.env });
  return {
    ...{ ...admin, provider },
    as: (role, path) => openAs(admin, role, path),
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

export async function openAs(admin: AdminWorld, role: 'viewer' | 'author' | 'editor', path: string): Promise<OpenPage> {
  const { headers } = await admin.world.user(role);
  const opened = await admin.browser.open();
  const [name = '', value = ''] = String(headers.cookie).split('=');
  await opened.page.context().addCookies([{ name, value, url: admin.world.url }]);
  await opened.page.goto(`${admin.world.url}/admin${path}`);
  return opened;
}

export function messagesOf(page: Page) {
  return page.getByRole('status', { name: 'Messages' });
}
