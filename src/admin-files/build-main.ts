// Builds the admin into a folder: `node build-main.ts <sources> <folder>`. The service runs it where npm did not.
import { buildAdmin } from './build.ts';

const [sourceFolder, outFolder] = process.argv.slice(2);
if (!sourceFolder || !outFolder) throw new Error('usage: build-main.ts <sources> <folder>');
await buildAdmin(sourceFolder, outFolder);
