// The pages that mailed links open: their answers, and what their script does, run with stand-ins for the few browser
// objects that it uses.
import { hash } from 'node:crypto';
import vm from 'node:vm';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, type World } from '../../support/world.ts';

const NEW = 'a password of her own';

function scriptOf(page: string): string {
  return /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
}

/** Opens a link and presses the button. Returns the page's texts afterwards, and the addresses that it requested. */
async function follow(world: World, link: string, fields: Record<string, string>) {
  const url = new URL(link);
  const page = (await world.anonymous.get(url.pathname)).text;
  const [, action = '', done = ''] = /data-action="(.*?)" data-done="(.*?)"/.exec(page) ?? [];
  const button = { disabled: false };
  let submit: (event: object) => Promise<void> = async () => undefined;
  const form = {
    hidden: false,
    dataset: { action, done },
    querySelector: () => button,
    addEventListener: (_: string, listener: typeof submit) => void (submit = listener),
  };
  const texts = { alert: { textContent: '' }, status: { textContent: '' } };
  const asked: string[] = [];
  let shown = url.hash;
  vm.runInNewContext(scriptOf(page), {
    document: {
      querySelector: (what: string) =>
        what === 'form' ? form : what === '[role=alert]' ? texts.alert : what === '[role=status]' ? texts.status : null,
    },
    location: url,
    history: { replaceState: (_: null, __: string, to: string) => void (shown = new URL(to, url).hash) },
    URLSearchParams,
    FormData: class {
      *[Symbol.iterator]() {
        yield* Object.entries(fields);
      }
    },
    async fetch(path: string, { method, body }: { method: string; body: string }) {
      asked.push(`${method} ${path}`);
      const { status, json } = await world.anonymous.request(method, path, body);
      return { ok: status < 300, json: async () => json };
    },
  });
  const opened = asked.length;
  await submit({ preventDefault: () => undefined });
  return {
    alert: texts.alert.textContent,
    status: texts.status.textContent,
    asked,
    opened,
    shown,
    isHidden: form.hidden,
  };
}

test('an invitation is accepted on the page of its link, and opening the page does not use the link up', async () => {
  await using world = await makeWorld();
  const { json } = await world.admin.post('/api/admin/users/invite', { email: 'grace@example.com', role: 'editor' });
  const weak = await follow(world, json.inviteUrl, { name: '', password: 'password1' });
  assert.match(weak.alert, 'commonest');
  assert.not.ok(weak.isHidden);
  const end = await follow(world, json.inviteUrl, { name: 'Grace Hopper', password: NEW });
  assert.equal([end.opened, end.shown, end.asked], [0, '', ['POST /api/auth/reset']]);
  assert.equal([end.alert, end.status], ['', 'Your account is ready. Sign in with grace@example.com.']);
  const login = await world.anonymous.post('/api/auth/login', { email: 'grace@example.com', password: NEW });
  assert.equal([login.status, login.json.name], [200, 'Grace Hopper']);
  assert.match((await follow(world, json.inviteUrl, { password: NEW })).alert, 'ask for a new one');
});

test('only their own script runs on the pages, and they cannot be framed or cached', async () => {
  await using world = await makeWorld();
  for (const kind of ['reset', 'invite', 'email']) {
    const { status, headers, text } = await world.anonymous.get(`/admin/${kind}`);
    assert.equal(
      [status, headers['content-type'], headers['cache-control']],
      [200, 'text/html; charset=utf-8', 'no-store'],
    );
    const policy = String(headers['content-security-policy']);
    const digest = hash('sha256', scriptOf(text), 'base64');
    assert.match(policy, `script-src 'sha256-${digest}'`);
    assert.match(policy, "default-src 'none'");
    assert.match(policy, "frame-ancestors 'none'");
    assert.is(headers['referrer-policy'], 'no-referrer');
    assert.not.match(text, / on[a-z]+=/);
  }
});

test.run();
