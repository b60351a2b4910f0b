import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from '../support/source.ts';
import { makeCli } from './world.ts';

const COMMAND = path.join(ROOT, 'src/cli/colophon.js');

test('a build keeps compiled code in the data folder, and makes no data folder for it', () => {
  using cli = makeCli();
  const data = cli.path('data');
  const build = (): void => {
    execFileSync(process.execPath, [COMMAND, 'build', '--data', data, '--help'], {
      env: { ...process.env, NODE_COMPILE_CACHE: '' },
    });
  };
  build();
  assert.not(fs.existsSync(data));
  fs.mkdirSync(path.join(data, 'sites'), { recursive: true });
  build();
  assert.ok(fs.readdirSync(path.join(data, 'cache')).length > 0);
});

test.run();
