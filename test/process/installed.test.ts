// The package, installed into an empty folder on Node 24. At night; `test/package.test.ts` checks what is in the package
// every time.
import { test } from 'uvu';
import { installPackage, makeSite, use } from '../support/installed/site-of-package.ts';

test('a site of the package starts, writes, shows a smaller picture and is cloned on Node 24', async () => {
  installPackage();
  await use(process.execPath, makeSite(process.execPath, 'node-24'), /^v24\./);
});

test.run();
