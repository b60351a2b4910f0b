// The package on Node 22 beside an npm that runs no install scripts: nothing brings a newer Node then.
import path from 'node:path';
import { test } from 'uvu';
import { folderOf, installPackage, makeSite, QUIET, run, use } from '../support/installed/site-of-package.ts';

test('a site of the package works on Node 22, if npm runs no install scripts', async () => {
  installPackage();
  const older = folderOf('node');
  run(process.execPath, older, 'npm', 'init', '-y');
  run(process.execPath, older, 'npm', 'pkg', 'set', 'allowScripts.node=true', '--json');
  run(process.execPath, older, 'npm', 'install', ...QUIET, 'node@22');
  const node = path.join(older, 'node_modules/node/bin/node');
  await use(node, makeSite(node, 'node-22', '--ignore-scripts'), /^v22\./);
});

test.run();
