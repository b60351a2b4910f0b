import { execFileSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

/** The packages that a program loads, as a list of their folders. */
function loadedBy(code: string): string[] {
  const script = `
    import { registerHooks } from 'node:module';
    const seen = new Set();
    registerHooks({ resolve(name, context, next) {
      const found = next(name, context);
      const [, folder] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(found.url) ?? [];
      if (folder) seen.add(folder);
      return found;
    } });
    ${code}
    console.log(JSON.stringify([...seen]));`;
  const options = { cwd: `${import.meta.dirname}/..`, encoding: 'utf8' } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script], options));
}

/** What an upload, a verification, a sign-in through OpenID, or the first model question loads. */
const LATE = ['koa-body', 'formidable', 'isomorphic-git', 'openid-client', 'jose', 'octokit', 'nodemailer', 'liquidjs'];
const isOfTheSdk = (name: string): boolean => name === 'ai' || /^@(ai-sdk|modelcontextprotocol)\//.test(name);

test('a start loads no package for models or MCP, the first question does; nor what only some requests need', () => {
  const atStart = loadedBy("await import(process.cwd() + '/src/app.ts');");
  assert.ok(atStart.includes('koa'), atStart.join(' '));
  assert.equal(atStart.filter(isOfTheSdk), []);
  assert.equal(
    LATE.filter((name) => atStart.includes(name)),
    [],
  );
  const asked = loadedBy(`
    const { createAskModel } = await import(process.cwd() + '/src/ai/provider.ts');
    const setup = { kind: 'openai-compatible', model: 'm', baseURL: 'http://127.0.0.1:9/v1', takesSchema: false };
    const question = { system: '', messages: [{ role: 'user', text: 'x' }], tools: [], maxOutputTokens: 9 };
    await createAskModel(setup)(question, new AbortController().signal).next().catch(() => undefined);`);
  assert.ok(asked.includes('@ai-sdk/openai-compatible'), asked.join(' '));
  assert.not(asked.includes('ai'), 'what is above the models would load much more');
});

test.run();
