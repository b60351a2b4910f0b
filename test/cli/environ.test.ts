// How a program takes its variables in and hands them to itself, without the whole service around it.
import { execFileSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const at = (file: string): string => JSON.stringify(new URL(`../../src/cli/environ/${file}`, import.meta.url).href);

/** Runs a program that takes its variables in and, if `isAgain`, starts itself again once. */
function run(env: Record<string, string>, rest: string, isAgain = true): string {
  const script = `
    import fs from 'node:fs';
    import { takeVariables } from ${at('take.ts')};
    import { startAgain } from ${at('hand-over.ts')};
    const isFirst = !process.env.COLOPHON_HANDED && !process.env.LC_AGAIN;
    const variables = takeVariables(process.env);
    const environ = fs.readFileSync('/proc/self/environ', 'utf8');
    if (isFirst && ${isAgain})
      startAgain([process.execPath, ...process.execArgv, ...process.argv.slice(1)], { ...variables, LC_AGAIN: 'yes' });
    ${rest}`;
  const args = ['--input-type=module', '--eval', script];
  return execFileSync(process.execPath, args, { env, encoding: 'utf8' });
}

const REPORT =
  'console.log(JSON.stringify({ variables, environ, own: process.env.OPENAI_API_KEY, other: process.env.OTHER }));';

for (const isAgain of [true, false]) {
  test(`all variables arrive as they were${isAgain ? ', also after a start of its own' : ''}`, () => {
    const env = {
      PATH: '/usr/bin:/bin',
      OPENAI_API_KEY: 'MARKED $HOME `id` \\\\ \n"\'',
      OTHER: 'MARKED ümläut\n\tEND\nEND',
      'odd.name': 'MARKED',
      EMPTY: '',
      LARGE: `MARKED${'x'.repeat(15_000)}`,
    };
    const { variables, environ, own, other } = JSON.parse(run(env, REPORT, isAgain));
    for (const [name, value] of Object.entries(env)) assert.is(variables[name], value, name);
    assert.not.match(environ, 'MARKED');
    assert.match(environ, 'PATH=/usr/bin:/bin');
    assert.equal([own, other], [undefined, env.OTHER]);
  });
}

test('variables that fit into no pipe of a shell arrive too', () => {
  const env = { OTHER: `MARKED${'x'.repeat(100_000)}` };
  const { variables, environ } = JSON.parse(run(env, REPORT));
  assert.is(variables.OTHER, env.OTHER);
  assert.not.match(environ, 'MARKED');
});

test('a program that is started with no environment of its own inherits no secret of the service', () => {
  const rest = `
    const { execFileSync } = await import('node:child_process');
    console.log(execFileSync('/bin/sh', ['-c', 'echo "<$OPENAI_API_KEY>"'], { encoding: 'utf8' }));`;
  assert.is(run({ OPENAI_API_KEY: 'MARKED' }, rest).trim(), '<>');
});

test('no process is left behind that handed the variables over', () => {
  const rest = `
    const children = fs.readFileSync(\`/proc/self/task/\${process.pid}/children\`, 'utf8');
    console.log(JSON.stringify([children, fs.readdirSync('/proc/self/fd').length < 40]));`;
  assert.equal(JSON.parse(run({ OTHER: 'x'.repeat(15_000) }, rest)), ['', true]);
});

test('an address of a proxy with a password still is that of the proxy', () => {
  const rest = `
    const { request } = await import('node:http');
    request('http://127.0.0.2:7/').on('error', ({ code, port }) => console.log(code, port)).end();`;
  const out = run({ NODE_USE_ENV_PROXY: '1', http_proxy: 'http://user:MARKED@127.0.0.1:9' }, rest);
  assert.is(out.trim(), 'ECONNREFUSED 9');
});

test.run();
